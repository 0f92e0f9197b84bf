#include "base/threads.h"

#include <time.h>

#include "stint_test.h"

static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER;
static int s_pauses;
static int s_free_after; /* pauses */

int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);

int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
    (void)rest;
    assert_true(time->tv_sec == 0 && time->tv_nsec > 0);
    if (++s_pauses == s_free_after)
        pthread_mutex_unlock(&s_lock);
    return 0;
}

static void a_free_lock_is_taken_at_once(void **state)
{
    for (int emergency = 0; emergency <= 1; ++emergency) {
        s_pauses = 0;
        assert_int_equal(stint_lock_for(&s_lock, emergency), 1);
        assert_int_not_equal(pthread_mutex_trylock(&s_lock), 0);
        pthread_mutex_unlock(&s_lock);
        assert_int_equal(s_pauses, 0);
    }
}

static void in_an_emergency_a_lock_that_stays_taken_is_left_alone(void **state)
{
    s_pauses = s_free_after = 0;
    pthread_mutex_lock(&s_lock);
    assert_int_equal(stint_lock_for(&s_lock, 1), 0);
    assert_in_range(s_pauses, 10, 1000);
    pthread_mutex_unlock(&s_lock);
}

static void in_an_emergency_a_lock_is_waited_for_a_moment(void **state)
{
    s_pauses = 0;
    s_free_after = 3;
    pthread_mutex_lock(&s_lock);
    assert_int_equal(stint_lock_for(&s_lock, 1), 1);
    assert_int_equal(s_pauses, 3);
    assert_int_not_equal(pthread_mutex_trylock(&s_lock), 0);
    pthread_mutex_unlock(&s_lock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_lock_is_taken_at_once),
        cmocka_unit_test(in_an_emergency_a_lock_that_stays_taken_is_left_alone),
        cmocka_unit_test(in_an_emergency_a_lock_is_waited_for_a_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
