#include "stat/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "stint/detail/record.h"
#include "stint/snapshot.h"
#include "stint_test.h"

/* ---------------------------------------------------------------------------------------------------------- buckets */

static void check_middle(uint64_t value)
{
    const double distance = fabs(stint_bucket_middle(stint_i_bucket(value)) - (double)value);
    if (distance * 128 > (double)value)
        fail_msg("%llu: the middle of its bucket is %.1f away", (unsigned long long)value, distance);
}

TEST(a_buckets_middle_is_within_a_128th_of_every_value)
{
    uint64_t seed = 1;
    for (uint64_t value = 0; value < 1 << 18; ++value)
        check_middle(value);
    for (unsigned shift = 18; shift < 63; ++shift)
        for (int i = 0; i < 2000; ++i)
            check_middle((UINT64_C(1) << shift) + test_random(&seed) % (UINT64_C(1) << shift));
}

TEST(a_bucket_begins_where_the_one_before_ends)
{
    uint64_t low = 0;
    for (uint32_t bucket = 0; bucket < STINT_I_BUCKETS; ++bucket) {
        const uint64_t width = UINT64_C(1) << (bucket < 2 * STINT_I_GROUP ? 0 : bucket / STINT_I_GROUP - 1);
        assert_int_equal(stint_i_bucket(low), bucket);
        assert_int_equal(stint_i_bucket(low + width - 1), bucket);
        assert_in_range((uint64_t)stint_bucket_middle(bucket), low, low + width - 1);
        low += width;
        assert_int_equal(stint_i_bucket(low), bucket + 1);
    }
    assert_int_equal(low, UINT64_C(1) << 63);
}

TEST(values_below_128_have_a_bucket_each)
{
    for (uint32_t value = 0; value < 128; ++value) {
        assert_int_equal(stint_i_bucket(value), value);
        assert_true(stint_bucket_middle(value) == value);
    }
}

static void check_of(uint64_t value)
{
    value &= (UINT64_C(1) << 53) - 1;
    assert_int_equal(stint_i_bucket_of(value, (double)(int64_t)value), stint_i_bucket(value));
}

TEST(the_bucket_of_a_double_is_the_same)
{
    uint64_t seed = 2;
    for (uint64_t value = 0; value < 10000; ++value)
        check_of(value);
    for (unsigned shift = 13; shift <= 53; ++shift) {
        for (uint64_t distance = 1; distance < 200; ++distance) {
            check_of((UINT64_C(1) << shift) - distance);
            check_of((UINT64_C(1) << shift) + distance - 1);
            check_of(test_random(&seed) >> (63 - shift));
        }
    }
}

/* ------------------------------------------------------------------------------------------------------ percentiles */

enum { SAMPLES = 5000 };

struct sampled {
    uint64_t samples[SAMPLES]; /* by rising value */
    struct stint_bin bins[STINT_I_BUCKETS];
    struct stint_numbers numbers;
};

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* What recording makes of the samples. */
static void record(struct sampled *sampled)
{
    struct stint_numbers *numbers = &sampled->numbers;
    qsort(sampled->samples, SAMPLES, sizeof sampled->samples[0], by_value);
    *numbers = (struct stint_numbers){.count = SAMPLES,
                                      .min_ns = sampled->samples[0],
                                      .max_ns = sampled->samples[SAMPLES - 1],
                                      .bins = sampled->bins};
    for (int i = 0; i < SAMPLES; ++i) {
        const uint64_t sample = sampled->samples[i];
        const uint64_t middle = (uint64_t)(stint_bucket_middle(stint_i_bucket(sample)) + 0.5);
        numbers->total_ns += sample;
        numbers->square_ns2 += (double)sample * (double)sample;
        if (!numbers->bin_count || sampled->bins[numbers->bin_count - 1].ns != middle)
            sampled->bins[numbers->bin_count++] = (struct stint_bin){middle, 0};
        ++sampled->bins[numbers->bin_count - 1].count;
    }
}

static double uniform(uint64_t *seed)
{
    return (double)(test_random(seed) >> 11) / 9007199254740992.0;
}

