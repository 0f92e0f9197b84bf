#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/row_order.h"
#include "stint/report.h"
#include "stint_test.h"

static struct capture write_as(const struct stint_snapshot *snapshot, const char *name, int csv,
                               const struct stint_layout *layout)
{
    struct capture out = {0};
    assert_int_equal(stint_report_named(snapshot, name, csv, layout, capture_write, &out), STINT_OK);
    return out;
}

static void check_golden(const struct stint_snapshot *snapshot, const char *name, int csv, struct stint_layout layout,
                         const char *file)
{
    assert_golden(write_as(snapshot, name, csv, &layout), file);
}

/* ------------------------------------------------------------------------------------------------------------- rest */

static void check_rest(struct stint_rest rest, const char *expected)
{
    static const struct stint_layout plain = {0};
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_rest_put(&rest, "the time", &text, &plain);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text ? out.text : "", expected);
}

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(rest_has_an_honest_share)
{
    check_rest((struct stint_rest){2371, 12, 1000, 0}, "… 2371 more rows, 1.2 % of the time (--top 0 shows all)\n");
    check_rest((struct stint_rest){1, 1, 1000000, 0},
               "… 1 more row, less than 0.1 % of the time (--top 0 shows all)\n");
    check_rest((struct stint_rest){2, 0, 1000, 0}, "… 2 more rows, 0.0 % of the time (--top 0 shows all)\n");
}

TEST(rest_of_an_unknown_sum_has_no_share)
{
    check_rest((struct stint_rest){2, 0, 0, 0}, "… 2 more rows (--top 0 shows all)\n");
}

TEST(rest_that_is_left_out_for_its_share_says_so)
{
    check_rest((struct stint_rest){2, 12, 1000, 1},
               "… 2 more rows, 1.2 % of the time (--top 0 --min-percent 0 shows all)\n");
}

TEST(no_rest_is_not_mentioned)
{
    check_rest((struct stint_rest){0, 0, 1000, 0}, "");
}

/* -------------------------------------------------------------------------------------------------------------- top */

TEST(table_shows_the_first_rows_and_says_what_the_others_took)
{
    check_golden(fixture_training(), "table", 0, (struct stint_layout){.top = 4}, "report_order_table_top.txt");
    check_golden(fixture_gpu(), "table", 0, (struct stint_layout){.top = 3, .columns = 120},
                 "report_order_table_top_gpu_120.txt");
}

TEST(tree_shows_the_longest_contexts_and_what_is_around_them)
{
    check_golden(fixture_training(), "tree", 0, (struct stint_layout){.top = 5}, "report_order_tree_top.txt");
    check_golden(fixture_gpu(), "tree", 0, (struct stint_layout){.top = 6, .columns = 100},
                 "report_order_tree_top_gpu_100.txt");
}

/* A clock that went backwards, say, leaves a context with less time than one below it. */
TEST(tree_keeps_what_is_around_a_row_however_short)
{
    struct stint_snapshot snapshot = *fixture_training();
    struct stint_context contexts[2] = {snapshot.contexts[0], snapshot.contexts[1]};
    contexts[0].numbers.total_ns = 5;
    contexts[1].parent = 0;
    snapshot.contexts = contexts;
    snapshot.context_count = 2;
    struct capture out = write_as(&snapshot, "tree", 0, &(struct stint_layout){.top = 1});
    assert_non_null(strstr(out.text, " trainOnePass\n"));
    assert_non_null(strstr(out.text, "└─ forwardBackward\n"));
}

TEST(time_so_far_of_a_running_scope_counts)
{
    const struct stint_snapshot *snapshot = fixture_running();
    char rest[64];
    struct capture out = write_as(snapshot, "tree", 0, &(struct stint_layout){.top = 1});
    snprintf(rest, sizeof rest, "… %zu more rows", snapshot->context_count - 1);
    assert_non_null(strstr(out.text, " main\n"));
    assert_non_null(strstr(out.text, rest));
}

TEST(nvprof_adds_the_other_rows_up)
{
    check_golden(fixture_gpu(), "nvprof", 0, (struct stint_layout){.top = 2}, "report_order_nvprof_top.txt");
}

TEST(nsys_tables_show_the_greatest_totals_in_their_own_order)
{
    check_golden(fixture_gpu_nvtx(), "nvtx_sum", 0, (struct stint_layout){.top = 3}, "report_order_nvtx_sum_top.txt");
    check_golden(fixture_gpu_nvtx(), "nvtx_kern_sum", 0, (struct stint_layout){.top = 4},
                 "report_order_nvtx_kern_sum_top.txt");
    check_golden(fixture_gpu_nvtx(), "nvtx_gpu_proj_sum", 0, (struct stint_layout){.top = 2},
                 "report_order_nvtx_gpu_proj_sum_top.txt");
    check_golden(fixture_gpu_nvtx(), "cuda_gpu_mem_size_sum", 0, (struct stint_layout){.top = 1},
                 "report_order_mem_size_sum_top.txt");
}

