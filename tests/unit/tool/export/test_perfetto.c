#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/fixture.h"
#include "export/perfetto_text.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static struct capture text_of(const struct stint_snapshot *snapshot, struct stint_event_source *events)
{
    struct capture trace = export_as(STINT_EXPORT_PERFETTO, snapshot, events);
    struct capture text = perfetto_text(&trace);
    capture_free(&trace);
    return text;
}

static void check_text(const struct stint_snapshot *snapshot, struct stint_event_source *events, const char *file)
{
    struct capture text = text_of(snapshot, events);
    assert_golden(&text, file);
    capture_free(&text);
}

static void everything_is_as_it_was(void **state)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    check_text(snapshot, fixture_events(snapshot), "export_perfetto_events.txt");
}

static void own_events_of_a_snapshot_are_exported(void **state)
{
    check_text(fixture_gpu(), NULL, "export_perfetto_gpu.txt");
}

static void nasty_names_stay_utf8(void **state)
{
    check_text(fixture_gpu_nasty(), NULL, "export_perfetto_nasty.txt");
}

static void largest_numbers_stay_whole(void **state)
{
    check_text(fixture_gpu_extreme(), NULL, "export_perfetto_extreme.txt");
}

static void without_events_there_is_the_clock(void **state)
{
    check_text(fixture_empty(), fixture_no_events(), "export_perfetto_empty.txt");
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
    struct capture text = text_of(snapshot, fixture_events(snapshot));
    for (const char *at = text.text, *end; (at = strstr(at, "packet {\n")); at = end) {
        end = strstr(at, "\n}\n");
        uint64_t type = number(at, end, "    type: "), ns = number(at, end, "timestamp: ");
        if (type != 1 && type != 2)
            continue;
        struct track *track = track_of(tracks, number(at, end, "track_uuid: "));
        assert_true(ns >= track->last_ns);
        track->last_ns = ns;
        assert_true(type == 1 || track->depth > 0);
        track->depth += type == 1 ? 1 : UINT64_MAX;
    }
    for (size_t i = 0; i < MOST_TRACKS; i++)
        assert_int_equal(tracks[i].depth, 0);
    assert_true(tracks[4].uuid);
    capture_free(&text);
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
    struct capture text = text_of(snapshot, fixture_events(snapshot));
    const char *first = strstr(text.text, "name: \"first(float*)\"");
    assert_non_null(first);
    const char *kernel = strstr(first + 1, "name: \"first(float*)\""); /* of the kernel, and then demangled */
    assert_non_null(kernel);
    assert_non_null(strstr(kernel + 1, "demangled_name: \"first(float*)\""));
    assert_null(strstr(strstr(kernel + 1, "demangled_name") + 20, "first(float*)"));
    capture_free(&text);
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
        cmocka_unit_test(nasty_names_stay_utf8),
        cmocka_unit_test(largest_numbers_stay_whole),
        cmocka_unit_test(without_events_there_is_the_clock),
        cmocka_unit_test(slices_of_a_track_are_balanced_and_in_time),
        cmocka_unit_test(every_packet_stands_alone),
        cmocka_unit_test(name_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixture);
}
