/* Samples added up by function, and as trees. The functions at an address are those that the test names. */
#include "cpu/cpu_profile.h"

#include <stdio.h>
#include <string.h>

#include "cpu/cpu_table.h"
#include "report/golden.h"
#include "stint_test.h"

struct stint_symbols *__wrap_stint_symbols_begin(void);
struct stint_symbols *__wrap_stint_symbols_begin(void)
{
    static char any;
    return (struct stint_symbols *)(void *)&any;
}

void __wrap_stint_symbols_end(struct stint_symbols *symbols);
void __wrap_stint_symbols_end(struct stint_symbols *symbols)
{
    assert_non_null(symbols);
}

const char *__wrap_stint_symbols_remark(struct stint_symbols *symbols);
const char *__wrap_stint_symbols_remark(struct stint_symbols *symbols)
{
    (void)symbols;
    return "";
}

/* At 40, add() is inlined into loop(). */
size_t __wrap_stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module,
                                 uint64_t address, struct stint_symbol *found, size_t most);
size_t __wrap_stint_symbols_find(struct stint_symbols *symbols, const struct stint_sample_module *module,
                                 uint64_t address, struct stint_symbol *found, size_t most)
{
    static const char *const names[] = {"main", "outer", "loop", "recurse"};
    (void)symbols;
    assert_true(most >= 2);
    if (address == 40) {
        found[0] = (struct stint_symbol){"add", module->path, "a.c", 7};
        found[1] = (struct stint_symbol){"loop", module->path, "a.c", 9};
        return 2;
    }
    found[0] = (struct stint_symbol){names[address / 10], module->path, "a.c", (int)address};
    return 1;
}

/* main > outer > loop > add (inlined): 60 ms in the scope; main > recurse > recurse: 30 ms; and 10 ms of a sample for
 * whose stack there was no room. */
static const struct stint_sample_module s_module = {.pid = 7, .path = "prog"};
static const struct stint_sample_frame s_frames[] = {{0, 0}, {0, 10}, {0, 40}, {0, 30}};
static const struct stint_sample_stack s_stacks[] = {
    {STINT_SAMPLE_NO_STACK, 0}, {0, 1}, {1, 2}, {0, 3}, {3, 3},
};
static const struct stint_sample_count s_counts[] = {
    {0, 1, 2, 6, 60000000},
    {0, STINT_GPU_NO_SCOPE, 4, 3, 30000000},
    {0, STINT_GPU_NO_SCOPE, STINT_SAMPLE_NO_STACK, 1, 10000000},
};
static const struct stint_sample_thread s_thread = {.pid = 7, .tid = 7};
static const struct stint_stat s_stats[] = {{.set = "GlobalStatInfo", .name = "step"},
                                            {.set = "GlobalStatInfo", .name = "forward"}};
static const struct stint_context s_contexts[] = {{.stat = 0, .parent = STINT_NO_PARENT}, {.stat = 1, .parent = 0}};

static const struct stint_snapshot s_snapshot = {
    .stats = s_stats,
    .stat_count = 2,
    .contexts = s_contexts,
    .context_count = 2,
    .sampling = {.sampled = 1, .hz = 100, .samples = 10, .time_ns = 100000000, .crowded = 1},
    .sample_modules = &s_module,
    .sample_module_count = 1,
    .sample_frames = s_frames,
    .sample_frame_count = 4,
    .sample_stacks = s_stacks,
    .sample_stack_count = 5,
    .sample_threads = &s_thread,
    .sample_thread_count = 1,
    .sample_counts = s_counts,
    .sample_count_count = 3,
};

static struct stint_cpu_profile made(const struct stint_cpu_options *options)
{
    struct stint_cpu_profile profile;
    assert_int_equal(stint_cpu_profile_make(&profile, &s_snapshot, options), 0);
    return profile;
}

static void check(const struct stint_cpu_profile *profile, const char *name, uint64_t self_ns, uint64_t total_ns)
{
    for (size_t i = 0; i < profile->functions.count; i++) {
        const struct stint_cpu_function *function = stint_cpu_function_at(profile, i);
        if (strcmp(function->symbol.function, name) != 0)
            continue;
        assert_int_equal(function->self_ns, self_ns);
        assert_int_equal(function->total_ns, total_ns);
        return;
    }
    fail_msg("there is no %s", name);
}

static void time_is_in_the_innermost_function_and_once_in_each_around_it(void **state)
{
    static const struct stint_cpu_options all;
    struct stint_cpu_profile profile = made(&all);
    assert_int_equal(profile.functions.count, 5);
    assert_int_equal(profile.time_ns, 100000000);
    assert_int_equal(profile.nowhere_ns, 10000000);
    check(&profile, "add", 60000000, 60000000);
    check(&profile, "loop", 0, 60000000);
    check(&profile, "outer", 0, 60000000);
    check(&profile, "recurse", 30000000, 30000000);
    check(&profile, "main", 0, 90000000);
    stint_cpu_profile_free(&profile);
}

static void only_what_ran_within_the_scope_counts(void **state)
{
    const struct stint_cpu_options step = {.scope = "step"}, nowhere = {.scope = "backward"};
    struct stint_cpu_profile profile = made(&step);
    assert_int_equal(profile.samples, 6);
    check(&profile, "add", 60000000, 60000000);
    check(&profile, "recurse", 0, 0);
    stint_cpu_profile_free(&profile);
    profile = made(&nowhere);
    assert_int_equal(profile.samples, 0);
    stint_cpu_profile_free(&profile);
}

