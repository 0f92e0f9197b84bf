#include <stdlib.h>
#include <string.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static struct capture packets_of(const struct stint_snapshot *snapshot, struct stint_event_source *events)
{
    struct capture trace = export_as(STINT_EXPORT_PERFETTO, snapshot, events);
    struct capture packets = perfetto_packets(&trace);
    capture_free(&trace);
    return packets;
}

/* Fields are numbers here: 11 is an event of a track, 12 names that are told, 53 work of a GPU, 60 a track. */
static void everything_is_as_it_was(void **state)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture packets = packets_of(snapshot, fixture_events(snapshot));
    assert_golden(&packets, "export_perfetto_events.txt");
    capture_free(&packets);
}

static void check_has(const struct stint_snapshot *snapshot, struct stint_event_source *events, const char *text)
{
    struct capture packets = packets_of(snapshot, events);
    if (!strstr(packets.text, text))
        fail_msg("there is no %s in %s", text, packets.text);
    capture_free(&packets);
}

static void own_events_of_a_snapshot_are_exported(void **state)
{
    check_has(fixture_gpu(), NULL, "\"cudaLaunchKernel\"");
}

static void nasty_names_are_whole(void **state)
{
    check_has(fixture_gpu_nasty(), NULL, "\"comma, \\\"quote\\\" and \\\\backslash\"");
    check_has(fixture_gpu_nasty(), NULL, "\"cuda\\nNew\"");
}

static void largest_numbers_stay_whole(void **state)
{
    check_has(fixture_gpu_extreme(), NULL, ": 18446744073709551615 ");
}

static void without_events_there_is_the_clock(void **state)
{
    check_has(fixture_empty(), fixture_no_events(), "1 { 10: 1 6 { 1 { 1: 1 2: ");
}

/* ----------------------------------------------------------------------------------------------------------- slices */

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

/* An end closes what is innermost, whatever its name: each needs its begin, and times may not run back. */
static void slices_of_a_track_are_balanced_and_in_time(void **state)
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
    capture_free(&packets);
}

/* Whatever is lost at the end, what stands before it can be read. */
static void every_packet_stands_alone(void **state)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture trace = export_as(STINT_EXPORT_PERFETTO, snapshot, fixture_events(snapshot));
    size_t packets = 0;
    for (size_t at = 0; at < trace.length; packets++) {
        size_t length = 0, shift = 0;
        assert_int_equal(trace.text[at++], 0x0a);
        do
            length |= (size_t)(trace.text[at] & 0x7f) << shift, shift += 7;
        while (trace.text[at++] & 0x80);
        at += length;
        assert_true(at <= trace.length);
    }
    assert_true(packets > 40);
    capture_free(&trace);
}

static void name_is_told_once(void **state)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture packets = packets_of(snapshot, fixture_events(snapshot));
    const char *name = packets.text;
    for (int i = 0; i < 3; i++) { /* as a name, and of the kernel: as it is, and demangled */
        name = strstr(name + 1, "\"first(float*)\"");
        assert_non_null(name);
    }
    assert_null(strstr(name + 1, "\"first(float*)\""));
    capture_free(&packets);
}

static int free_fixture(void **state)
{
    fixture_gpu_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_as_it_was),
        cmocka_unit_test(own_events_of_a_snapshot_are_exported),
        cmocka_unit_test(nasty_names_are_whole),
        cmocka_unit_test(largest_numbers_stay_whole),
        cmocka_unit_test(without_events_there_is_the_clock),
        cmocka_unit_test(slices_of_a_track_are_balanced_and_in_time),
        cmocka_unit_test(every_packet_stands_alone),
        cmocka_unit_test(name_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}
