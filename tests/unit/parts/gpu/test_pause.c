#include "gpu/pause.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Two ticks are a nanosecond, and CUPTI's clock is 10 000 ns ahead. */
static uint64_t s_ticks;

uint64_t __wrap_stint_clock_ticks(void);
double __wrap_stint_clock_ns_per_tick(void);

uint64_t __wrap_stint_clock_ticks(void)
{
    return s_ticks;
}

double __wrap_stint_clock_ns_per_tick(void)
{
    return 0.5;
}

static void change(uint64_t ns, int held)
{
    s_ticks = 2 * ns;
    stint_pause_note(held);
}

static int is_held(uint64_t ns)
{
    return stint_pause_at(10000 + ns);
}

/* What happens in one after the other: the changes are the process'. */
static void test_times_between_changes_are_held_or_not(void **state)
{
    (void)state;
    assert_false(is_held(5));
    change(10, 0);
    assert_false(is_held(5));
    change(100, 1);
    change(150, 1);
    stint_pause_align(2000, 11000);
    assert_false(is_held(5));
    assert_false(is_held(99));
    assert_true(is_held(100));
    assert_true(is_held(1000000));
    change(200, 0);
    assert_true(is_held(199));
    assert_false(is_held(200));
    assert_false(is_held(0));
}

static void test_changes_long_ago_are_forgotten(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < STINT_PAUSES; ++i)
        change(1000 + 10 * i, i % 2 == 0);
    assert_false(is_held(150));
    assert_false(is_held(999));
    assert_true(is_held(1005));
    assert_false(is_held(1015));
    assert_true(is_held(1000 + 10 * (STINT_PAUSES - 2)));
    assert_false(is_held(1000 + 10 * (STINT_PAUSES - 1)));
    change(1000000, 1);
    assert_true(is_held(1005));
    assert_true(is_held(5));
    assert_false(is_held(1015));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times_between_changes_are_held_or_not),
        cmocka_unit_test(test_changes_long_ago_are_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
