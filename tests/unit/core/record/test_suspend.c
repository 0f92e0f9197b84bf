#include "record/suspend.h"

#include "record/part.h"
#include "record/registry.h"
#include "stint_test.h"

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
    stint_resume();
    s_changes = s_due = 0;
    return 0;
}

TEST_EACH(begin, NULL)

TEST(test_recording_is_on_where_no_reason_is_left)
{
    assert_true(stint_registry_enabled());
    stint_suspend(FIRST, 1);
    stint_suspend(SECOND, 1);
    assert_false(stint_registry_enabled());
    stint_suspend(FIRST, 0);
    assert_false(stint_registry_enabled());
    stint_suspend(SECOND, 0);
    assert_true(stint_registry_enabled());
}

TEST(test_programs_own_switch_does_not_hold_gpu_activity)
{
    stint_suspend(STINT_SUSPENDED_PROGRAM, 1);
    assert_false(stint_registry_enabled());
    assert_false(stint_is_suspended());
    stint_suspend(FIRST, 1);
    assert_true(stint_is_suspended());
}

TEST(test_changes_that_switch_are_told)
{
    stint_suspend(FIRST, 1);
    assert_int_equal(s_changes, 1);
    stint_suspend(FIRST, 1);
    stint_suspend(SECOND, 1);
    stint_suspend(SECOND, 0);
    assert_int_equal(s_changes, 1);
    stint_suspend(FIRST, 0);
    assert_int_equal(s_changes, 2);
}

TEST(test_all_reasons_go_at_once)
{
    stint_suspend(STINT_SUSPENDED_PROGRAM, 1);
    stint_suspend(FIRST, 1);
    stint_resume();
    assert_true(stint_registry_enabled());
    assert_false(stint_is_suspended());
}

/* Last: from then on it does. */
TEST(test_program_decides_only_where_it_is_followed)
{
    stint_suspend_tell(0);
    assert_true(stint_registry_enabled());
    stint_suspend_follow();
    assert_false(stint_registry_enabled());
    stint_suspend_tell(1);
    assert_true(stint_registry_enabled());
    stint_suspend_tell(0);
    assert_false(stint_registry_enabled());
}

TEST(test_what_is_due_is_done_once)
{
    stint_suspend_check_due();
    stint_suspend_make_due();
    stint_suspend_check_due();
    stint_suspend_check_due();
    assert_int_equal(s_due, 1);
}
