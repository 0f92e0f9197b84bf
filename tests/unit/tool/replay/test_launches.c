#include "replay/launches.h"

#include "stint_test.h"

static struct stint_launches s_launches;

static int clean_up(void **state)
{
    (void)state;
    stint_launches_free(&s_launches);
    s_launches = (struct stint_launches){0};
    return 0;
}

static void a_launch_is_found_by_process_and_correlation(void **state)
{
    (void)state;
    assert_int_equal(stint_launches_put(&s_launches, 1, 7, 70), 0);
    assert_int_equal(stint_launches_put(&s_launches, 2, 7, 71), 0);
    assert_int_equal(stint_launches_find(&s_launches, 1, 7), 70);
    assert_int_equal(stint_launches_find(&s_launches, 2, 7), 71);
}

static void a_launch_may_be_asked_for_often(void **state)
{
    (void)state;
    assert_int_equal(stint_launches_put(&s_launches, 1, 7, 70), 0);
    assert_int_equal(stint_launches_find(&s_launches, 1, 7), 70);
    assert_int_equal(stint_launches_find(&s_launches, 1, 7), 70);
}

static void what_was_not_seen_is_unattributed(void **state)
{
    (void)state;
    assert_true(stint_launches_find(&s_launches, 1, 7) == STINT_GPU_UNATTRIBUTED);
    assert_int_equal(stint_launches_put(&s_launches, 1, 7, 70), 0);
    assert_true(stint_launches_find(&s_launches, 1, 8) == STINT_GPU_UNATTRIBUTED);
}

static void correlation_0_is_none(void **state)
{
    (void)state;
    assert_int_equal(stint_launches_put(&s_launches, 1, 0, 70), 0);
    assert_true(stint_launches_find(&s_launches, 1, 0) == STINT_GPU_UNATTRIBUTED);
}

static void the_oldest_are_forgotten(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= STINT_LAUNCHES + 1; i++)
        assert_int_equal(stint_launches_put(&s_launches, 1, i, (size_t)i), 0);
    assert_true(stint_launches_find(&s_launches, 1, 1) == STINT_GPU_UNATTRIBUTED);
    assert_int_equal(stint_launches_find(&s_launches, 1, 2), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_launch_is_found_by_process_and_correlation, clean_up),
        cmocka_unit_test_teardown(a_launch_may_be_asked_for_often, clean_up),
        cmocka_unit_test_teardown(what_was_not_seen_is_unattributed, clean_up),
        cmocka_unit_test_teardown(correlation_0_is_none, clean_up),
        cmocka_unit_test_teardown(the_oldest_are_forgotten, clean_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