TEST(traces_show_the_first_events)
{
    check_golden(fixture_gpu(), "gpu-trace", 0, (struct stint_layout){.top = 2}, "report_order_gpu_trace_top.txt");
    check_golden(fixture_gpu(), "api-trace", 0, (struct stint_layout){.top = 2}, "report_order_api_trace_top.txt");
}

TEST(as_many_rows_as_there_are_leave_none_out)
{
    static const char *const names[] = {"table", "tree", "nvprof", "nvtx_sum", "gpu-trace", "api-trace"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct capture all = write_as(fixture_gpu_nvtx(), names[i], 0, NULL);
        struct capture out = write_as(fixture_gpu_nvtx(), names[i], 0, &(struct stint_layout){.top = 1000});
        assert_string_equal(out.text, all.text);
    }
}

TEST(formats_for_programs_have_every_row)
{
    static const struct {
        const char *name;
        int csv;
    } formats[] = {{"table", 1},     {"json", 0},     {"nvprof", 1}, {"gpu-trace", 1},
                   {"api-trace", 1}, {"nvtx_sum", 1}, {"paddle", 0}, {"gpu", 0}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        struct capture all = write_as(fixture_gpu(), formats[i].name, formats[i].csv, NULL);
        struct capture out = write_as(fixture_gpu(), formats[i].name, formats[i].csv, &(struct stint_layout){.top = 1});
        assert_string_equal(out.text, all.text);
    }
}

/* ------------------------------------------------------------------------------------------------------------- sort */

/* Writes a report in every order. */
static void check_orders(const struct stint_snapshot *snapshot, const char *name, int csv, const char *file)
{
    struct capture out = {0};
    for (enum stint_sort sort = STINT_SORT_TOTAL; sort <= STINT_SORT_NAME; sort++)
        assert_int_equal(
            stint_report_named(snapshot, name, csv, &(struct stint_layout){.sort = sort}, capture_write, &out),
            STINT_OK);
    assert_golden(out, file);
}

TEST(rows_are_in_the_order_that_is_wanted)
{
    check_orders(fixture_training(), "tree", 0, "report_order_tree_sorts.txt");
    check_orders(fixture_gpu_nvtx(), "nvprof", 0, "report_order_nvprof_sorts.txt");
    check_orders(fixture_gpu_nvtx(), "nvtx_sum", 0, "report_order_nvtx_sum_sorts.txt");
    check_orders(fixture_gpu_nvtx(), "nvtx_kern_sum", 1, "report_order_nvtx_kern_sum_sorts.csv");
}

static uint64_t key_of(enum stint_sort sort, const struct stint_numbers *numbers)
{
    const uint64_t keys[] = {[STINT_SORT_TOTAL] = numbers->total_ns,
                             [STINT_SORT_COUNT] = numbers->count,
                             [STINT_SORT_AVERAGE] = numbers->total_ns / (numbers->count - numbers->recursive),
                             [STINT_SORT_MIN] = numbers->min_ns,
                             [STINT_SORT_MAX] = numbers->max_ns,
                             [STINT_SORT_SELF] = numbers->self_ns,
                             [STINT_SORT_CPU] = numbers->cpu_ns};
    return keys[sort];
}

/* "Network/send" */
static void label_of(char out[128], const struct stint_stat *stat)
{
    int is_global = strcmp(stat->set, "GlobalStatInfo") == 0;
    (void)snprintf(out, 128, "%s%s%s", is_global ? "" : stat->set, is_global ? "" : "/", stat->name);
}

/* Whether the statistic at `a` belongs before the one at `b`: by its key or name, then as in the snapshot. */
static int comes_before(const struct stint_snapshot *snapshot, enum stint_sort sort, size_t a, size_t b)
{
    const struct stint_stat *x = &snapshot->stats[a], *y = &snapshot->stats[b];
    if (sort == STINT_SORT_NAME) {
        int is_x_global = strcmp(x->set, "GlobalStatInfo") == 0, is_y_global = strcmp(y->set, "GlobalStatInfo") == 0;
        if (is_x_global != is_y_global)
            return is_x_global;
        int order = strcmp(x->set, y->set);
        return order ? order < 0 : strcmp(x->name, y->name) < 0;
    }
    uint64_t key_a = key_of(sort, &x->numbers), key_b = key_of(sort, &y->numbers);
    return key_a == key_b ? a < b : key_a > key_b;
}

