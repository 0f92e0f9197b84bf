#include <unistd.h>

#include "gpu/collector.h"
#include "stint_test.h"

#define LONG_NS UINT64_C(60000000000)

static int s_finished, s_looks, s_was_self;

static void look(void)
{
    __atomic_add_fetch(&s_looks, 1, __ATOMIC_RELAXED);
}

static void finish(void)
{
    s_was_self = stint_finisher_is_self();
    __atomic_add_fetch(&s_finished, 1, __ATOMIC_RELAXED);
}

TEST(a_flag_is_waited_for_up_to_the_limit)
{
    int flag = 1;
    assert_int_equal(stint_wait_for_flag(&flag, 0), 0);
    flag = 0;
    assert_int_equal(stint_wait_for_flag(&flag, 1000), -1);
}

TEST(without_a_driver_no_device_is_waited_for)
{
    assert_int_equal(stint_wait_for_devices(LONG_NS), 0);
}

TEST(it_looks_until_it_is_asked_and_then_finishes_once)
{
    assert_false(stint_finisher_is_self());
    assert_int_equal(stint_finisher_make(finish), 0);
    assert_int_equal(stint_finisher_make(NULL), 0); /* it exists */
    stint_finisher_look(look);
    while (!__atomic_load_n(&s_looks, __ATOMIC_RELAXED))
        (void)usleep(100);
    assert_int_equal(__atomic_load_n(&s_finished, __ATOMIC_RELAXED), 0);
    assert_int_equal(stint_finisher_ask(LONG_NS), 0);
    assert_int_equal(stint_finisher_ask(LONG_NS), 0);
    assert_int_equal(s_finished, 1);
    assert_true(s_was_self);
    assert_false(stint_finisher_is_self());
}
