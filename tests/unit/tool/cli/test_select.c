/* Options that choose rows and how they are shown. */
#include "cli/select.h"

#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "report/fixture.h"
#include "stint_test.h"

static struct stint_select s_select;

static int read_select(int option, const char *text)
{
    captured_output_begin();
    int failed = stint_select_read(&s_select, option, text);
    captured_output_end();
    return failed;
}

static int begin(void **state)
{
    (void)state;
    s_select = (struct stint_select){.quiet = 0};
    return 0;
}

static void values_reach_the_layout(void **state)
{
    const struct stint_layout screen = {.columns = 100, .color = 1, .top = 7};
    (void)state;
    assert_int_equal(read_select(STINT_SELECT_UNIT, "us"), 0);
    assert_int_equal(read_select(STINT_SELECT_SORT, "self"), 0);
    assert_int_equal(read_select(STINT_SELECT_TOP, "3"), 0);
    assert_int_equal(read_select(STINT_SELECT_MIN_PERCENT, "2.5"), 0);
    struct stint_layout layout = stint_select_layout(&s_select, &screen);
    assert_true(layout.columns == 100 && layout.color == 1);
    assert_true(layout.unit == STINT_UNIT_US && layout.sort == STINT_SORT_SELF && layout.top == 3);
    assert_true(layout.min_percent > 2.4 && layout.min_percent < 2.6);
    assert_int_equal(read_select(STINT_SELECT_TOP, "0"), 0);
    assert_int_equal(s_select.layout.top, STINT_TOP_ALL);
}

static void mistakes_are_told(void **state)
{
    static const struct {
        int option;
        const char *text, *said;
    } mistakes[] = {
        {STINT_SELECT_UNIT, "h", "stint: --unit h: expected one of auto, col, s, ms, us, ns\n"},
        {STINT_SELECT_SORT, "size",
         "stint: --sort size: expected one of total, calls, avg, min, max, self, name, cpu\n"},
        {STINT_SELECT_TOP, "-1", "stint: --top -1: expected a number from 0 to 2147483647\n"},
        {STINT_SELECT_MIN_PERCENT, "x", "stint: --min-percent x: expected a number from 0 to 100\n"},
        {STINT_SELECT_INCLUDE, "", "stint: --include: expected a pattern, such as 'gemm*'\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_int_equal(read_select(mistakes[i].option, mistakes[i].text), -1);
        assert_string_equal(captured_output.err, mistakes[i].said);
    }
}

static void there_is_room_for_so_many_patterns(void **state)
{
    (void)state;
    for (int i = 0; i < STINT_FILTER_MOST; i++)
        assert_int_equal(read_select(STINT_SELECT_EXCLUDE, "x"), 0);
    assert_int_equal(read_select(STINT_SELECT_EXCLUDE, "one-more"), -1);
    assert_non_null(strstr(captured_output.err, "--exclude one-more: there are more than"));
}

static const struct stint_snapshot *apply(const struct stint_snapshot *snapshot)
{
    captured_output_begin();
    const struct stint_snapshot *kept = stint_select_apply(&s_select, snapshot);
    captured_output_end();
    return kept;
}

static void what_is_left_out_is_said(void **state)
{
    const struct stint_snapshot *all = fixture_training();
    (void)state;
    assert_ptr_equal(apply(all), all);
    assert_string_equal(captured_output.err, "");
    assert_int_equal(read_select(STINT_SELECT_INCLUDE, "ForwardTimer"), 0);
    struct stint_snapshot *kept = (struct stint_snapshot *)apply(all);
    assert_ptr_not_equal(kept, all);
    assert_int_equal(kept->stat_count, 1);
    assert_non_null(strstr(captured_output.err, "stint: --include, --exclude: left out of process "));
    assert_non_null(strstr(captured_output.err, " scopes and ranges ("));
    stint_snapshot_free(kept);
    s_select.quiet = 1;
    kept = (struct stint_snapshot *)apply(all);
    assert_string_equal(captured_output.err, "");
    stint_snapshot_free(kept);
}

static void a_pattern_that_leaves_out_nothing_is_said_to(void **state)
{
    (void)state;
    assert_int_equal(read_select(STINT_SELECT_EXCLUDE, "nowhere"), 0);
    stint_snapshot_free((struct stint_snapshot *)apply(fixture_training()));
    assert_non_null(strstr(captured_output.err, "--include, --exclude: nothing is left out of process "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(values_reach_the_layout, begin),
        cmocka_unit_test_setup(mistakes_are_told, begin),
        cmocka_unit_test_setup(there_is_room_for_so_many_patterns, begin),
        cmocka_unit_test_setup(what_is_left_out_is_said, begin),
        cmocka_unit_test_setup(a_pattern_that_leaves_out_nothing_is_said_to, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