/* Distributions, from a number in [0, 1). */
static double flat(double u)
{
    return 1000 + 1000000 * u;
}
static double narrow(double u)
{
    return 50000 + 100 * u;
}
static double exponential(double u)
{
    return -20000 * log(1 - u);
}
static double heavy_tailed(double u)
{
    return 100 / pow(1 - u, 1.5);
}
static double two_humps(double u)
{
    return u < 0.9 ? 200 + 100 * u : 9e6 + 1e6 * u;
}
static double constant(double u)
{
    return 123456 + 0 * u;
}
static double tiny(double u)
{
    return 20 * u;
}
static double from_ns_to_hours(double u)
{
    return pow(2, 43 * u);
}
static double mostly_zero(double u)
{
    return u < 0.6 ? 0 : 1e5 * u;
}

static double (*const s_distributions[])(double u) = {
    flat, narrow, exponential, heavy_tailed, two_humps, constant, tiny, from_ns_to_hours, mostly_zero,
};

static void sample(struct sampled *sampled, size_t distribution)
{
    uint64_t seed = distribution + 1;
    for (int i = 0; i < SAMPLES; ++i)
        sampled->samples[i] = (uint64_t)s_distributions[distribution](uniform(&seed));
    record(sampled);
}

TEST(percentiles_are_within_one_percent_of_the_exact_ones)
{
    static struct sampled sampled;
    for (size_t d = 0; d < TEST_COUNT(s_distributions); ++d) {
        sample(&sampled, d);
        for (int permille = 1; permille < 1000; ++permille) {
            const double p = permille / 1000.0;
            const double exact = (double)sampled.samples[(size_t)ceil(p * SAMPLES) - 1];
            const double seen = (double)stint_numbers_percentile_ns(&sampled.numbers, p);
            if (fabs(seen - exact) > 0.01 * exact)
                fail_msg("distribution %zu, p %g: %g instead of %g", d, p, seen, exact);
        }
    }
}

TEST(percentiles_lie_between_min_and_max_and_rise)
{
    static struct sampled sampled;
    for (size_t d = 0; d < TEST_COUNT(s_distributions); ++d) {

        sample(&sampled, d);
        uint64_t last = sampled.numbers.min_ns;
        for (int permille = 0; permille <= 1000; ++permille) {
            const uint64_t seen = stint_numbers_percentile_ns(&sampled.numbers, permille / 1000.0);
            assert_in_range(seen, last, sampled.numbers.max_ns);
            last = seen;
        }
    }
}

TEST(p_zero_is_min_and_p_one_is_max_exactly)
{
    const struct stint_bin bins[] = {{100, 3}, {200, 5}};
    const struct stint_numbers numbers = {.count = 8, .min_ns = 97, .max_ns = 205, .bins = bins, .bin_count = 2};
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0), 97);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 1), 205);
}

TEST(p_outside_of_its_range_is_clamped)
{
    const struct stint_bin bins[] = {{100, 3}, {200, 5}};
    const struct stint_numbers numbers = {.count = 8, .min_ns = 97, .max_ns = 205, .bins = bins, .bin_count = 2};
    assert_int_equal(stint_numbers_percentile_ns(&numbers, -0.1), 97);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, (double)-INFINITY), 97);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 1.1), 205);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, (double)INFINITY), 205);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, (double)NAN), 97);
}

TEST(the_rank_of_a_percentile_is_rounded_up)
{
    const struct stint_bin bins[] = {{100, 1}, {200, 1}, {300, 1}, {400, 1}};
    const struct stint_numbers numbers = {.count = 4, .min_ns = 100, .max_ns = 400, .bins = bins, .bin_count = 4};
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.25), 100);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.26), 200);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.5), 200);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.99), 400);
}

TEST(without_a_histogram_a_percentile_is_zero)
{
    const struct stint_numbers numbers = {.count = 8, .min_ns = 97, .max_ns = 205};
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0), 0);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.5), 0);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 1), 0);
}

/* -------------------------------------------------------------------------------------------------- mean, deviation */

TEST(the_mean_leaves_recursive_activations_out)
{
    const struct stint_numbers numbers = {.count = 10, .recursive = 6, .total_ns = 1003};
    assert_int_equal(stint_numbers_avg_ns(&numbers), 250);
}

