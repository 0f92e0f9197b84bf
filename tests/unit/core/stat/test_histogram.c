#include <string.h>

#include "base/arena.h"
#include "stat/numbers.h"
#include "stint_test.h"

struct fixture {
    struct stint_arena arena;
    struct stint_histogram *histogram;
    uint64_t expected[STINT_I_BUCKETS];
};

static void add(struct fixture *fixture, uint32_t bucket, uint64_t samples)
{
    assert_int_equal(stint_histogram_add(&fixture->histogram, bucket, samples, &fixture->arena), 0);
    fixture->expected[bucket < STINT_I_BUCKETS ? bucket : STINT_I_BUCKETS - 1] += samples;
}

static void check(const struct fixture *fixture)
{
    static struct stint_bin bins[STINT_I_BUCKETS];
    size_t count = stint_histogram_bins(fixture->histogram, 1, bins), at = 0;
    for (uint32_t bucket = 0; bucket < STINT_I_BUCKETS; ++bucket) {
        assert_int_equal(stint_histogram_samples(fixture->histogram, bucket), fixture->expected[bucket]);
        if (!fixture->expected[bucket])
            continue;
        assert_true(at < count);
        assert_int_equal(stint_i_bucket(bins[at].ns), bucket);
        assert_int_equal(bins[at++].count, fixture->expected[bucket]);
    }
    assert_int_equal(at, count);
}

static size_t pieces(const struct stint_histogram *histogram)
{
    size_t count = 0;
    for (; histogram; histogram = histogram->next)
        count++;
    return count;
}

TEST(samples_are_counted_wherever_they_come_next)
{
    struct fixture fixture = {.histogram = NULL};
    uint64_t seed = 1;
    check(&fixture);
    for (int i = 0; i < 500; ++i)
        add(&fixture, (uint32_t)(test_random(&seed) % (STINT_I_BUCKETS + 10)), 1 + test_random(&seed) % 40000);
    check(&fixture);
    stint_arena_free(&fixture.arena);
}

TEST(counters_hold_more_than_16_bits)
{
    struct fixture fixture = {.histogram = NULL};
    for (int i = 0; i < 3; ++i)
        add(&fixture, 100, UINT16_MAX);
    add(&fixture, 101, UINT64_C(1) << 40);
    check(&fixture);
    stint_arena_free(&fixture.arena);
}

TEST(merging_adds_to_what_is_there)
{
    struct fixture from = {.histogram = NULL}, into = {.histogram = NULL};
    for (uint32_t bucket = 3; bucket < 400; bucket += 7) {
        add(&from, bucket, bucket);
        add(&into, 2 * bucket, 70000);
    }
    assert_int_equal(stint_histogram_merge(&into.histogram, from.histogram, &into.arena), 0);
    for (uint32_t bucket = 0; bucket < STINT_I_BUCKETS; ++bucket)
        into.expected[bucket] += from.expected[bucket];
    check(&into);
    stint_histogram_zero(into.histogram);
    memset(into.expected, 0, sizeof into.expected);
    check(&into);
    stint_arena_free(&from.arena);
    stint_arena_free(&into.arena);
}

/* What most calling contexts have is a piece or two. */
TEST(a_histogram_takes_a_cache_line_for_neighbouring_buckets)
{
    struct fixture fixture = {.histogram = NULL};
    assert_true(sizeof *fixture.histogram <= 64);
    for (uint32_t bucket = 0; bucket < STINT_HISTOGRAM_PIECE; ++bucket)
        add(&fixture, 5 * STINT_HISTOGRAM_PIECE + bucket, 1);
    assert_int_equal(pieces(fixture.histogram), 1);
    add(&fixture, STINT_I_BUCKETS - 1, 1);
    assert_int_equal(pieces(fixture.histogram), 2);
    stint_arena_free(&fixture.arena);
}

TEST(samples_without_memory_are_lost_and_counted)
{
    struct fixture fixture = {.histogram = NULL};
    struct stint_histogram *into = NULL;
    assert_int_equal(stint_histogram_add(&into, 7, 1, NULL), -1);
    add(&fixture, 7, 3);
    add(&fixture, 900, UINT16_MAX);
    assert_int_equal(stint_histogram_merge(&into, fixture.histogram, NULL), 3 + UINT16_MAX);
    assert_int_equal(stint_histogram_add(&fixture.histogram, 7, 2, NULL), 0);
    assert_int_equal(stint_histogram_add(&fixture.histogram, 900, 1, NULL), -1);
    assert_int_equal(stint_histogram_samples(fixture.histogram, 900), UINT16_MAX);
    stint_arena_free(&fixture.arena);
}
