#include "contexts/contexts.h"

#include <errno.h>

#include "base/process.h"
#include "record/fixture.h"
#include "record/thread.h"
#include "stint_test.h"

enum { LEAST_NS = 1000 };

static int reset(void **state)
{
    stint_os_calls_start(LEAST_NS);
    return fixture_reset(state);
}

static void call_always(uint32_t *id, const char *name, uint64_t ns, int always)
{
    struct stint_os_call call;
    stint_os_call_begin(&call);
    clock_advance(ns);
    stint_os_call_end(&call, id, name, always);
}

static void call(uint32_t *id, const char *name, uint64_t ns)
{
    call_always(id, name, ns, 0);
}

/* Returns the statistic's numbers, zero if there is none. */
static struct stint_numbers now_of_call(const char *name)
{
    struct stint_snapshot *snapshot = take();
    const struct stint_stat *stat = stint_snapshot_find(snapshot, STINT_OS_SET, name);
    struct stint_numbers numbers = {0};
    if (stat)
        numbers = stat->numbers;
    stint_snapshot_free(snapshot);
    return numbers;
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(reset, NULL)

TEST(a_call_is_timed_and_counted)
{
    uint32_t id = 0;
    call(&id, "read timed", 3000);
    call(&id, "read timed", 5000);
    assert_int_equal(now_of_call("read timed").count, 2);
    assert_int_equal(now_of_call("read timed").total_ns, 8000);
    assert_int_equal(now_of_call("read timed").self_ns, 8000);
    assert_int_equal(now_of_call("read timed").min_ns, 3000);
    check_dropped((struct stint_dropped){0});
}

TEST(a_call_shorter_than_the_threshold_is_not_recorded)
{
    uint32_t id = 0;
    call(&id, "read short", LEAST_NS - 1);
    assert_int_equal(now_of_call("read short").count, 0);
    call(&id, "read short", LEAST_NS);
    assert_int_equal(now_of_call("read short").count, 1);
    call(&id, "read short", 2 * LEAST_NS);
    assert_int_equal(now_of_call("read short").count, 2);
    stint_os_calls_start(LEAST_NS);
    clock_set_ns_per_tick(0.25);
    call(&id, "read short", 2 * LEAST_NS);
    call(&id, "read short", 2 * LEAST_NS);
    assert_int_equal(now_of_call("read short").count, 2);
    check_dropped((struct stint_dropped){0});
}

TEST(a_call_that_is_always_worth_recording_may_be_short)
{
    uint32_t id = 0;
    call_always(&id, "lock", 1, 1);
    assert_int_equal(now_of_call("lock").count, 1);
    assert_int_equal(now_of_call("lock").total_ns, 1);
}

TEST(a_call_is_no_part_of_the_self_time_of_the_scope_around_it)
{
    struct stint_i_node *node = enter("around a wait");
    uint32_t id = 0;
    clock_advance(5);
    call(&id, "read below", 3000);
    call(&id, "read below", 10); /* too short: it is the scope's own time */
    stint_i_leave(node);
    assert_int_equal(now_of("around a wait").total_ns, 3015);
    assert_int_equal(now_of("around a wait").self_ns, 15);
}

TEST(scopes_of_a_handler_that_ran_meanwhile_are_not_taken_off_twice)
{
    struct stint_i_node *node = enter("around a wait with a handler");
    struct stint_os_call wait;
    uint32_t id = 0;
    stint_os_call_begin(&wait);
    clock_advance(1000);
    run("in the handler", 500);
    clock_advance(1000);
    stint_os_call_end(&wait, &id, "pause", 0);
    clock_advance(7);
    stint_i_leave(node);
    assert_int_equal(now_of_call("pause").total_ns, 2500);
    assert_int_equal(now_of_call("pause").self_ns, 2000);
    assert_int_equal(now_of("around a wait with a handler").self_ns, 7);
}

TEST(a_call_that_never_returns_leaves_nothing)
{
    struct stint_i_node *node = enter("around what never returns");
    struct stint_os_call wait;
    stint_os_call_begin(&wait);
    clock_advance(1000);
    assert_int_equal(stint_i_leave(node), 1000);
    check_dropped((struct stint_dropped){0});
    assert_int_equal(now_of("around what never returns").self_ns, 1000);
}

TEST(a_call_amid_which_the_scope_around_it_began_anew_counts_in_full)
{
    struct stint_os_call wait;
    struct stint_i_node *node = enter("left within a wait");
    uint32_t id = 0;
    clock_advance(3);
    stint_os_call_begin(&wait);
    stint_i_leave(node);
    node = enter("left within a wait");
    clock_advance(2000);
    stint_os_call_end(&wait, &id, "sigsuspend", 0);
    stint_i_leave(node);
    assert_int_equal(now_of_call("sigsuspend").total_ns, 2000);
    assert_int_equal(now_of("left within a wait").self_ns, 3);
}

TEST(calls_of_stint_itself_are_not_recorded)
{
    uint32_t id = 0;
    int before = stint_own_work_begin();
    call(&id, "write own", 3000);
    stint_own_work_end(before);
    assert_true(stint_guard_begin());
    call(&id, "write own", 3000);
    stint_guard_end();
    assert_int_equal(now_of_call("write own").count, 0);
    check_dropped((struct stint_dropped){0});
}

TEST(a_call_made_while_recording_is_off_is_not_recorded)
{
    struct stint_os_call wait;
    uint32_t id = 0;
    stint_registry_set_enabled(0);
    call(&id, "read off", 3000);
    stint_os_call_begin(&wait);
    stint_registry_set_enabled(1);
    clock_advance(2000);
    if (wait.start)
        stint_os_call_end(&wait, &id, "read off", 0);
    assert_int_equal(now_of_call("read off").count, 0);
}

TEST(a_call_amid_which_all_is_reset_is_not_recorded)
{
    struct stint_os_call wait;
    uint32_t id = 0;
    stint_os_call_begin(&wait);
    clock_advance(2000);
    reset_set(NULL, STINT_RESET_ALL);
    clock_advance(2000);
    stint_os_call_end(&wait, &id, "read reset", 0);
    assert_int_equal(now_of_call("read reset").count, 0);
}

TEST(errno_stays)
{
    uint32_t id = 0;
    errno = EINTR;
    call(&id, "read errno", 3000);
    assert_int_equal(errno, EINTR);
}

static void *call_first(void *argument)
{
    uint32_t id = 0;
    call(&id, argument, 9000);
    return NULL;
}

TEST(the_first_that_a_thread_does_may_be_a_call)
{
    in_thread(call_first, "read first");
    assert_int_equal(now_of_call("read first").total_ns, 9000);
}