TEST(mean_and_deviation_of_nothing_are_zero)
{
    const struct stint_numbers none = {0}, only_recursive = {.count = 3, .recursive = 3};
    assert_int_equal(stint_numbers_avg_ns(&none), 0);
    assert_int_equal(stint_numbers_avg_ns(&only_recursive), 0);
    assert_true(stint_numbers_stddev_ns(&none) == 0);
    assert_true(stint_numbers_stddev_ns(&only_recursive) == 0);
}

TEST(the_deviation_is_that_of_the_samples)
{
    static struct sampled sampled;
    for (size_t d = 0; d < TEST_COUNT(s_distributions); ++d) {
        double mean = 0, variance = 0, seen;
        sample(&sampled, d);
        for (int i = 0; i < SAMPLES; ++i)
            mean += (double)sampled.samples[i] / SAMPLES;
        for (int i = 0; i < SAMPLES; ++i)
            variance += ((double)sampled.samples[i] - mean) * ((double)sampled.samples[i] - mean) / SAMPLES;
        seen = stint_numbers_stddev_ns(&sampled.numbers);
        assert_true(fabs(seen - sqrt(variance)) <= 1e-6 * (mean + sqrt(variance)));
    }
}

TEST(the_deviation_leaves_recursive_activations_out)
{
    const struct stint_numbers numbers = {.count = 5,
                                          .recursive = 3,
                                          .total_ns = 100 + 300,
                                          .min_ns = 100,
                                          .max_ns = 300,
                                          .square_ns2 = 100.0 * 100 + 300.0 * 300};
    assert_true(fabs(stint_numbers_stddev_ns(&numbers) - 100) < 1e-9);
}

TEST(equal_samples_have_no_deviation)
{
    const struct stint_numbers numbers = {
        .count = 3, .total_ns = 300, .min_ns = 100, .max_ns = 100, .square_ns2 = 30000.001};
    assert_true(stint_numbers_stddev_ns(&numbers) == 0);
}

TEST(a_rounding_error_below_zero_gives_no_deviation)
{
    const struct stint_numbers numbers = {
        .count = 3, .total_ns = 300, .min_ns = 99, .max_ns = 101, .square_ns2 = 29999.999};
    assert_true(stint_numbers_stddev_ns(&numbers) == 0);
}

/* -------------------------------------------------------------------------------------------------------------- add */

static struct stint_numbers add(const struct stint_numbers *a, const struct stint_numbers *b, struct stint_arena *arena)
{
    struct stint_numbers sum = *a;
    assert_int_equal(stint_numbers_add(&sum, b, arena), 0);
    return sum;
}

TEST(a_sum_beyond_64_bits_stays_at_the_largest_number)
{
    const struct stint_bin bin = {7, UINT64_MAX};
    const struct stint_numbers a = {.count = 2,
                                    .total_ns = UINT64_MAX - 1,
                                    .self_ns = UINT64_C(1) << 63,
                                    .overhead_ns = 1,
                                    .running_ns = UINT64_MAX,
                                    .bins = &bin,
                                    .bin_count = 1};
    struct stint_arena arena = {0};
    const struct stint_numbers sum = add(&a, &a, &arena);
    assert_int_equal(sum.count, 4);
    assert_int_equal(sum.total_ns, UINT64_MAX);
    assert_int_equal(sum.self_ns, UINT64_MAX);
    assert_int_equal(sum.overhead_ns, 2);
    assert_int_equal(sum.running_ns, UINT64_MAX);
    assert_int_equal(sum.bins[0].count, UINT64_MAX);
    stint_arena_free(&arena);
}

