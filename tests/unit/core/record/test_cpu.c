#include "record/thread.h"

#include <time.h>

#include "contexts/contexts.h"
#include "record/fixture.h"
#include "stint_test.h"

/* ------------------------------------------------------------------------------------------------------ CPU time */

static uint64_t s_cpu_ns;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __real_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    if (clock != CLOCK_THREAD_CPUTIME_ID)
        return __real_clock_gettime(clock, time);
    *time = (struct timespec){(time_t)(s_cpu_ns / 1000000000), (long)(s_cpu_ns % 1000000000)};
    return 0;
}

static void work(uint64_t ns)
{
    clock_advance(ns);
    s_cpu_ns += ns;
}

static void wait(uint64_t ns)
{
    clock_advance(ns);
}

static int setup(void **state)
{
    s_cpu_ns = UINT64_C(5000000000);
    stint_cpu_start();
    return fixture_reset(state);
}

/* ----------------------------------------------------------------------------------------------------------- tests */

TEST_ONCE(fixture_start, NULL)
TEST_EACH(setup, NULL)

TEST(waiting_is_not_in_the_cpu_time)
{
    struct stint_i_node *outer = enter("outer"), *inner;
    work(100);
    for (int i = 0; i < 2; ++i) {
        inner = enter("inner");
        wait(1000);
        work(7);
        stint_i_leave(inner);
    }
    stint_i_leave(outer);
    assert_int_equal(now_of("outer").total_ns, 2114);
    assert_int_equal(now_of("outer").cpu_ns, 114);
    assert_int_equal(now_of("inner").total_ns, 2014);
    assert_int_equal(now_of("inner").cpu_ns, 14);
    assert_int_equal(now_at("outer/inner").cpu_ns, 14);
}

TEST(nested_activations_of_a_name_count_once)
{
    struct stint_i_node *outer = enter("again"), *inner = enter("again");
    work(30);
    stint_i_leave(inner);
    stint_i_leave(outer);
    assert_int_equal(now_of("again").cpu_ns, 30);
    assert_int_equal(now_at("again/again").cpu_ns, 30);
}

TEST(it_is_never_more_than_the_time_that_passed)
{
    struct stint_i_node *scope = enter("reset while it runs");
    work(500);
    reset_set(NULL, STINT_RESET_ALL);
    work(20);
    stint_i_leave(scope);
    assert_int_equal(now_of("reset while it runs").total_ns, 20);
    assert_int_equal(now_of("reset while it runs").cpu_ns, 20);
}

TEST(reset_forgets_it)
{
    struct stint_i_node *scope = enter("forgets");
    work(500);
    stint_i_leave(scope);
    reset_set(NULL, STINT_RESET_ALL);
    scope = enter("forgets");
    work(3);
    wait(1000);
    stint_i_leave(scope);
    assert_int_equal(now_of("forgets").cpu_ns, 3);
}

static void *work_elsewhere(void *unused)
{
    struct stint_i_node *scope = enter("on two threads");
    work(40);
    wait(10);
    stint_i_leave(scope);
    return unused;
}

TEST(threads_add_up_also_after_they_have_exited)
{
    in_thread(work_elsewhere, NULL);
    work_elsewhere(NULL);
    assert_int_equal(now_of("on two threads").cpu_ns, 80);
    assert_int_equal(now_of("on two threads").total_ns, 100);
}

TEST(child_of_a_fork_counts_from_the_fork)
{
    struct stint_i_node *scope = enter("forks");
    work(50);
    s_cpu_ns = 6; /* as if this were the child */
    stint_i_leave(scope);
    assert_int_equal(now_of("forks").cpu_ns, 6);
}

TEST(adopted_work_has_it_too)
{
    struct stint_i_node *scope = enter("hands over"), *node;
    uint32_t path = stint_path_current();
    stint_i_leave(scope);
    assert_int_equal(stint_adopt_enter(path, &node), STINT_OK);
    work(11);
    wait(100);
    stint_adopt_leave(node);
    assert_int_equal(now_at("hands over/(other threads)").cpu_ns, 11);
}
