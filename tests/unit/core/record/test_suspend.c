#include "record/suspend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "record/part.h"
#include "record/registry.h"

enum { FIRST = STINT_SUSPENDED_RANGE, SECOND = STINT_SUSPENDED_DELAY };

static int s_changes, s_due;

static void count_change(void)
{
    ++s_changes;
}

static void count_due(int in_child)
{
    assert_true(in_child);
    ++s_due;
}

STINT_PART(test) = {.name = "test", .run = count_due, .at[STINT_AT_SWITCH] = count_change};

static int begin(void **state)
{
    (void)state;
    stint_resume();
    s_changes = s_due = 0;
    return 0;
}

static void test_recording_is_on_where_no_reason_is_left(void **state)
{
    (void)state;
    assert_true(stint_registry_enabled());
    stint_suspend(FIRST, 1);
    stint_suspend(SECOND, 1);
    assert_false(stint_registry_enabled());
    stint_suspend(FIRST, 0);
    assert_false(stint_registry_enabled());
    stint_suspend(SECOND, 0);
    assert_true(stint_registry_enabled());
}

static void test_programs_own_switch_does_not_hold_gpu_activity(void **state)
{
    (void)state;
    stint_suspend(STINT_SUSPENDED_PROGRAM, 1);
    assert_false(stint_registry_enabled());
    assert_false(stint_is_suspended());
    stint_suspend(FIRST, 1);
    assert_true(stint_is_suspended());
}

static void test_changes_that_switch_are_told(void **state)
{
    (void)state;
    stint_suspend(FIRST, 1);
    assert_int_equal(s_changes, 1);
    stint_suspend(FIRST, 1);
    stint_suspend(SECOND, 1);
    stint_suspend(SECOND, 0);
    assert_int_equal(s_changes, 1);
    stint_suspend(FIRST, 0);
    assert_int_equal(s_changes, 2);
}

static void test_all_reasons_go_at_once(void **state)
{
    (void)state;
    stint_suspend(STINT_SUSPENDED_PROGRAM, 1);
    stint_suspend(FIRST, 1);
    stint_resume();
    assert_true(stint_registry_enabled());
    assert_false(stint_is_suspended());
}

/* Last: from then on it does. */
static void test_program_decides_only_where_it_is_followed(void **state)
{
    (void)state;
    stint_suspend_tell(0);
    assert_true(stint_registry_enabled());
    stint_suspend_follow();
    assert_false(stint_registry_enabled());
    stint_suspend_tell(1);
    assert_true(stint_registry_enabled());
    stint_suspend_tell(0);
    assert_false(stint_registry_enabled());
}

static void test_what_is_due_is_done_once(void **state)
{
    (void)state;
    stint_suspend_check_due();
    stint_suspend_make_due();
    stint_suspend_check_due();
    stint_suspend_check_due();
    assert_int_equal(s_due, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_recording_is_on_where_no_reason_is_left, begin),
        cmocka_unit_test_setup(test_programs_own_switch_does_not_hold_gpu_activity, begin),
        cmocka_unit_test_setup(test_changes_that_switch_are_told, begin),
        cmocka_unit_test_setup(test_all_reasons_go_at_once, begin),
        cmocka_unit_test_setup(test_what_is_due_is_done_once, begin),
        cmocka_unit_test_setup(test_program_decides_only_where_it_is_followed, begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