TEST(adding_adds_every_sum)
{
    const struct stint_numbers a = {.count = 10,
                                    .recursive = 1,
                                    .total_ns = 1000,
                                    .self_ns = 800,
                                    .min_ns = 5,
                                    .max_ns = 90,
                                    .square_ns2 = 1.5,
                                    .cpu_ns = 7,
                                    .running = 2,
                                    .running_ns = 30};
    const struct stint_numbers b = {.count = 20,
                                    .recursive = 3,
                                    .total_ns = 4000,
                                    .self_ns = 600,
                                    .min_ns = 6,
                                    .max_ns = 89,
                                    .square_ns2 = 2.5,
                                    .cpu_ns = 8,
                                    .running = 1,
                                    .running_ns = 70};
    struct stint_arena arena = {0};
    const struct stint_numbers sum = add(&a, &b, &arena), swapped = add(&b, &a, &arena);
    assert_int_equal(sum.count, 30);
    assert_int_equal(sum.recursive, 4);
    assert_int_equal(sum.total_ns, 5000);
    assert_int_equal(sum.self_ns, 1400);
    assert_int_equal(sum.min_ns, 5);
    assert_int_equal(sum.max_ns, 90);
    assert_int_equal(swapped.min_ns, 5);
    assert_int_equal(swapped.max_ns, 90);
    assert_true(sum.square_ns2 == 4.0);
    assert_int_equal(sum.running, 3);
    assert_int_equal(sum.running_ns, 100);
    assert_int_equal(sum.cpu_ns, 15);
    assert_int_equal(arena.mapped, 0);
}

TEST(min_and_max_come_from_the_part_that_has_them)
{
    const struct stint_numbers some = {.count = 4, .recursive = 1, .min_ns = 50, .max_ns = 60};
    const struct stint_numbers none = {0}, only_recursive = {.count = 2, .recursive = 2}, running = {.running = 1};
    const struct stint_numbers *const others[] = {&none, &only_recursive, &running};
    struct stint_arena arena = {0};
    for (size_t i = 0; i < TEST_COUNT(others); ++i) {
        const struct stint_numbers before = add(others[i], &some, &arena), after = add(&some, others[i], &arena);
        assert_int_equal(before.min_ns, 50);
        assert_int_equal(before.max_ns, 60);
        assert_int_equal(after.min_ns, 50);
        assert_int_equal(after.max_ns, 60);
    }
}

TEST(a_shortest_of_zero_is_kept)
{
    const struct stint_numbers zero = {.count = 1}, some = {.count = 1, .min_ns = 5, .max_ns = 5};
    struct stint_arena arena = {0};
    assert_int_equal(add(&zero, &some, &arena).min_ns, 0);
    assert_int_equal(add(&some, &zero, &arena).min_ns, 0);
}

static void check_bins(const struct stint_numbers *numbers, const struct stint_bin *expected, size_t count)
{
    assert_int_equal(numbers->bin_count, count);
    for (size_t i = 0; i < count; ++i) {
        assert_int_equal(numbers->bins[i].ns, expected[i].ns);
        assert_int_equal(numbers->bins[i].count, expected[i].count);
    }
}

TEST(bins_are_merged_in_order)
{
    const struct stint_bin a_bins[] = {{10, 1}, {30, 2}, {50, 3}}, b_bins[] = {{20, 4}, {30, 5}, {60, 6}, {70, 7}};
    const struct stint_bin expected[] = {{10, 1}, {20, 4}, {30, 7}, {50, 3}, {60, 6}, {70, 7}};
    const struct stint_numbers a = {.count = 6, .bins = a_bins, .bin_count = 3};
    const struct stint_numbers b = {.count = 22, .bins = b_bins, .bin_count = 4};
    struct stint_arena arena = {0};
    const struct stint_numbers ab = add(&a, &b, &arena), ba = add(&b, &a, &arena);
    check_bins(&ab, expected, TEST_COUNT(expected));
    check_bins(&ba, expected, TEST_COUNT(expected));
    stint_arena_free(&arena);
}

TEST(bins_of_clocks_that_differ_slightly_fall_together)
{
    const struct stint_bin a_bins[] = {{100000, 1}, {200000, 1}}, b_bins[] = {{100040, 2}, {200200, 2}};
    const struct stint_bin expected[] = {{100000, 3}, {200000, 1}, {200200, 2}};
    const struct stint_numbers a = {.count = 2, .bins = a_bins, .bin_count = 2};
    const struct stint_numbers b = {.count = 4, .bins = b_bins, .bin_count = 2};
    struct stint_arena arena = {0};
    const struct stint_numbers ab = add(&a, &b, &arena), ba = add(&b, &a, &arena);
    check_bins(&ab, expected, TEST_COUNT(expected));
    check_bins(&ba, expected, TEST_COUNT(expected));
    stint_arena_free(&arena);
}