/* Returns the statistic whose name is the last column of the line. */
static size_t stat_of(const struct stint_snapshot *snapshot, const char *line)
{
    size_t length = strcspn(line, "\n"), i = 0;
    for (; i < snapshot->stat_count; i++) {
        char label[128];
        label_of(label, &snapshot->stats[i]);
        const char *at = line + length - strlen(label);
        if (at > line + 2 && memcmp(at - 2, "  ", 2) == 0 && memcmp(at, label, strlen(label)) == 0)
            break;
    }
    return i;
}

TEST(tables_are_in_the_order_that_is_wanted)
{
    const struct stint_snapshot *snapshot = fixture_training();
    for (enum stint_sort sort = STINT_SORT_TOTAL; sort <= STINT_SORT_CPU; sort++) {
        struct capture out = write_as(snapshot, "table", 0, &(struct stint_layout){.sort = sort});
        const char *line = strstr(out.text, "Name\n") + 5;
        size_t before = stat_of(snapshot, line);
        for (size_t row = 1; row < snapshot->stat_count; row++) {
            line = strchr(line, '\n') + 1;
            size_t at = stat_of(snapshot, line);
            assert_true(at < snapshot->stat_count && comes_before(snapshot, sort, before, at));
            before = at;
        }
    }
}

/* Expects the rows of CSV in the order in which the text has their names, each at the end of a line. A name is the last
 * field, or the second after the set. */
static void check_same_order(const char *csv, const char *text, int name_is_last)
{
    size_t rows = 0;
    for (const char *line = csv, *end; *line; line = end + 1) {
        char name[256], expected[300];
        end = strchr(line, '\n');
        int is_read = name_is_last ? sscanf(line, "\"%*[^\"]\",%*[^\"]\"%255[^\"]\"", name)
                                   : sscanf(line, "%*[^,],%255[^,],%*u", name);
        if (is_read != 1 || strncmp(line, "set,", 4) == 0 || strncmp(line, "\"Type\"", 6) == 0)
            continue;
        int is_named = !name_is_last && strncmp(line, "GlobalStatInfo,", 15) != 0;
        (void)snprintf(expected, sizeof expected, "%.*s%s%s\n", is_named ? (int)strcspn(line, ",") : 0, line,
                       is_named ? "/" : "", name);
        const char *at = strstr(text, expected);
        if (!at)
            fail_msg("not in order: %s", expected);
        text = at + strlen(expected);
        rows++;
    }
    assert_true(rows > 6);
}

TEST(csv_has_the_order_of_the_text)
{
    static const char *const names[] = {"table", "nvprof"};
    for (enum stint_sort sort = STINT_SORT_TOTAL; sort <= STINT_SORT_CPU; sort++)
        for (int i = 0; i < 2; i++) {
            const struct stint_snapshot *snapshot = i ? fixture_gpu_nvtx() : fixture_training();
            struct stint_layout layout = {.sort = sort};
            struct capture text = write_as(snapshot, names[i], 0, &layout);
            struct capture csv = write_as(snapshot, names[i], 1, &layout);
            check_same_order(csv.text, text.text, i);
        }
}

TEST(order_and_number_of_rows_go_together)
{
    const struct stint_layout layout = {.sort = STINT_SORT_COUNT, .top = 3};
    check_golden(fixture_training(), "table", 0, layout, "report_order_table_top_by_count.txt");
    check_golden(fixture_training(), "tree", 0, layout, "report_order_tree_top_by_count.txt");
    check_golden(fixture_gpu_nvtx(), "nvtx_sum", 0, layout, "report_order_nvtx_sum_top_by_count.txt");
}

TEST(without_memory_rows_stay_as_they_are)
{
    static const char *const names[] = {"table", "tree", "nvprof"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct stint_snapshot *snapshot = fixture_gpu_nvtx();
        struct capture all = write_as(snapshot, names[i], 0, NULL), out;
        memory_fail_after(0);
        out = write_as(snapshot, names[i], 0, &(struct stint_layout){.sort = STINT_SORT_NAME});
        assert_true(memory_recover() > 0);
        assert_string_equal(out.text, all.text);
    }
}

/* ------------------------------------------------------------------------------------------------------------- unit */

