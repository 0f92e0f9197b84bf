#include "gpu/timeline.h"

#include "stint_test.h"

/* CUPTI's clock, in most of these, is 1e18 ns ahead of the axis; two ticks are one ns. */
#define AHEAD UINT64_C(1000000000000000000)

static const uint64_t SECOND = 1000000000;

static int forget(void **state)
{
    stint_timeline_forget();
    return 0;
}

/* A sample at `ns` of the axis, whose readings are `width` ns apart. */
static void sample(uint64_t ns, uint64_t cupti_ns, uint64_t width)
{
    stint_timeline_align(2 * ns - width, cupti_ns, 2 * ns + width);
}

static struct stint_timeline make(void)
{
    const struct stint_timeline_clock clock = {
        .ticks = 2 * 100 * SECOND, .ns = 100 * SECOND, .ns_per_tick = 0.5, .start_unix_ns = AHEAD};
    struct stint_timeline timeline;
    stint_timeline_make(&timeline, &clock);
    return timeline;
}

TEST_EACH(forget, NULL)

TEST(without_samples_cuptis_clock_is_the_wall_clock)
{
    const struct stint_timeline timeline = make();
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 123), 123);
    assert_true(timeline.error_ns == 0);
}

TEST(ticks_become_ns_since_the_start)
{
    const struct stint_timeline timeline = make();
    assert_int_equal(stint_timeline_of_ticks(&timeline, 2 * 40 * SECOND), 40 * SECOND);
    assert_int_equal(stint_timeline_of_ticks(&timeline, 2 * 101 * SECOND), 101 * SECOND);
    assert_int_equal(stint_timeline_of_ticks(&timeline, 0), 0);
}

TEST(one_sample_says_how_far_the_clocks_are_apart)
{
    sample(10 * SECOND, AHEAD + 10 * SECOND + 5, 100);
    struct stint_timeline timeline = make();
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 50 * SECOND + 5), 50 * SECOND);
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 5), 0);
    assert_true(timeline.error_ns == 50);
}

TEST(what_was_before_the_process_is_negative)
{
    sample(10 * SECOND, AHEAD + 10 * SECOND, 100);
    struct stint_timeline timeline = make();
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD - 7), -7);
}

TEST(between_samples_the_distance_changes_evenly)
{
    sample(10 * SECOND, AHEAD + 10 * SECOND, 0);
    sample(20 * SECOND, AHEAD + 20 * SECOND + 1000, 0);
    sample(30 * SECOND, AHEAD + 30 * SECOND, 0);
    struct stint_timeline timeline = make();
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 10 * SECOND), 10 * SECOND);
    assert_in_range(stint_timeline_of_cupti(&timeline, AHEAD + 15 * SECOND + 500), 15 * SECOND - 1, 15 * SECOND + 1);
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 20 * SECOND + 1000), 20 * SECOND);
    assert_in_range(stint_timeline_of_cupti(&timeline, AHEAD + 25 * SECOND + 500), 25 * SECOND - 1, 25 * SECOND + 1);
}

TEST(beyond_the_samples_the_distance_is_that_of_the_nearest)
{
    sample(10 * SECOND, AHEAD + 10 * SECOND + 100, 0);
    sample(20 * SECOND, AHEAD + 20 * SECOND + 200, 0);
    struct stint_timeline timeline = make();
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 1 * SECOND), 1 * SECOND - 100);
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 90 * SECOND), 90 * SECOND - 200);
}

TEST(the_error_is_half_the_widest_sample_and_the_drift)
{
    sample(10 * SECOND, AHEAD + 10 * SECOND, 300);
    sample(20 * SECOND, AHEAD + 20 * SECOND + 40, 100);
    assert_true(make().error_ns == 150 + 40);
    sample(30 * SECOND, AHEAD + 30 * SECOND + 80, 500);
    assert_true(make().error_ns == 250); /* an even drift is no error */
    sample(40 * SECOND, AHEAD + 40 * SECOND + 240, 100);
    assert_in_range((uint64_t)make().error_ns, 250 + 60 - 1, 250 + 60 + 1); /* 80 is not halfway from 40 to 240 */
}

TEST(of_samples_near_each_other_the_closest_readings_stay)
{
    sample(10 * SECOND, AHEAD + 10 * SECOND + 400, 1000);
    sample(10 * SECOND + 1000, AHEAD + 10 * SECOND + 1000 + 10, 20);
    sample(10 * SECOND + 2000, AHEAD + 10 * SECOND + 2000 + 300, 600);
    struct stint_timeline timeline = make();
    assert_int_equal(timeline.count, 1);
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 10 + 9 * SECOND), 9 * SECOND);
    assert_true(timeline.error_ns == 10);
    sample(10 * SECOND + 1000 + STINT_TIMELINE_NEAR_NS, AHEAD + 10 * SECOND + 1011 + STINT_TIMELINE_NEAR_NS, 20);
    assert_int_equal(make().count, 2);
}

TEST(samples_may_come_in_any_order)
{
    sample(30 * SECOND, AHEAD + 30 * SECOND + 3000, 0);
    sample(10 * SECOND, AHEAD + 10 * SECOND + 1000, 0);
    sample(20 * SECOND, AHEAD + 20 * SECOND + 2000, 0);
    struct stint_timeline timeline = make();
    assert_int_equal(timeline.count, 3);
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + 20 * SECOND + 2000), 20 * SECOND);
    assert_in_range(stint_timeline_of_cupti(&timeline, AHEAD + 15 * SECOND + 1500), 15 * SECOND - 1, 15 * SECOND + 1);
}

TEST(a_sample_that_cannot_be_is_passed_over)
{
    stint_timeline_align(100, AHEAD, 99);
    stint_timeline_align(100, 0, 101);
    assert_int_equal(make().count, 0);
    stint_timeline_align(100, AHEAD, 100);
    assert_int_equal(make().count, 1);
}

TEST(when_room_runs_out_the_first_and_the_last_stay)
{
    const uint64_t samples = 10 * STINT_TIMELINE_SAMPLES + 1;
    for (uint64_t i = 1; i <= samples; ++i)
        sample(i * SECOND, AHEAD + i * SECOND + i, 10);
    struct stint_timeline timeline = make();
    assert_in_range(timeline.count, STINT_TIMELINE_SAMPLES / 2, STINT_TIMELINE_SAMPLES);
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + SECOND + 1), SECOND);
    assert_int_equal(stint_timeline_of_cupti(&timeline, AHEAD + samples * SECOND + samples), samples * SECOND);
    assert_in_range(stint_timeline_of_cupti(&timeline, AHEAD + 333 * SECOND + 333), 333 * SECOND - 1, 333 * SECOND + 1);
    assert_true(timeline.error_ns < 8);
}

TEST(a_clock_that_was_set_back_breaks_nothing)
{
    sample(10 * SECOND, AHEAD + 10 * SECOND, 0);
    sample(20 * SECOND, AHEAD + 5 * SECOND, 0);
    sample(30 * SECOND, AHEAD + 15 * SECOND, 0);
    struct stint_timeline timeline = make();
    for (uint64_t ns = 0; ns < 20; ++ns)
        assert_in_range(stint_timeline_of_cupti(&timeline, AHEAD + ns * SECOND), 0, 100 * SECOND);
    assert_true(timeline.error_ns >= (double)SECOND);
}
