#include "replay/counts.h"

#include <stdlib.h>

#include "stint_test.h"

static struct stint_arena s_arena;

static int clean_up(void **state)
{
    stint_arena_free(&s_arena);
    return 0;
}

static struct stint_numbers numbers_of(const uint64_t *ns, size_t count)
{
    struct stint_durations durations = {0};
    const struct stint_durations *table = &durations;
    struct stint_durations_budget budget = {0};
    struct stint_numbers numbers = {.count = count, .max_ns = UINT64_MAX};
    for (size_t i = 0; i < count; i++)
        assert_int_equal(stint_durations_add(&durations, &budget, ns[i]), 0);
    stint_durations_bins(&table, 1, &s_arena, &numbers);
    stint_durations_free(&durations);
    return numbers;
}

TEST_EACH(NULL, clean_up)

TEST(percentiles_are_within_their_bound)
{
    uint64_t ns[1000], random = 1;
    for (size_t i = 0; i < TEST_COUNT(ns); i++)
        ns[i] = 1000 * (i * 7 % 1000 + 1) + test_random(&random) % 1000;
    const struct stint_numbers numbers = numbers_of(ns, TEST_COUNT(ns));
    for (unsigned p = 1; p < 100; p++) {
        double ratio = (double)stint_numbers_percentile_ns(&numbers, p / 100.0) / (p * 10000.0);
        assert_true(ratio > 1 / 1.08 && ratio < 1.08); /* 0.8 %, and the samples' own distance */
    }
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

TEST(the_percentiles_of_reports_are_exact)
{
    static const size_t counts[] = {1, 2, 3, 10, 99, 100, 101, 5000};
    uint64_t ns[5000], random = 1;
    for (size_t i = 0; i < TEST_COUNT(counts); i++) {
        for (size_t at = 0; at < counts[i]; at++)
            ns[at] = 900000 + test_random(&random) % (at % 3 ? 5000 : 10000000);
        const struct stint_numbers numbers = numbers_of(ns, counts[i]);
        qsort(ns, counts[i], sizeof ns[0], by_value);
        assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.5), ns[(counts[i] + 1) / 2 - 1]);
        assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.9), ns[(counts[i] * 90 + 99) / 100 - 1]);
        assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.99), ns[(counts[i] * 99 + 99) / 100 - 1]);
    }
}

TEST(bins_rise_and_count_everything)
{
    const struct stint_numbers numbers = numbers_of((const uint64_t[]){1 << 20, 3, UINT64_MAX / 4, 3, 1 << 10}, 5);
    uint64_t samples = 0;
    assert_int_equal(numbers.bin_count, 4);
    for (size_t i = 0; i < numbers.bin_count; i++) {
        samples += numbers.bins[i].count;
        assert_true(!i || numbers.bins[i].ns > numbers.bins[i - 1].ns);
    }
    assert_int_equal(samples, 5);
}

TEST(tables_are_added_up)
{
    struct stint_durations one = {0}, other = {0};
    const struct stint_durations *tables[] = {&one, &other};
    struct stint_durations_budget budget = {0};
    struct stint_numbers numbers = {.count = 2000, .max_ns = UINT64_MAX};
    for (uint64_t ns = 1; ns <= 1000; ns++) {
        assert_int_equal(stint_durations_add(&one, &budget, 2 * ns), 0);
        assert_int_equal(stint_durations_add(&other, &budget, 2 * ns - 1), 0);
    }
    stint_durations_bins(tables, 2, &s_arena, &numbers);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.5), 1000);
    assert_int_equal(stint_numbers_percentile_ns(&numbers, 0.99), 1980);
    stint_durations_free(&one);
    stint_durations_free(&other);
}

/* Beyond the budget durations are counted in the buckets of histograms, which need little memory. */
TEST(memory_is_bounded)
{
    enum { MANY = 1 << 18 };
    struct stint_durations durations = {0};
    const struct stint_durations *table = &durations;
    struct stint_durations_budget budget = {.slots = SIZE_MAX / 2};
    struct stint_numbers numbers = {.count = MANY, .max_ns = UINT64_MAX};
    for (uint64_t i = 0; i < MANY; i++)
        assert_int_equal(stint_durations_add(&durations, &budget, 1000000 + i * 100 + (i % 2 << 33)), 0);
    assert_true(durations.used < 1000);
    stint_durations_bins(&table, 1, &s_arena, &numbers);
    uint64_t median = stint_numbers_percentile_ns(&numbers, 0.5), expected = 1000000 + MANY * 100ull;
    assert_true(median > expected - expected / 100 && median < expected + expected / 100);
    stint_durations_free(&durations);
}