static void check_units(const struct stint_snapshot *snapshot, const char *name, int csv, const char *file)
{
    struct capture out = {0};
    for (enum stint_time_unit unit = STINT_UNIT_COLUMN; unit <= STINT_UNIT_NS; unit++)
        assert_int_equal(
            stint_report_named(snapshot, name, csv, &(struct stint_layout){.unit = unit}, capture_write, &out),
            STINT_OK);
    assert_golden(out, file);
}

TEST(times_are_in_the_unit_that_is_wanted)
{
    check_units(fixture_training(), "table", 0, "report_order_table_units.txt");
    check_units(fixture_gpu(), "nvprof", 0, "report_order_nvprof_units.txt");
    check_units(fixture_gpu(), "nvprof", 1, "report_order_nvprof_units.csv");
    check_golden(fixture_gpu_nvtx(), "gpu-trace", 0, (struct stint_layout){.unit = STINT_UNIT_COLUMN},
                 "report_order_gpu_trace_columns.txt");
    check_units(fixture_gpu_nvtx(), "cuda_api_sum", 0, "report_order_cuda_api_sum_units.txt");
    check_units(fixture_gpu_nvtx(), "nvtx_gpu_proj_sum", 1, "report_order_nvtx_gpu_proj_sum_units.csv");
}

static const struct {
    const char *name;
    double ns;
    enum stint_time_unit unit;
} s_units[] = {
    {"ns", 1, STINT_UNIT_NS}, {"us", 1e3, STINT_UNIT_US}, {"ms", 1e6, STINT_UNIT_MS}, {"s", 1e9, STINT_UNIT_S}};

/* The unit whose name is at `text`, and nothing after it; -1: none. */
static int unit_at(const char *text)
{
    for (int i = 0; i < 4; i++)
        if (strcmp(text, s_units[i].name) == 0)
            return i;
    return -1;
}

/* Half a unit in the last place of the number that is at `text` and ends at `end`. */
static double half_place(const char *text, const char *end)
{
    const char *point = memchr(text, '.', (size_t)(end - text));
    return point ? 0.5 * pow(10, (double)(point + 1 - end)) : 0.5;
}

/* Expects a time in nanoseconds, and the same one in the unit, which may follow either. */
static void check_time(const char *ns, const char *other, int unit)
{
    char *ns_end, *end;
    int is_less = *other == '<'; /* "<0.001" */
    double expected = strtod(ns, &ns_end) / s_units[unit].ns, value = strtod(other + is_less, &end);
    double places = half_place(ns, ns_end) / s_units[unit].ns + half_place(other + is_less, end);
    assert_true(ns_end > ns && end > other + is_less);
    assert_true((*ns_end ? unit_at(ns_end) : 0) == 0 && (*end ? unit_at(end) : unit) == unit);
    assert_true(is_less ? expected > 0 && expected < value : fabs(value - expected) <= places * (1 + 1e-9));
}

/* Expects that the texts differ in nothing but times and their unit. Returns the number of times. */
static size_t check_same_times(char *ns, char *other, int unit)
{
    static const char blanks[] = " ,\n()\"";
    size_t times = 0;
    char *ns_rest, *rest;
    char *a = strtok_r(ns, blanks, &ns_rest), *b = strtok_r(other, blanks, &rest);
    for (; a && b; a = strtok_r(NULL, blanks, &ns_rest), b = strtok_r(NULL, blanks, &rest)) {
        if (strcmp(a, b) == 0 || (unit_at(a) == 0 && unit_at(b) == unit))
            continue;
        check_time(a, b, unit);
        times++;
    }
    assert_true(!a && !b);
    return times;
}

TEST(times_are_the_same_in_every_unit)
{
    static const struct {
        const char *name;
        int csv;
        size_t times; /* at least; a table that ignored the unit would have none */
    } reports[] = {{"table", 0, 136},   {"tree", 0, 71},      {"gpu", 0, 30},         {"nvprof", 0, 103},
                   {"nvprof", 1, 103},  {"gpu-trace", 0, 19}, {"gpu-trace", 1, 19},   {"api-trace", 0, 8},
                   {"api-trace", 1, 7}, {"nvtx_sum", 1, 36},  {"cuda_api_sum", 1, 90}};
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        for (int unit = 1; unit < 4; unit++) {
            struct stint_layout layout = {.unit = STINT_UNIT_NS};
            struct capture ns = write_as(fixture_gpu(), reports[i].name, reports[i].csv, &layout);
            layout.unit = s_units[unit].unit;
            struct capture other = write_as(fixture_gpu(), reports[i].name, reports[i].csv, &layout);
            size_t times = check_same_times(ns.text, other.text, unit);
            if (times < reports[i].times)
                fail_msg("%s: only %zu times differ", reports[i].name, times);
        }
}
