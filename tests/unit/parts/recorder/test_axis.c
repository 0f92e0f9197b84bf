#include "recorder/emit.h"

#include "stint_test.h"

/* A clock of 2 ticks per ns whose rate is not known well at first. */
static struct stint_timeline_clock look(uint64_t ns, double ns_per_tick)
{
    return (struct stint_timeline_clock){1000 + 2 * ns, ns, ns_per_tick, 0};
}

static uint64_t ticks(uint64_t ns)
{
    return 1000 + 2 * ns;
}

static struct stint_axis s_axis;

static struct stint_axis *begun(double ns_per_tick)
{
    const struct stint_timeline_clock clock = look(1000000, ns_per_tick);
    stint_axis_begin(&s_axis, &clock);
    return &s_axis;
}

TEST(moments_before_and_behind_the_first_look_are_on_its_line)
{
    const struct stint_axis *axis = begun(0.5);
    assert_int_equal(stint_axis_ns(axis, ticks(1000000)), 1000000);
    assert_int_equal(stint_axis_ns(axis, ticks(0)), 0);
    assert_int_equal(stint_axis_ns(axis, ticks(5000000)), 5000000);
}

TEST(before_the_start_is_the_start)
{
    assert_int_equal(stint_axis_ns(begun(0.5), 0), 0);
}

TEST(what_a_moment_became_it_stays)
{
    struct stint_axis *axis = begun(0.51);
    const struct stint_timeline_clock clock = look(3000000, 0.5);
    const uint64_t before = stint_axis_ns(axis, ticks(2000000));
    stint_axis_bend(axis, &clock, 1e6);
    assert_int_equal(stint_axis_ns(axis, ticks(2000000)), before);
}

TEST(the_axis_comes_back_to_the_clock_by_the_next_look)
{
    struct stint_axis *axis = begun(0.51);
    const struct stint_timeline_clock clock = look(2000000, 0.5);
    assert_true(stint_axis_ns(axis, ticks(2000000)) > 2015000);
    stint_axis_bend(axis, &clock, 1e6);
    assert_in_range(stint_axis_ns(axis, ticks(3000000)), 2999999, 3000001);
}

/* A process was stopped for a day, say. */
TEST(a_look_that_is_much_too_late_finds_the_axis_where_the_clock_is)
{
    static const uint64_t day = UINT64_C(86400000000000);
    struct stint_axis *axis = begun(0.5001);
    struct stint_timeline_clock clock = look(2000000, 0.5);
    stint_axis_bend(axis, &clock, 1e6);
    assert_in_range(stint_axis_ns(axis, ticks(day)), day - 2, day + 2);
    clock = look(day, 0.5);
    stint_axis_bend(axis, &clock, 1e6);
    assert_in_range(stint_axis_ns(axis, ticks(day + 1000)), day + 998, day + 1002);
}

TEST(the_order_of_moments_is_kept_however_far_it_was_off)
{
    struct stint_axis *axis = begun(5);
    const struct stint_timeline_clock clock = look(2000000, 0.5);
    uint64_t last = 0;
    stint_axis_bend(axis, &clock, 1e3);
    for (uint64_t ns = 1990000; ns < 2010000; ns += 10) {
        assert_true(stint_axis_ns(axis, ticks(ns)) > last);
        last = stint_axis_ns(axis, ticks(ns));
    }
}

TEST(a_look_that_is_not_later_changes_nothing)
{
    struct stint_axis *axis = begun(0.5);
    const struct stint_timeline_clock clock = look(1000000, 0.7);
    stint_axis_bend(axis, &clock, 1e6);
    assert_int_equal(axis->count, 1);
}

TEST(years_of_looks_fit)
{
    struct stint_axis *axis = begun(0.5);
    for (uint64_t i = 2; i < 3 * STINT_AXIS_PIECES; ++i) {
        const struct stint_timeline_clock clock = look(i * 1000000, 0.5);
        stint_axis_bend(axis, &clock, 1e6);
    }
    assert_true(axis->count <= STINT_AXIS_PIECES);
    assert_int_equal(stint_axis_ns(axis, ticks(10000000000)), 10000000000);
    assert_int_equal(stint_axis_ns(axis, ticks(7)), 7);
}