/* Bins of which each is close to the next fall together in the same way, whichever come first. */
TEST(a_sum_of_bins_does_not_depend_on_its_order)
{
    enum { PARTS = 6 };
    struct stint_bin bins[PARTS];
    struct stint_numbers parts[PARTS], forward = {0}, backward = {0}, halves = {0}, half = {0};
    struct stint_arena arena = {0};
    for (uint64_t i = 0; i < PARTS; i++) {
        bins[i] = (struct stint_bin){27130 + 13 * i, 1 + i};
        parts[i] = (struct stint_numbers){.count = 1 + i, .bins = &bins[i], .bin_count = 1};
    }
    for (size_t i = 0; i < PARTS; i++) {
        forward = add(&forward, &parts[i], &arena);
        backward = add(&backward, &parts[PARTS - 1 - i], &arena);
        halves = i % 2 ? add(&halves, &parts[i], &arena) : halves;
        half = i % 2 ? half : add(&half, &parts[i], &arena);
    }
    halves = add(&halves, &half, &arena);
    assert_true(forward.bin_count > 1 && forward.bin_count < PARTS);
    check_bins(&backward, forward.bins, forward.bin_count);
    check_bins(&halves, forward.bins, forward.bin_count);
    stint_arena_free(&arena);
}

TEST(small_bins_fall_together_only_when_equal)
{
    const struct stint_bin a_bins[] = {{0, 1}, {1000, 1}}, b_bins[] = {{0, 2}, {1, 1}, {1001, 1}};
    const struct stint_bin expected[] = {{0, 3}, {1, 1}, {1000, 1}, {1001, 1}};
    const struct stint_numbers a = {.count = 2, .bins = a_bins, .bin_count = 2};
    const struct stint_numbers b = {.count = 4, .bins = b_bins, .bin_count = 3};
    struct stint_arena arena = {0};
    const struct stint_numbers ab = add(&a, &b, &arena);
    check_bins(&ab, expected, TEST_COUNT(expected));
    stint_arena_free(&arena);
}

TEST(without_memory_add_fails_but_adds_the_rest)
{
    const struct stint_bin bins[] = {{10, 1}};
    const struct stint_numbers from = {.count = 1, .total_ns = 10, .bins = bins, .bin_count = 1};
    struct stint_arena arena = {0};
    struct stint_numbers into = from;
    memory_fail_after(0);
    assert_int_equal(stint_numbers_add(&into, &from, &arena), -1);
    assert_int_equal(memory_recover(), 1);
    assert_int_equal(into.count, 2);
    check_bins(&into, bins, 1);
}

TEST(a_statistic_is_of_a_scope_function_range_or_call)
{
    assert_int_equal(stint_cost_kind_of("GlobalStatInfo", "main", 7), STINT_COST_SCOPE);
    assert_int_equal(stint_cost_kind_of("GlobalStatInfo", "", 0), STINT_COST_SCOPE);
    assert_int_equal(stint_cost_kind_of("GlobalStatInfo", "main", 0), STINT_COST_FUNCTION);
    assert_int_equal(stint_cost_kind_of(STINT_NVTX_SET ":NCCL", "", 0), STINT_COST_RANGE);
    assert_int_equal(stint_cost_kind_of(STINT_API_SET, "", 0), STINT_COST_CALL);
    assert_true(stint_gpu_is_call(&(struct stint_stat){.set = STINT_API_SET}));
    assert_false(stint_gpu_is_call(&(struct stint_stat){.set = "Layers"}));
}

TEST(what_was_not_measured_costs_as_a_scope_does)
{
    const struct stint_process process = {.scope_ns = 20, .inside_ns = 10, .range = {30, 15}};
    assert_true(stint_recording_cost(&process, STINT_COST_RANGE).whole_ns == 30);
    assert_true(stint_recording_cost(&process, STINT_COST_CALL).whole_ns == 20);
    assert_true(stint_recording_cost(&process, STINT_COST_CALL).inside_ns == 10);
}
