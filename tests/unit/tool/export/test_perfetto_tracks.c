#include <stdlib.h>
#include <string.h>

#include "export/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

/* Returns the number behind `key` before `end`, or UINT64_MAX. */
static uint64_t number(const char *at, const char *end, const char *key)
{
    at = strstr(at, key);
    return at && at < end ? strtoull(at + strlen(key), NULL, 10) : UINT64_MAX;
}

enum { MOST_TRACKS = 32 };

struct track {
    uint64_t uuid;
    uint64_t depth;
    uint64_t last_ns;
};

static struct track *track_of(struct track *tracks, uint64_t uuid)
{
    size_t i = 0;
    while (tracks[i].uuid && tracks[i].uuid != uuid)
        i++;
    assert_true(i < MOST_TRACKS - 1);
    tracks[i].uuid = uuid;
    return &tracks[i];
}

TEST_ONCE(NULL, fixture_gpu_teardown)

/* An end closes what is innermost, whatever its name: each needs its begin, and times may not run back. */
TEST(slices_of_a_track_are_balanced_and_in_time)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct track tracks[MOST_TRACKS] = {{0}};
    struct capture packets = packets_of(snapshot, fixture_events(snapshot));
    for (const char *at = packets.text, *end; (end = strchr(at, '\n')); at = end + 1) {
        uint64_t type = number(at, end, " 11 { 9: "), ns = number(at, end, " 8: ");
        if (type != 1 && type != 2)
            continue;
        struct track *track = track_of(tracks, number(strstr(at, " 11 {") + 5, end, " 11: "));
        assert_true(ns >= track->last_ns);
        track->last_ns = ns;
        assert_true(type == 1 || track->depth > 0);
        track->depth += type == 1 ? 1 : UINT64_MAX;
    }
    for (size_t i = 0; i < MOST_TRACKS; i++)
        assert_int_equal(tracks[i].depth, 0);
    assert_true(tracks[4].uuid);
}
