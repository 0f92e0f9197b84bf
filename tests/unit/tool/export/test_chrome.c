#include <stdio.h>
#include <string.h>

#include "export/fixture.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

TEST_ONCE(NULL, fixture_gpu_teardown)

TEST(everything_is_as_it_was)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    check_export(STINT_EXPORT_CHROME, snapshot, fixture_events(snapshot), "export_chrome_events.json");
}

TEST(own_events_of_a_snapshot_are_exported)
{
    check_export(STINT_EXPORT_CHROME, fixture_gpu(), NULL, "export_chrome_gpu.json");
}

TEST(nasty_names_stay_json)
{
    check_export(STINT_EXPORT_CHROME, fixture_gpu_nasty(), NULL, "export_chrome_nasty.json");
}

TEST(largest_numbers_stay_json)
{
    check_export(STINT_EXPORT_CHROME, fixture_gpu_extreme(), NULL, "export_chrome_extreme.json");
}

TEST(without_events_there_is_an_empty_list)
{
    check_export(STINT_EXPORT_CHROME, fixture_empty(), fixture_no_events(), "export_chrome_empty.json");
}

/* ----------------------------------------------------------------------------------------------------------- slices */

struct slice {
    long long pid;
    unsigned long long tid;
    long long start_ns;
    long long end_ns;
};

/* Reads the next slice behind `at`; returns where it ends, or NULL. */
static const char *next_slice(const char *at, struct slice *slice)
{
    at = strstr(at, "{\"ph\": \"X\"");
    if (!at)
        return NULL;
    at = strstr(at, "\"pid\": ");
    long long start[2], duration[2];
    assert_int_equal(sscanf(at, "\"pid\": %lld, \"tid\": %llu, \"ts\": %lld.%3lld, \"dur\": %lld.%3lld", &slice->pid,
                            &slice->tid, &start[0], &start[1], &duration[0], &duration[1]),
                     6);
    slice->start_ns = 1000 * start[0] + start[1];
    slice->end_ns = slice->start_ns + 1000 * duration[0] + duration[1];
    return at;
}

/* Perfetto and chrome://tracing draw slices of a thread that overlap wrong. */
TEST(slices_of_a_thread_nest)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture out = export_as(STINT_EXPORT_CHROME, snapshot, fixture_events(snapshot));
    struct slice a, b;
    size_t pairs = 0;
    for (const char *at = out.text; (at = next_slice(at, &a));)
        for (const char *other = at; (other = next_slice(other, &b));) {
            if (a.pid != b.pid || a.tid != b.tid)
                continue;
            assert_true(b.start_ns >= a.end_ns || b.end_ns <= a.end_ns);
            pairs++;
        }
    assert_true(pairs > 3);
}

/* Counts the lines that have both texts. */
static int lines_with(const char *text, const char *a, const char *b)
{
    int count = 0;
    for (const char *line = text, *end; *line; line = end + (*end != '\0')) {
        end = line + strcspn(line, "\n");
        const char *first = strstr(line, a), *second = strstr(line, b);
        count += first && first < end && second && second < end;
    }
    return count;
}

TEST(arrows_of_two_processes_are_apart)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture out = export_as(STINT_EXPORT_CHROME, snapshot, fixture_events(snapshot));
    assert_int_equal(lines_with(out.text, "\"ph\": \"s\"", "\"id\": 11,"), 1);
    assert_int_equal(lines_with(out.text, "\"ph\": \"f\"", "\"id\": 11,"), 1);
    assert_int_equal(lines_with(out.text, "\"ph\": \"s\"", "\"id\": 4294967307,"), 1);
    assert_int_equal(lines_with(out.text, "\"ph\": \"f\"", "\"id\": 4294967307,"), 1);
}

/* Devices have their numbers as pids, so that process 1 would be device 1. */
TEST(process_with_a_devices_number_is_no_device)
{
    const struct stint_snapshot *snapshot = fixture_gpu();
    struct capture out = export_as(STINT_EXPORT_CHROME, snapshot, fixture_events(snapshot));
    assert_int_equal(lines_with(out.text, "\"name\": \"of another process\"", "\"pid\": 1,"), 0);
    assert_int_equal(lines_with(out.text, "\"name\": \"Memcpy PtoP", "\"pid\": 1,"), 1);
}
