/* The program calls the pthread_create of these objects; what becomes of tasks is only counted. */
#include <pthread.h>
#include <signal.h>

#include "sample/sampling.h"
#include "stint_test.h"

static int s_is_on, s_begins, s_adds, s_removes;

int __wrap_stint_sampler_is_on(void)
{
    return s_is_on;
}

void __wrap_stint_sampler_thread_begins(void);
void __wrap_stint_sampler_thread_begins(void)
{
    s_begins++;
}

void __wrap_stint_tasks_add_self(int at_birth);
void __wrap_stint_tasks_add_self(int at_birth)
{
    __atomic_add_fetch(&s_adds, at_birth, __ATOMIC_RELAXED);
}

void __wrap_stint_tasks_remove_self(void);
void __wrap_stint_tasks_remove_self(void)
{
    __atomic_add_fetch(&s_removes, 1, __ATOMIC_RELAXED);
}

int __wrap_stint_timer_signal(void)
{
    return SIGRTMAX;
}

static void *twice(void *number)
{
    return (void *)(2 * (uintptr_t)number);
}

static void run_threads(uintptr_t count)
{
    for (uintptr_t i = 1; i <= count; i++) {
        pthread_t thread;
        void *result;
        assert_int_equal(pthread_create(&thread, NULL, twice, (void *)i), 0);
        assert_int_equal(pthread_join(thread, &result), 0);
        assert_int_equal((uintptr_t)result, 2 * i);
    }
}

TEST(threads_are_seen_as_they_begin)
{
    assert_true(stint_sampler_sees_threads());
}

TEST(without_samples_threads_are_left_alone)
{
    run_threads(3);
    assert_int_equal(s_begins + s_adds + __atomic_load_n(&s_removes, __ATOMIC_RELAXED), 0);
}

/* As those of stint's are. */
TEST(thread_that_takes_no_signals_is_no_task)
{
    sigset_t all, before;
    s_is_on = 1;
    sigfillset(&all);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &all, &before), 0);
    run_threads(1);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
    assert_int_equal(s_begins, 1);
    assert_int_equal(s_adds + __atomic_load_n(&s_removes, __ATOMIC_RELAXED), 0);
    s_begins = 0;
}

/* More of them than there is room for at a time. */
TEST(each_thread_is_a_task_from_its_beginning_to_its_end)
{
    s_is_on = 1;
    run_threads(200);
    assert_int_equal(s_begins, 200);
    assert_int_equal(s_adds, 200);
    assert_int_equal(__atomic_load_n(&s_removes, __ATOMIC_RELAXED), 200); /* ThreadSanitizer thinks these threads run */
}
