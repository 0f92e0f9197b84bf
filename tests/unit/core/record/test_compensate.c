#include "record/collect.h"

#include "stint_test.h"

static struct stint_numbers of(uint64_t count, uint64_t total, uint64_t self, uint64_t min, uint64_t max)
{
    return (struct stint_numbers){.count = count,
                                  .total_ns = total,
                                  .self_ns = self,
                                  .min_ns = min,
                                  .max_ns = max,
                                  .square_ns2 = (double)total * (double)total / (double)count};
}

TEST(longer_activations_contain_less_of_their_own_cost)
{
    const struct stint_own_cost cost = {.outside = 15, .inside = 10, .empty = 18};
    assert_true(stint_own_cost(&cost, 5) == 18);
    assert_true(stint_own_cost(&cost, 18) == 18);
    assert_true(stint_own_cost(&cost, 19) == 12); /* a processor does some work while it reads the clock */
    assert_true(stint_own_cost(&cost, 20) == 10);
    assert_true(stint_own_cost(&cost, 1000) == 10);
}

TEST(a_leaf_loses_its_own_cost_in_each_activation)
{
    struct stint_numbers numbers = of(10, 1000, 1000, 90, 110);
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 12}, NULL);
    assert_int_equal(numbers.total_ns, 880);
    assert_int_equal(numbers.self_ns, 880);
    assert_int_equal(numbers.min_ns, 78);
    assert_int_equal(numbers.max_ns, 98);
    assert_int_equal(numbers.overhead_ns, 120);
    assert_int_equal(numbers.self_overhead_ns, 120);
    assert_true(numbers.square_ns2 == 10 * 88.0 * 88.0);
}

TEST(a_parent_loses_the_whole_cost_of_what_is_below)
{
    struct stint_numbers numbers = of(2, 2000, 500, 900, 1100);
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 10, .below = 600, .beside = 200}, NULL);
    assert_int_equal(numbers.total_ns, 1380);
    assert_int_equal(numbers.self_ns, 280);
    assert_int_equal(numbers.min_ns, 590); /* each activation can have its 300 */
    assert_int_equal(numbers.max_ns, 790);
}

TEST(short_activations_have_fewer_scopes_below)
{
    struct stint_numbers numbers = of(2, 2000, 500, 10, 1990);
    stint_compensate(&numbers, &(struct stint_cost_parts){.below = 1000}, NULL);
    assert_int_equal(numbers.total_ns, 1000);
    assert_int_equal(numbers.min_ns, 5);    /* half of its time */
    assert_int_equal(numbers.max_ns, 1000); /* not 1490, which takes off the average: no more than the total */
}

TEST(self_time_is_never_more_than_the_total)
{
    struct stint_numbers numbers = of(1, 1000, 990, 1000, 1000); /* what is below took less than it costs */
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 10, .below = 40, .beside = 20}, NULL);
    assert_int_equal(numbers.total_ns, 950);
    assert_int_equal(numbers.self_ns, 950);
}

TEST(nothing_becomes_negative)
{
    struct stint_numbers numbers = of(4, 40, 8, 5, 15);
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 8, .below = 100, .beside = 100}, NULL);
    assert_int_equal(numbers.total_ns, 0);
    assert_int_equal(numbers.self_ns, 0);
    assert_int_equal(numbers.min_ns, 0);
    assert_int_equal(numbers.overhead_ns, 40);
    assert_int_equal(numbers.self_overhead_ns, 8);
}

TEST(bins_move_and_those_that_meet_become_one)
{
    const struct stint_bin measured[] = {{5, 1}, {8, 2}, {100, 3}};
    struct stint_bin bins[TEST_COUNT(measured)];
    struct stint_numbers numbers = of(6, 321, 321, 5, 100);
    numbers.bins = measured;
    numbers.bin_count = TEST_COUNT(measured);
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 10}, bins);
    assert_ptr_equal(numbers.bins, bins);
    assert_int_equal(numbers.bin_count, 2);
    assert_int_equal(bins[0].ns, 0);
    assert_int_equal(bins[0].count, 3);
    assert_int_equal(bins[1].ns, 90);
    assert_int_equal(bins[1].count, 3);
}

TEST(what_was_measured_stays)
{
    const struct stint_bin measured[] = {{20, 1}, {80, 2}};
    struct stint_bin bins[TEST_COUNT(measured)];
    struct stint_numbers numbers = of(3, 180, 180, 19, 83);
    numbers.bins = measured;
    numbers.bin_count = TEST_COUNT(measured);
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 10}, bins);
    assert_int_equal(numbers.raw_min_ns, 19);
    assert_int_equal(numbers.raw_max_ns, 83);
    assert_ptr_equal(numbers.raw_bins, measured);
    assert_int_equal(numbers.raw_bin_count, 2);
}

TEST(without_activations_nothing_changes)
{
    struct stint_numbers numbers = {.running = 1, .running_ns = 50};
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 10, .below = 100, .beside = 100}, NULL);
    assert_int_equal(numbers.total_ns + numbers.self_ns + numbers.overhead_ns, 0);
    assert_int_equal(numbers.running_ns, 50);
}

/* Most activations seem to take less than recording one does, and one takes long. */
TEST(the_longest_is_never_more_than_the_total)
{
    struct stint_numbers numbers = of(1000, 40000, 40000, 20, 10000);
    stint_compensate(&numbers, &(struct stint_cost_parts){.own = 35}, NULL);
    assert_int_equal(numbers.total_ns, 5000);
    assert_int_equal(numbers.max_ns, 5000);
    assert_in_range(numbers.min_ns, 0, numbers.max_ns);
}
