#include "gpu/activity_table.h"

#include <string.h>

#include "contexts/contexts.h"
#include "memory.h"
#include "record/registry.h"
#include "stint_test.h"

enum { LIMIT = 1000, FIRST_PATH = STINT_PATH_ROOT + 1 };

static int start(void **state)
{
    stint_dropped = (struct stint_dropped){0};
    if (stint_activities_start(LIMIT))
        return -1;
    stint_activities_forget();
    return 0;
}

static struct stint_activity_entry *activity(uint32_t name)
{
    return stint_activities_find(&(struct stint_activity_key){.kind = STINT_GPU_COPY, .name = name});
}

static void check(const struct stint_activity_sum *sum, uint64_t count, uint64_t total, uint64_t min, uint64_t max)
{
    assert_int_equal(sum->count, count);
    assert_int_equal(sum->total_ns, total);
    assert_int_equal(sum->min_ns, min);
    assert_int_equal(sum->max_ns, max);
}

/* Must run first: tables are made once. */
TEST(without_memory_the_start_fails_and_can_be_repeated)
{
    for (int calls = 0; calls < 4; ++calls) {
        memory_fail_once_after(0);
        assert_int_equal(stint_activities_start(LIMIT), -1);
        assert_int_equal(memory_recover(), 1);
    }
    assert_int_equal(stint_activities_start(100 * LIMIT), 0); /* the first decides: some tables are there */
    assert_int_equal(stint_activities_start(LIMIT), 0);
}

TEST_SETUP(activities_differ_by_each_part_of_their_key, start)
{
    const struct stint_activity_key keys[] = {
        {.kind = STINT_GPU_KERNEL},
        {.kind = STINT_GPU_COPY},
        {.kind = STINT_GPU_KERNEL, .name = 1},
        {.kind = STINT_GPU_KERNEL, .device = 1},
        {.kind = STINT_GPU_KERNEL, .context = 1},
        {.kind = STINT_GPU_KERNEL, .stream = 1},
    };
    const struct stint_activity_entry *found[TEST_COUNT(keys)];
    for (size_t i = 0; i < TEST_COUNT(keys); ++i)
        found[i] = stint_activities_find(&keys[i]);
    assert_int_equal(stint_activities_activity_count(), TEST_COUNT(keys));
    for (size_t i = 0; i < TEST_COUNT(keys); ++i)
        assert_ptr_equal(stint_activities_find(&keys[i]), found[i]);
    assert_int_equal(stint_activities_activity_count(), TEST_COUNT(keys));
}

TEST_SETUP(without_memory_for_percentiles_the_rest_is_counted, start)
{
    struct stint_activity_entry *rows[LIMIT];
    struct stint_bin bins[STINT_I_BUCKETS];
    uint64_t missing = 0;
    memory_fail_after(0);
    for (uint32_t i = 0; i < LIMIT; i++)
        for (unsigned shift = 0; shift < 60; shift++)
            stint_activities_add(rows[i] = activity(i), STINT_PATH_ROOT, UINT64_C(1) << shift, 0);
    memory_recover();
    for (uint32_t i = 0; i < LIMIT; i++) {
        assert_int_equal(rows[i]->sum.count, 60);
        missing += 60;
        for (size_t bin = stint_activities_bins(rows[i], bins); bin > 0; bin--)
            missing -= bins[bin - 1].count;
    }
    assert_true(missing > 0);
    assert_int_equal(stint_dropped.percentiles, missing);
}

TEST_SETUP(an_activity_has_count_total_min_max_and_squares, start)
{
    struct stint_activity_entry *row = activity(1);
    stint_activities_add(row, STINT_PATH_NONE, 30, 7);
    stint_activities_add(row, STINT_PATH_NONE, 10, 9);
    stint_activities_add(row, STINT_PATH_NONE, 20, 5);
    check(&row->sum, 3, 60, 10, 30);
    assert_true(row->square_ns2 == 900 + 100 + 400);
    assert_int_equal(row->sum.bytes, 21);
    assert_int_equal(row->min_bytes, 5);
    assert_int_equal(row->max_bytes, 9);
    assert_true(row->square_bytes2 == 49 + 81 + 25);
}

TEST_SETUP(an_event_of_0_ns_counts, start)
{
    struct stint_activity_entry *row = activity(1);
    stint_activities_add(row, STINT_PATH_NONE, 5, 1);
    stint_activities_add(row, STINT_PATH_NONE, 0, 0);
    stint_activities_add(row, STINT_PATH_NONE, 3, 1);
    check(&row->sum, 3, 8, 0, 5);
    assert_int_equal(row->min_bytes, 0);
}

TEST_SETUP(each_path_has_its_charge, start)
{
    struct stint_activity_entry *row = activity(1), *other = activity(2);
    stint_activities_add(row, FIRST_PATH, 1, 0);
    stint_activities_add(other, FIRST_PATH, 2, 0);
    stint_activities_add(row, FIRST_PATH + 1, 4, 0);
    stint_activities_add(row, FIRST_PATH, 8, 0);
    stint_activities_add(row, FIRST_PATH, 16, 3);
    assert_int_equal(stint_activities_charge_count(), 3);
    check(&stint_activities_charge(0)->sum, 3, 25, 1, 16);
    check(&stint_activities_charge(1)->sum, 1, 2, 2, 2);
    check(&stint_activities_charge(2)->sum, 1, 4, 4, 4);
    assert_int_equal(stint_activities_charge(0)->sum.bytes, 3);
    assert_int_equal(stint_activities_charge(1)->activity, 1);
    assert_int_equal(stint_activities_charge(2)->path, FIRST_PATH + 1);
    assert_int_equal(row->no_scope.count + row->unattributed.count, 0);
}

