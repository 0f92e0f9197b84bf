/* The summary, which has to fit on a screen. */
#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "stat/builder.h"
#include "stint_test.h"

enum { SCREEN = 60 };

/* ---------------------------------------------------------------------------------------------------- a big program */

enum { MANY = 200, NAME_SIZE = 32 };

static const char *name_of(const char *kind, unsigned number)
{
    static char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s %u", kind, number);
    return name;
}

static struct stint_numbers numbers_of(unsigned number)
{
    uint64_t ns = 1000 * (uint64_t)(number + 1);
    return (struct stint_numbers){.count = 1, .total_ns = ns, .self_ns = ns, .min_ns = ns, .max_ns = ns};
}

static void add_stat(struct stint_builder *builder, const char *set, const char *name, unsigned number)
{
    struct stint_stat like = {.set = set, .name = name, .file = "", .function = ""};
    struct stint_numbers numbers = numbers_of(number);
    size_t stat = stint_builder_stat(builder, &like);
    size_t context = stint_builder_context(builder, STINT_NO_PARENT, stat);
    stint_builder_add_stat(builder, stat, &numbers);
    stint_builder_add_context(builder, context, &numbers);
}

static void add_work(struct stint_builder *builder, enum stint_gpu_kind kind, const char *name, unsigned number)
{
    struct stint_gpu_activity like = {.kind = kind, .name = name, .mangled = "", .numbers = numbers_of(number)};
    size_t activity = stint_builder_gpu_activity(builder, &like);
    like.bytes = 1000;
    stint_builder_add_gpu_activity(builder, activity, &like);
    stint_builder_add(
        builder, STINT_ROWS_GPU_CHARGES,
        &(struct stint_gpu_charge){
            .activity = activity, .context = STINT_GPU_NO_SCOPE, .count = 1, .total_ns = like.numbers.total_ns});
}

static void add_process(struct stint_builder *builder, unsigned number)
{
    struct stint_merged_process process = {.pid = 1000 + (int64_t)number,
                                           .command = name_of("worker", number),
                                           .start_unix_ns = 1000 + number,
                                           .wall_ns = UINT64_C(1000000) * number};
    (void)snprintf(process.rank, sizeof process.rank, "%u", MANY - number);
    stint_builder_add(builder, STINT_ROWS_PROCESSES, &process);
}

/* 200 scopes, kernels, calls and processes, and all that adds lines. */
static struct stint_snapshot *make_big(void)
{
    struct stint_builder builder;
    struct stint_process process = {.command = "200 processes: mpirun -n 200 ./big --with many --options and arguments",
                                    .host = "",
                                    .wall_ns = 2000000000,
                                    .clock = "tsc",
                                    .clock_hz = 2e9,
                                    .scope_ns = 20};
    struct stint_nvtx_value value = {.set = "NVTX", .name = "payload", .field = "", .count = 1};
    struct stint_thread thread = {.tid = 1};
    struct stint_dropped dropped = {.nodes = 7};
    stint_builder_begin(&builder);
    stint_builder_set(&builder, "GlobalStatInfo");
    stint_builder_add(&builder, STINT_ROWS_NVTX_VALUES, &value);
    (void)stint_builder_add(&builder, STINT_ROWS_THREADS, &thread);
    add_work(&builder, STINT_GPU_COPY, "[CUDA memcpy HtoD]", 0);
    add_work(&builder, STINT_GPU_SET, "[CUDA memset]", 0);
    for (unsigned i = 0; i < MANY; i++) {
        add_stat(&builder, "GlobalStatInfo", name_of("scope", i), i);
        add_stat(&builder, STINT_API_SET, name_of("call", i), i);
        add_work(&builder, STINT_GPU_KERNEL, name_of("kernel", i), i);
        add_process(&builder, i);
    }
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &dropped);
    assert_non_null(snapshot);
    return snapshot;
}

/* ---------------------------------------------------------------------------------------------------------- summary */

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(summary_has_the_first_rows_of_each_kind)
{
    assert_report(fixture_gpu(), STINT_FORMAT_SUMMARY, 80, "report_summary_gpu_80.txt");
    assert_report(fixture_gpu_processes(), STINT_FORMAT_SUMMARY, 0, "report_summary_processes.txt");
    assert_report(fixture_gpu_processes(), STINT_FORMAT_SUMMARY, 200, "report_summary_processes.txt");
}

