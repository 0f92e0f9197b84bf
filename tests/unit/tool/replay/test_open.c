#include "replay/open.h"

#include "failing_arena.h"
#include "stint_test.h"

/* What was told, context by context. */
static uint64_t s_spent[8];

static void spent(void *caller, const struct stint_open_thread *thread, const struct stint_open *open, uint64_t ns)
{
    s_spent[open->context] += ns;
}

static struct stint_open_threads s_threads;

static int set_up(void **state)
{
    s_threads = (struct stint_open_threads){.spent = spent};
    for (size_t i = 0; i < TEST_COUNT(s_spent); i++)
        s_spent[i] = 0;
    return 0;
}

static int clean_up(void **state)
{
    stint_open_free(&s_threads);
    return 0;
}

static struct stint_open *push(int64_t tid, uint64_t start_ns, uint64_t end_ns, size_t context)
{
    struct stint_open_thread *thread = stint_open_at(&s_threads, 1, tid, start_ns);
    struct stint_open *open = stint_open_push(&s_threads, thread, end_ns);
    if (open)
        open->context = context;
    return open;
}

static size_t innermost(int64_t tid, uint64_t ns)
{
    const struct stint_open *open = stint_open_scope(stint_open_at(&s_threads, 1, tid, ns));
    return open ? open->context : 99;
}

TEST_SETUP_TEARDOWN(the_innermost_is_the_one_that_began_last_and_has_not_ended, set_up, clean_up)
{
    push(1, 10, 100, 0);
    push(1, 20, 50, 1);
    assert_int_equal(innermost(1, 49), 1);
    assert_int_equal(innermost(1, 50), 0);
    assert_int_equal(innermost(1, 100), 99);
}

TEST_SETUP_TEARDOWN(every_moment_is_told_once, set_up, clean_up)
{
    push(1, 10, 100, 0);
    push(1, 20, 50, 1);
    push(1, 60, 70, 2);
    stint_open_finish(&s_threads);
    assert_int_equal(s_spent[0], 90 - 30 - 10);
    assert_int_equal(s_spent[1], 30);
    assert_int_equal(s_spent[2], 10);
}

TEST_SETUP_TEARDOWN(what_overlaps_goes_on_when_the_one_around_it_ends, set_up, clean_up)
{
    push(1, 10, 40, 0);
    push(1, 20, 60, 1);
    assert_int_equal(innermost(1, 45), 1);
    push(1, 50, 55, 2);
    stint_open_finish(&s_threads);
    assert_int_equal(s_spent[0], 10);
    assert_int_equal(s_spent[1], 40 - 5);
    assert_int_equal(s_spent[2], 5);
}

TEST_SETUP_TEARDOWN(threads_know_nothing_of_each_other, set_up, clean_up)
{
    push(1, 10, 100, 0);
    push(2, 20, 30, 1);
    assert_int_equal(innermost(1, 25), 0);
    assert_int_equal(innermost(2, 25), 1);
    stint_open_finish(&s_threads);
    assert_int_equal(s_spent[0], 90);
}

TEST_SETUP_TEARDOWN(calls_are_no_scopes, set_up, clean_up)
{
    push(1, 10, 100, 0);
    push(1, 20, 50, 1)->is_call = 1;
    assert_int_equal(innermost(1, 30), 0);
    assert_true(stint_open_in_call(stint_open_at(&s_threads, 1, 1, 30)));
    assert_false(stint_open_in_call(stint_open_at(&s_threads, 1, 1, 50)));
}

TEST_SETUP_TEARDOWN(what_overlaps_is_told_to_have_moved, set_up, clean_up)
{
    push(1, 10, 40, 0);
    push(1, 20, 60, 1);
    assert_false(stint_open_at(&s_threads, 1, 1, 39)->has_moved);
    assert_true(stint_open_at(&s_threads, 1, 1, 40)->has_moved);
    assert_int_equal(stint_open_at(&s_threads, 1, 1, 40)->open.count, 1);
}

TEST_SETUP_TEARDOWN(there_is_a_most_that_are_open, set_up, clean_up)
{
    for (uint64_t i = 0; i < STINT_OPEN_MOST; i++)
        assert_non_null(push(1, i, 1 << 20, 0));
    assert_int_equal(s_threads.too_deep, 0);
    assert_null(push(1, STINT_OPEN_MOST, 1 << 20, 0));
    assert_int_equal(s_threads.too_deep, 1);
    assert_false(s_threads.failed);
}

TEST_SETUP_TEARDOWN(without_memory_nothing_is_open, set_up, clean_up)
{
    s_fails_at = s_calls;
    assert_null(stint_open_at(&s_threads, 1, 1, 0));
    assert_true(s_threads.failed);
    s_threads.failed = 0;
    struct stint_open_thread *thread = stint_open_at(&s_threads, 1, 1, 0);
    s_fails_at = s_calls;
    assert_null(stint_open_push(&s_threads, thread, 10));
    assert_true(s_threads.failed);
    assert_int_equal(s_threads.too_deep, 0);
}

/* -------------------------------------------------------------------------------------------------------- launches */

static struct stint_launches s_launches;

static int free_launches(void **state)
{
    stint_launches_free(&s_launches);
    s_launches = (struct stint_launches){0};
    return 0;
}

TEST_TEARDOWN(a_launch_is_found_by_process_and_correlation, free_launches)
{
    assert_int_equal(stint_launches_put(&s_launches, 1, 7, 70), 0);
    assert_int_equal(stint_launches_put(&s_launches, 2, 7, 71), 0);
    assert_int_equal(stint_launches_find(&s_launches, 1, 7), 70);
    assert_int_equal(stint_launches_find(&s_launches, 2, 7), 71);
}

TEST_TEARDOWN(a_launch_may_be_asked_for_often, free_launches)
{
    assert_int_equal(stint_launches_put(&s_launches, 1, 7, 70), 0);
    assert_int_equal(stint_launches_find(&s_launches, 1, 7), 70);
    assert_int_equal(stint_launches_find(&s_launches, 1, 7), 70);
}

TEST_TEARDOWN(what_was_not_seen_is_unattributed, free_launches)
{
    assert_true(stint_launches_find(&s_launches, 1, 7) == STINT_GPU_UNATTRIBUTED);
    assert_int_equal(stint_launches_put(&s_launches, 1, 7, 70), 0);
    assert_true(stint_launches_find(&s_launches, 1, 8) == STINT_GPU_UNATTRIBUTED);
}

TEST_TEARDOWN(correlation_0_is_none, free_launches)
{
    assert_int_equal(stint_launches_put(&s_launches, 1, 0, 70), 0);
    assert_true(stint_launches_find(&s_launches, 1, 0) == STINT_GPU_UNATTRIBUTED);
}

TEST_TEARDOWN(the_oldest_are_forgotten, free_launches)
{
    for (uint64_t i = 1; i <= STINT_LAUNCHES + 1; i++)
        assert_int_equal(stint_launches_put(&s_launches, 1, i, (size_t)i), 0);
    assert_true(stint_launches_find(&s_launches, 1, 1) == STINT_GPU_UNATTRIBUTED);
    assert_int_equal(stint_launches_find(&s_launches, 1, 2), 2);
}
