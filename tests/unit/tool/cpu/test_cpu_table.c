#include "cpu/cpu_profile.h"

#include <string.h>

#include "cpu/cpu_fixture.h"
#include "report/golden.h"
#include "stint_test.h"

static void check_screen(struct stint_cpu_view view, unsigned columns, const char *expected)
{
    static const struct stint_cpu_options all;
    const struct stint_layout layout = {.columns = columns};
    struct stint_cpu_profile profile = cpu_fixture(&all);
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    assert_int_equal(stint_cpu_table_put(&profile, &view, &layout, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, expected);
    stint_cpu_profile_free(&profile);
}

static void check_table(struct stint_cpu_view view, const char *expected)
{
    check_screen(view, 0, expected);
}

#define HEAD "100.0 ms of CPU time in 10 samples, 100 per second, 1 thread\n\n"
#define FOOT "1 sample for which there was no room: counted in a caller, or nowhere\n"

TEST(tables_are_as_recorded)
{
    check_table((struct stint_cpu_view){.mode = STINT_CPU_FLAT},
                HEAD "Self(%)     +-  Self(ms)  Total(%)  Total(ms)  Samples  Function\n"
                     "  60.00  30.36    60.000     60.00     60.000        6  add  [prog]\n"
                     "   0.00   0.00     0.000     60.00     60.000        0  loop  [prog]\n"
                     "  30.00  28.40    30.000     30.00     30.000        3  recurse  [prog]\n"
                     "   0.00   0.00     0.000     90.00     90.000        0  main  [prog]\n"
                     "   0.00   0.00     0.000     60.00     60.000        0  outer  [prog]\n" FOOT);
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

TEST(title_of_a_brief_table_fits_the_screen)
{
    check_screen((struct stint_cpu_view){.mode = STINT_CPU_FLAT, .is_brief = 1}, 80,
                 "Self(%)  Self(ms)  Total(%)  Functions (10 samples of 100.0 ms of CPU time)\n"
                 "  60.00    60.000     60.00  add  [prog]\n"
                 "  30.00    30.000     30.00  recurse  [prog]\n"
                 "   0.00     0.000     60.00  loop  [prog]\n" FOOT);
}

/* The table of samples of which so many are in code without names, that is in no file or in one, in Python's loop, and
 * elsewhere. */
static const char *table_of(size_t file, uint64_t nameless, uint64_t loop, uint64_t others)
{
    static const struct stint_cpu_options all;
    static const struct stint_layout layout;
    static const struct stint_sample_module modules[] = {{.path = "", .build_id = ""}, {.path = "a", .build_id = ""}};
    const struct stint_sample_frame frames[] = {{file, 50}, {1, 60}, {1, 10}};
    static const struct stint_sample_stack stacks[] = {
        {STINT_SAMPLE_NO_STACK, 0}, {STINT_SAMPLE_NO_STACK, 1}, {STINT_SAMPLE_NO_STACK, 2}};
    static struct capture out;
    const struct stint_sample_count counts[] = {{0, STINT_GPU_NO_SCOPE, 0, nameless, nameless},
                                                {0, STINT_GPU_NO_SCOPE, 1, loop, loop},
                                                {0, STINT_GPU_NO_SCOPE, 2, others, others}};
    const struct stint_snapshot snapshot = {
        .sampling = {.sampled = 1},
        .sample_modules = modules,
        .sample_module_count = 2,
        .sample_frames = frames,
        .sample_frame_count = 3,
        .sample_stacks = stacks,
        .sample_stack_count = 3,
        .sample_counts = counts,
        .sample_count_count = 3,
    };
    struct stint_cpu_profile profile;
    struct stint_text text;
    out = (struct capture){0};
    stint_text_begin(&text, capture_write, &out);
    assert_int_equal(stint_cpu_profile_make(&profile, &snapshot, &all), 0);
    assert_int_equal(stint_cpu_table_put(&profile, &(struct stint_cpu_view){0}, &layout, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    stint_cpu_profile_free(&profile);
    return out.text;
}

TEST(line_says_what_gives_names_where_much_has_none)
{
    const char *text = table_of(0, 5, 5, 90);
    assert_non_null(strstr(text, "  JIT code, 1 place\n"));
    assert_null(strstr(text, "has no symbols"));
    assert_non_null(strstr(text, "\nJIT code has names with: node --perf-basic-prof, java "));
    assert_non_null(strstr(text, "\nPython functions could not be read: stint supports CPython 3.9 to 3.13\n"));
    text = table_of(0, 4, 4, 92);
    assert_null(strstr(text, "has names with"));
    assert_null(strstr(text, "could not be read"));
    text = table_of(1, 5, 0, 95);
    assert_non_null(strstr(text, "  a (no symbols), 1 place\n"));
    assert_non_null(strstr(text, "\nmuch of a has no symbols: "));
    assert_null(strstr(text, "JIT code"));
}
