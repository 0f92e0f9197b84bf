#include <stdio.h>
#include <string.h>

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

TEST(slices_that_follow_or_nest_share_a_lane)
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

TEST(slice_that_overlaps_goes_to_the_next_lane)
{
    struct stint_tracks tracks = {0};
    assert_int_equal(place(&tracks, 0, 100), 0);
    assert_int_equal(place(&tracks, 99, 101), 1);
    assert_int_equal(place(&tracks, 100, 200), 0);
    assert_int_equal(place(&tracks, 100, 300), 2); /* over the second of the first lane, and the rest of the second's */
    assert_int_equal(place(&tracks, 200, 300), 0);
    stint_tracks_free(&tracks);
}

TEST(tracks_differ_in_each_of_their_parts)
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

TEST(ends_come_innermost_first_and_in_time)
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

TEST(memory_is_that_of_what_is_open)
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

TEST(beyond_the_last_lane_slices_are_cut_short)
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

TEST(without_memory_there_is_no_lane)
{
    struct stint_tracks tracks = {0};
    memory_fail_after(0);
    assert_int_equal(stint_tracks_place(&tracks, &s_track, 0, 1), STINT_INDEX_NONE);
    (void)memory_recover();
    stint_tracks_free(&tracks);
}

/* What was shown: "start=percent ", pieces of time are 1000 ns. */
static char s_shown[1024];
static struct stint_busy s_busy;

static void show(void *context, uint32_t device, uint64_t start_ns, double percent)
{
    size_t used = strlen(s_shown);
    assert_int_equal(device, 3);
    snprintf(s_shown + used, sizeof s_shown - used, "%llu=%g ", (unsigned long long)start_ns, percent);
}

static void begin(void)
{
    s_shown[0] = '\0';
    s_busy = (struct stint_busy){.device = 3, .piece_ns = 1000};
}

static void add(uint64_t start_ns, uint64_t end_ns)
{
    stint_busy_add(&s_busy, start_ns, end_ns, show, NULL);
}

static const char *end(void)
{
    stint_busy_end(&s_busy, show, NULL);
    return s_shown;
}

TEST(idle_device_shows_nothing)
{
    begin();
    add(5, 5);
    assert_string_equal(end(), "");
}

TEST(share_of_a_piece_is_that_in_which_it_worked)
{
    begin();
    add(100, 200);
    add(500, 650);
    assert_string_equal(end(), "0=25 1000=0 ");
}

TEST(what_overlaps_counts_once)
{
    begin();
    add(0, 400);
    add(100, 300);
    add(200, 500);
    assert_string_equal(end(), "0=50 1000=0 ");
}

TEST(work_of_several_pieces_is_divided)
{
    begin();
    add(1900, 4300);
    assert_string_equal(end(), "1000=10 2000=100 4000=30 5000=0 ");
}

TEST(pause_between_pieces_is_shown)
{
    begin();
    add(0, 500);
    add(7000, 7100);
    assert_string_equal(end(), "0=50 1000=0 7000=10 8000=0 ");
}

TEST(same_share_is_shown_once)
{
    begin();
    add(0, 500);
    add(1000, 1500);
    add(2000, 2250);
    assert_string_equal(end(), "0=50 2000=25 3000=0 ");
}

TEST(endless_work_is_shown_as_quickly_as_short)
{
    begin();
    add(500, UINT64_C(1) << 62);
    assert_non_null(strstr(end(), "0=50 1000=100 4611686018427387000="));
}

TEST(pieces_are_about_a_thousand)
{
    struct stint_arena arena = {0};
    struct stint_array devices = {0};
    assert_int_equal(stint_busy_of(&devices, &arena, 1, 5000000)->piece_ns, 5000);
    assert_int_equal(stint_busy_of(&devices, &arena, 2, 0)->piece_ns, 1000);
    assert_int_equal(stint_busy_of(&devices, &arena, 1, 0)->piece_ns, 5000);
    assert_int_equal(devices.count, 2);
    stint_arena_free(&arena);
}
