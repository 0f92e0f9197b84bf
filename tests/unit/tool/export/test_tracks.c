#include "export/tracks.h"
#include "memory.h"
#include "stint_test.h"

static const struct stint_track s_track = {.kind = STINT_TRACK_STREAM, .pid = 1, .stream = 7};

static size_t place(struct stint_tracks *tracks, uint64_t start_ns, uint64_t end_ns)
{
    size_t position = stint_tracks_place(tracks, &s_track, start_ns, end_ns);
    assert_true(position < tracks->lanes.count);
    return stint_tracks_lane(tracks, position)->number;
}

static void slices_that_follow_or_nest_share_a_lane(void **state)
{
    struct stint_tracks tracks = {0};
    assert_int_equal(place(&tracks, 0, 100), 0);
    assert_int_equal(place(&tracks, 0, 50), 0);
    assert_int_equal(place(&tracks, 10, 50), 0);
    assert_int_equal(place(&tracks, 50, 100), 0);
    assert_int_equal(place(&tracks, 100, 101), 0);
    assert_int_equal(tracks.lanes.count, 1);
    stint_tracks_free(&tracks);
}

static void slice_that_overlaps_goes_to_the_next_lane(void **state)
{
    struct stint_tracks tracks = {0};
    assert_int_equal(place(&tracks, 0, 100), 0);
    assert_int_equal(place(&tracks, 99, 101), 1);
    assert_int_equal(place(&tracks, 100, 200), 0);
    assert_int_equal(place(&tracks, 100, 300), 2); /* over the second of the first lane, and the rest of the second's */
    assert_int_equal(place(&tracks, 200, 300), 0);
    stint_tracks_free(&tracks);
}

static void tracks_differ_in_each_of_their_parts(void **state)
{
    const struct stint_track others[] = {
        {.kind = STINT_TRACK_SPANS, .pid = 1, .stream = 7},
        {.kind = STINT_TRACK_STREAM, .pid = 2, .stream = 7},
        {.kind = STINT_TRACK_STREAM, .pid = 1, .stream = 8},
        {.kind = STINT_TRACK_STREAM, .pid = 1, .stream = 7, .tid = 1},
        {.kind = STINT_TRACK_STREAM, .pid = 1, .stream = 7, .device = 1},
        {.kind = STINT_TRACK_STREAM, .pid = 1, .stream = 7, .context = 1},
    };
    struct stint_tracks tracks = {0};
    size_t first = stint_tracks_find(&tracks, &s_track);
    for (size_t i = 0; i < TEST_COUNT(others); i++)
        assert_int_equal(stint_tracks_find(&tracks, &others[i]), i + 1);
    assert_int_equal(stint_tracks_find(&tracks, &s_track), first);
    stint_tracks_free(&tracks);
}

/* What a reader of begins and ends would see. */
struct seen {
    uint64_t open[64][64]; /* by lane */
    size_t count[64];
    uint64_t last_ns;
    size_t ended;
};

static void see_end(void *context, struct stint_lane *lane, uint64_t end_ns)
{
    struct seen *const seen = context;
    assert_true(seen->count[lane->number] > 0);
    assert_int_equal(seen->open[lane->number][--seen->count[lane->number]], end_ns);
    seen->ended++;
}

static void ends_come_innermost_first_and_in_time(void **state)
{
    static struct seen seen;
    struct stint_tracks tracks = {.closed = see_end, .context = &seen};
    uint64_t random = 1, start_ns = 0;
    for (int i = 0; i < 20000; i++) {
        start_ns += test_random(&random) % 20;
        uint64_t end_ns = start_ns + test_random(&random) % 100;
        size_t lane = place(&tracks, start_ns, end_ns);
        assert_true(lane < 64 && seen.count[lane] < 64);
        for (size_t j = 0; j < seen.count[lane]; j++)
            assert_true(seen.open[lane][j] >= end_ns && seen.open[lane][j] > start_ns);
        seen.open[lane][seen.count[lane]++] = end_ns;
    }
    stint_tracks_close(&tracks);
    assert_int_equal(seen.ended, 20000);
    assert_true(tracks.lanes.count > 2);
    stint_tracks_free(&tracks);
}

static void memory_is_that_of_what_is_open(void **state)
{
    struct stint_tracks tracks = {0};
    for (uint64_t i = 0; i < 1000; i++)
        place(&tracks, 10 * i, 10 * i + 25);
    size_t mapped = tracks.arena.mapped;
    for (uint64_t i = 1000; i < 200000; i++)
        place(&tracks, 10 * i, 10 * i + 25);
    assert_int_equal(tracks.arena.mapped, mapped);
    stint_tracks_free(&tracks);
}

static void beyond_the_last_lane_slices_are_cut_short(void **state)
{
    struct stint_tracks tracks = {0};
    for (uint64_t i = 0; i < STINT_LANES_MOST; i++)
        assert_int_equal(place(&tracks, i, 10000 + i), i);
    assert_int_equal(place(&tracks, STINT_LANES_MOST, 20000), STINT_LANES_MOST - 1);
    assert_int_equal(tracks.lanes.count, STINT_LANES_MOST);
    const struct stint_lane *last = stint_tracks_lane(&tracks, STINT_LANES_MOST - 1);
    assert_int_equal(last->ends.count, 2);
    assert_int_equal(((const uint64_t *)last->ends.items)[1], 10000 + STINT_LANES_MOST - 1);
    stint_tracks_free(&tracks);
}

static void without_memory_there_is_no_lane(void **state)
{
    struct stint_tracks tracks = {0};
    memory_fail_after(0);
    assert_int_equal(stint_tracks_place(&tracks, &s_track, 0, 1), STINT_INDEX_NONE);
    (void)memory_recover();
    stint_tracks_free(&tracks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_that_follow_or_nest_share_a_lane),
        cmocka_unit_test(slice_that_overlaps_goes_to_the_next_lane),
        cmocka_unit_test(tracks_differ_in_each_of_their_parts),
        cmocka_unit_test(ends_come_innermost_first_and_in_time),
        cmocka_unit_test(memory_is_that_of_what_is_open),
        cmocka_unit_test(beyond_the_last_lane_slices_are_cut_short),
        cmocka_unit_test(without_memory_there_is_no_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