TEST_SETUP(what_has_no_scope_needs_no_charge, start)
{
    struct stint_activity_entry *row = activity(1);
    stint_activities_add(row, STINT_PATH_ROOT, 5, 2);
    stint_activities_add(row, STINT_PATH_NONE, 7, 3);
    assert_int_equal(stint_activities_charge_count(), 0);
    check(&row->no_scope, 1, 5, 5, 5);
    check(&row->unattributed, 1, 7, 7, 7);
}

TEST_SETUP(beyond_the_limit_there_is_no_activity, start)
{
    for (uint32_t i = 0; i < LIMIT; ++i) {
        assert_false(stint_activities_are_full());
        assert_non_null(activity(i));
    }
    assert_true(stint_activities_are_full());
    assert_null(activity(LIMIT));
    assert_non_null(activity(LIMIT - 1));
    assert_int_equal(stint_activities_activity_count(), LIMIT);
}

TEST_SETUP(what_lacks_room_for_its_charge_is_unattributed_and_counted, start)
{
    struct stint_activity_entry *row = activity(1);
    for (uint32_t i = 0; i < LIMIT + 7; ++i)
        stint_activities_add(row, FIRST_PATH + i, 10, 1);
    stint_activities_add(row, FIRST_PATH, 10, 1);
    assert_int_equal(stint_activities_charge_count(), LIMIT);
    check(&row->sum, LIMIT + 8, 10 * (LIMIT + 8), 10, 10);
    check(&row->unattributed, 7, 70, 10, 10);
    check(&stint_activities_charge(0)->sum, 2, 20, 10, 10);
    assert_int_equal(stint_dropped.gpu_activities, 7);
}

TEST_SETUP(charges_add_up_to_their_activity, start)
{
    struct stint_activity_sum sums[50] = {0};
    uint64_t random = 1;
    for (int i = 0; i < 100000; ++i)
        stint_activities_add(activity((uint32_t)test_random(&random) % 50), (uint32_t)test_random(&random) % 40,
                             test_random(&random) % 100000, test_random(&random) % 1000);
    for (size_t i = 0; i < stint_activities_charge_count(); ++i) {
        const struct stint_activity_charge *charge = stint_activities_charge(i);
        sums[charge->activity].count += charge->sum.count;
        sums[charge->activity].total_ns += charge->sum.total_ns;
        sums[charge->activity].bytes += charge->sum.bytes;
    }
    for (size_t i = 0; i < stint_activities_activity_count(); ++i) {
        const struct stint_activity_entry *row = stint_activities_activity(i);
        assert_int_equal(sums[i].count + row->no_scope.count + row->unattributed.count, row->sum.count);
        assert_int_equal(sums[i].total_ns + row->no_scope.total_ns + row->unattributed.total_ns, row->sum.total_ns);
        assert_int_equal(sums[i].bytes + row->no_scope.bytes + row->unattributed.bytes, row->sum.bytes);
    }
    assert_true(stint_dropped.gpu_activities > 0); /* 50 activities in 38 scopes are more than LIMIT */
}

/* -------------------------------------------------------------------------------------------------------- histogram */

TEST_SETUP(bins_are_by_rising_ns_and_hold_every_event, start)
{
    static const uint64_t spans[] = {0, 1, 15, 15, 1000, 1000000, UINT64_C(1) << 43, UINT64_C(1) << 50, UINT64_MAX / 2};
    struct stint_activity_entry *row = activity(1);
    struct stint_bin bins[STINT_I_BUCKETS];
    uint64_t events = 0;
    for (size_t i = 0; i < TEST_COUNT(spans); ++i)
        stint_activities_add(row, STINT_PATH_NONE, spans[i], 0);
    size_t count = stint_activities_bins(row, bins);
    assert_int_equal(count, 8); /* 15 twice */
    for (size_t i = 0; i < count; ++i) {
        assert_true(!i || bins[i].ns > bins[i - 1].ns);
        events += bins[i].count;
    }
    assert_int_equal(events, TEST_COUNT(spans));
    assert_int_equal(bins[0].ns, 0);
    assert_int_equal(bins[2].ns, 15);
    assert_int_equal(bins[2].count, 2);
    assert_in_range(bins[3].ns, 1000 - 1000 / 128, 1000 + 1000 / 128);
}

TEST_SETUP(forgetting_forgets_all, start)
{
    stint_activities_add(activity(1), FIRST_PATH, 10, 1);
    stint_activities_forget();
    assert_int_equal(stint_activities_activity_count(), 0);
    assert_int_equal(stint_activities_charge_count(), 0);
    stint_activities_add(activity(2), FIRST_PATH, 20, 1);
    stint_activities_add(activity(1), FIRST_PATH, 5, 1);
    assert_int_equal(stint_activities_activity_count(), 2);
    check(&stint_activities_activity(0)->sum, 1, 20, 20, 20);
    check(&stint_activities_charge(0)->sum, 1, 20, 20, 20);
    check(&stint_activities_charge(1)->sum, 1, 5, 5, 5);
}
