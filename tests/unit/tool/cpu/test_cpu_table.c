#include "cpu/cpu_profile.h"

#include "cpu/cpu_fixture.h"
#include "report/golden.h"
#include "stint_test.h"

static void check_table(struct stint_cpu_view view, const char *expected)
{
    static const struct stint_cpu_options all;
    static const struct stint_layout layout;
    struct stint_cpu_profile profile = cpu_fixture(&all);
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    assert_int_equal(stint_cpu_table_put(&profile, &view, &layout, &text), 0);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, expected);
    stint_cpu_profile_free(&profile);
}

#define HEAD "100.0 ms of CPU time in 10 samples, 100 a second, 1 thread\n\n"
#define FOOT "1 sample for which there was no more room: they count in a caller, or nowhere\n"

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