static void lines_of_a_function_are_told_apart(void **state)
{
    const struct stint_cpu_options lines = {.by_lines = 1};
    struct stint_cpu_profile profile = made(&lines);
    assert_int_equal(stint_cpu_function_at(&profile, 0)->symbol.line, 0);
    assert_int_equal(stint_cpu_function_at(&profile, 1)->symbol.line, 10);
    assert_int_equal(profile.functions.count, 5);
    stint_cpu_profile_free(&profile);
}

static void check_table(struct stint_cpu_view view, const char *expected)
{
    static const struct stint_cpu_options all;
    static const struct stint_layout layout;
    struct stint_cpu_profile profile = made(&all);
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    assert_int_equal(stint_cpu_table_put(&profile, &view, &layout, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, expected);
    capture_free(&out);
    stint_cpu_profile_free(&profile);
}

#define HEAD "100.0 ms of CPU time in 10 samples, 100 asked for per second, 1 thread\n\n"
#define FOOT "1 sample for which there was no more room: they count in a caller, or nowhere\n"

static void tables_are_as_recorded(void **state)
{
    check_table((struct stint_cpu_view){.mode = STINT_CPU_FLAT},
                HEAD "Self(%)     +-  Self(ms)  Total(%)  Total(ms)  Samples  Function\n"
                     "  60.00  30.36    60.000     60.00     60.000        6  add  [prog]\n"
                     "  30.00  28.40    30.000     30.00     30.000        3  recurse  [prog]\n"
                     "   0.00   0.00     0.000     90.00     90.000        0  main  [prog]\n"
                     "   0.00   0.00     0.000     60.00     60.000        0  outer  [prog]\n"
                     "   0.00   0.00     0.000     60.00     60.000        0  loop  [prog]\n" FOOT);
    check_table((struct stint_cpu_view){.mode = STINT_CPU_TOP_DOWN},
                HEAD "  90.00%    90.00 ms  main  [prog]\n"
                     "  60.00%    60.00 ms  | outer  [prog]\n"
                     "  60.00%    60.00 ms  | | loop  [prog]\n"
                     "  60.00%    60.00 ms  | | | add  [prog]\n"
                     "  30.00%    30.00 ms  | recurse  [prog]\n"
                     "  30.00%    30.00 ms  | | recurse  [prog]\n" FOOT);
    check_table((struct stint_cpu_view){.mode = STINT_CPU_BOTTOM_UP, .deepest = 2, .least_percent = 40},
                HEAD "  60.00%    60.00 ms  add  [prog]\n"
                     "  60.00%    60.00 ms  | loop  [prog]\n" FOOT);
}

/* ---------------------------------------------------------------------------------------------------------- exports */

static struct capture exported(enum stint_cpu_file file)
{
    static const struct stint_cpu_options all;
    struct stint_cpu_profile profile = made(&all);
    struct capture out = {0};
    assert_int_equal(stint_cpu_export(&profile, file, capture_write, &out), 0);
    stint_cpu_profile_free(&profile);
    return out;
}

static void collapsed_chains_begin_with_the_outermost_function(void **state)
{
    struct capture out = exported(STINT_CPU_COLLAPSED);
    assert_string_equal(out.text, "main;outer;loop;add 6\nmain;recurse;recurse 3\n[no room for its calls] 1\n");
    capture_free(&out);
}

/* Reads a number in varint encoding, and moves on behind it. */
static uint64_t read_varint(const uint8_t **at)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        value |= (uint64_t)(**at & 0x7f) << shift;
        if (!(*(*at)++ & 0x80))
            return value;
    }
}

/* Fields are numbers, or bytes with their length in front. */
static void pprof_has_samples_functions_and_strings(void **state)
{
    struct capture out = exported(STINT_CPU_PPROF);
    const uint8_t *at = (const uint8_t *)out.text, *end = at + out.length;
    unsigned counts[16] = {0};
    char strings[256] = "";
    uint64_t numbers[8], period = 0;
    size_t used = 0;
    while (at < end) {
        uint64_t tag = read_varint(&at), value = read_varint(&at);
        assert_in_range(tag >> 3, 1, 15);
        counts[tag >> 3]++;
        if ((tag & 7) == 0) {
            period = value;
            continue;
        }
        const uint8_t *behind = at + value;
        if (tag >> 3 == 2 && !used)
            while (at < behind) {
                (void)read_varint(&at);
                numbers[used++] = read_varint(&at);
            }
        if (tag >> 3 == 6) {
            (void)strncat(strings, (const char *)at, value);
            (void)strcat(strings, ";");
        }
        at = behind;
    }
    assert_ptr_equal(at, end);
    assert_true(counts[1] == 2 && counts[2] == 3 && counts[4] == 5 && counts[5] == 5 && counts[6] == 15);
    assert_int_equal(period, 10000000);
    static const uint64_t expected[] = {3, 4, 2, 1, 6, 60000000}; /* add, loop, outer, main; samples, time */
    assert_int_equal(used, TEST_COUNT(expected));
    assert_memory_equal(numbers, expected, sizeof expected);
    assert_string_equal(strings,
                        ";samples;count;cpu;nanoseconds;main;prog;outer;prog;add;prog;loop;prog;recurse;prog;");
    capture_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_in_the_innermost_function_and_once_in_each_around_it),
        cmocka_unit_test(only_what_ran_within_the_scope_counts),
        cmocka_unit_test(lines_of_a_function_are_told_apart),
        cmocka_unit_test(tables_are_as_recorded),
        cmocka_unit_test(collapsed_chains_begin_with_the_outermost_function),
        cmocka_unit_test(pprof_has_samples_functions_and_strings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