TEST(summary_has_no_section_of_what_was_not_done)
{
    assert_report(fixture_training(), STINT_FORMAT_SUMMARY, 80, "report_summary_training_80.txt");
    assert_report(fixture_gpu_spans(), STINT_FORMAT_SUMMARY, 80, "report_summary_spans_80.txt");
    assert_report(fixture_gpu_calls(), STINT_FORMAT_SUMMARY, 80, "report_summary_calls_80.txt");
    assert_report(fixture_empty(), STINT_FORMAT_SUMMARY, 80, "report_summary_empty.txt");
}

TEST(summary_shows_whatever_names_there_are_and_everything_dropped)
{
    assert_report(fixture_gpu_nasty(), STINT_FORMAT_SUMMARY, 80, "report_summary_nasty_80.txt");
    assert_report(fixture_gpu_extreme(), STINT_FORMAT_SUMMARY, 80, "report_summary_extreme_80.txt");
}

TEST(summary_fits_on_a_screen)
{
    struct stint_snapshot *big = make_big();
    for (unsigned columns = 80; columns <= 200; columns += 60) {
        struct stint_layout layout = {.columns = columns};
        struct capture out = capture_report(big, STINT_FORMAT_SUMMARY, &layout);
        assert_true(count_words(out.text, "\n") <= SCREEN);
        assert_true(capture_width(&out) <= columns);
        assert_int_equal(count_words(out.text, " scope "), 10);
        assert_int_equal(count_words(out.text, " kernel "), 10);
        assert_int_equal(count_words(out.text, " call "), 10);
        assert_int_equal(count_words(out.text, " worker "), 9);
        assert_int_equal(count_words(out.text, "… 190 more rows, "), 2);
        assert_int_equal(count_words(out.text, "… 191 more rows, "), 1);
        assert_int_equal(count_words(out.text, "… 192 more rows, "), 1);
        assert_int_equal(count_words(out.text, "dropped: 7 "), 1);
    }
    stint_snapshot_free(big);
}

TEST(summary_has_as_many_rows_as_the_layout_says)
{
    struct stint_snapshot *big = make_big();
    static const unsigned tops[] = {3, MANY + 2, STINT_TOP_ALL};
    for (size_t i = 0; i < sizeof tops / sizeof tops[0]; i++) {
        struct stint_layout layout = {.top = tops[i]};
        size_t top = tops[i] < MANY ? tops[i] : MANY;
        struct capture out = capture_report(big, STINT_FORMAT_SUMMARY, &layout);
        assert_int_equal(count_words(out.text, " kernel "), top);
        assert_int_equal(count_words(out.text, " worker "), top);
        assert_int_equal(count_words(out.text, "more rows"), top < MANY ? 4 : 0);
    }
    stint_snapshot_free(big);
}

/* The time in calls is the scopes' own: the tree has no rows for them. */
TEST(calls_are_part_of_the_scopes_that_made_them)
{
    struct capture out = capture_report(fixture_gpu(), STINT_FORMAT_SUMMARY, NULL);
    const struct stint_snapshot *snapshot = fixture_gpu();
    uint64_t self_ns = 0;
    char row[80];
    for (size_t i = 0; i < snapshot->context_count; i++)
        if (strcmp(snapshot->stats[snapshot->contexts[i].stat].name, "trainOnePass") == 0)
            self_ns = snapshot->contexts[i].numbers.total_ns;
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        int is_call = strcmp(snapshot->stats[context->stat].set, STINT_API_SET) == 0;
        if (context->depth == 1 && !is_call)
            self_ns -= context->numbers.total_ns;
    }
    (void)snprintf(row, sizeof row, "%.3f", (double)self_ns * 1e-6);
    assert_non_null(strstr(out.text, row));
    assert_null(strstr(out.text, "─ cuda"));
}

/* -------------------------------------------------------------------------------------------------------- processes */

TEST(longest_processes_are_shown_in_order_of_rank)
{
    struct stint_snapshot *big = make_big();
    struct stint_layout layout = {.top = 2};
    struct capture out = capture_report(big, STINT_FORMAT_PROCESSES, &layout);
    const char *last = strstr(out.text, "worker 198"), *first = strstr(out.text, "worker 199");
    assert_true(first && last && first < last); /* ranks 1 and 2 */
    assert_int_equal(count_words(out.text, "worker"), 2);
    assert_non_null(strstr(out.text, "… 198 more rows, 98.0 % of the time (--top 0 shows all)\n"));
    stint_snapshot_free(big);
}
