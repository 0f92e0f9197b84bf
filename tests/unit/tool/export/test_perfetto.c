#include <string.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

/* Fields are numbers here: 11 is an event of a track, 12 names that are told, 53 work of a GPU, 60 a track. */
TEST(everything_is_as_it_was)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    assert_golden(packets_of(snapshot, fixture_events(snapshot)), "export_perfetto_events.txt");
}

static void check_has(const struct stint_snapshot *snapshot, struct stint_event_source *events, const char *text)
{
    struct capture packets = packets_of(snapshot, events);
    if (!strstr(packets.text, text))
        fail_msg("there is no %s in %s", text, packets.text);
}

TEST(own_events_of_a_snapshot_are_exported)
{
    check_has(fixture_gpu(), NULL, "\"cudaLaunchKernel\"");
}

TEST(nasty_names_are_whole)
{
    check_has(fixture_gpu_nasty(), NULL, "\"comma, \\\"quote\\\" and \\\\backslash\"");
    check_has(fixture_gpu_nasty(), NULL, "\"cuda\\nNew\"");
}

TEST(largest_numbers_stay_whole)
{
    check_has(fixture_gpu_extreme(), NULL, ": 18446744073709551615 ");
}

TEST(without_events_there_is_the_clock)
{
    check_has(fixture_empty(), fixture_no_events(), "1 { 10: 1 6 { 1 { 1: 1 2: ");
}

/* ----------------------------------------------------------------------------------------------------------- slices */

struct track {
    uint64_t uuid;
    uint64_t depth;
    uint64_t last_ns;
};

/* Whatever is lost at the end, what stands before it can be read. */
TEST(every_packet_stands_alone)
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
}
