/* Options that choose a part of a recording by what its events say. */
#include "cli/options.h"

#include <string.h>

#include "captured_output.h"
#include "listed_events.h"
#include "stint_test.h"

enum { MS = 1000000 };

static struct stint_subset_options s_options;

/* Reads a value as that of an option. */
static int read_subset(stint_option_read *read, const char *text)
{
    const struct stint_option option = {.name = "filter"};
    captured_output_begin();
    int failed = read(&s_options, &option, text);
    captured_output_end();
    return failed;
}

static void check_time(const char *text, uint64_t from_ns, uint64_t to_ns)
{
    assert_int_equal(read_subset(stint_subset_time, text), 0);
    assert_int_equal(s_options.subset.from_ns, from_ns);
    assert_int_equal(s_options.subset.to_ns, to_ns);
}

TEST(times_are_exact_in_all_units)
{
    check_time("1.5s/2s", 1500 * MS, 2000 * (uint64_t)MS);
    check_time("200ms/", 200 * MS, UINT64_MAX);
    check_time("/1000000", 0, MS);
    check_time("1us/2.0015us", 1000, 2001);
    check_time(".5ms/1ms", MS / 2, MS);
}

TEST(other_times_are_refused)
{
    static const char *const texts[] = {"",
                                        "1",
                                        "/",
                                        "5ms/1ms",
                                        "1s/1s",
                                        "1x/",
                                        "1/2/3",
                                        "-1/",
                                        "1.2.3/",
                                        "./",
                                        "ms/",
                                        "1e3/",
                                        "1..5/2",
                                        "99999999999999999999/",
                                        "9999999999s/"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(read_subset(stint_subset_time, texts[i]), -1);
        assert_non_null(
            strstr(captured_output.err, ": expected START/END since the start of the recording, such as 1.5s/2s"));
    }
}

TEST(processes_and_devices_are_numbers)
{
    assert_int_equal(read_subset(stint_subset_process, "4711"), 0);
    assert_true(s_options.subset.has_pid && s_options.subset.pid == 4711);
    assert_int_equal(read_subset(stint_subset_device, "1"), 0);
    assert_true(s_options.subset.has_device && s_options.subset.device == 1);
    assert_int_equal(read_subset(stint_subset_process, "0"), -1);
    assert_int_equal(read_subset(stint_subset_device, "gpu"), -1);
    assert_int_equal(read_subset(stint_subset_range, "step/x"), -1);
    assert_non_null(strstr(captured_output.err, "--filter step/x: expected RANGE or RANGE@DOMAIN"));
    assert_int_equal(read_subset(stint_subset_range, "@domain"), -1);
}

/* -------------------------------------------------------------------------------------------------------- recording */

static const char *const s_sets[] = {"GlobalStatInfo"};

static const struct stint_event s_events[] = {
    {.kind = STINT_EVENT_RANGE, .name = "a/b", .set = "NVTX:data", .start_ns = 10, .end_ns = 30, .pid = 1, .tid = 1},
    {.kind = STINT_EVENT_SCOPE,
     .name = "step",
     .set = "GlobalStatInfo",
     .start_ns = 100,
     .end_ns = 150,
     .pid = 1,
     .tid = 1},
    {.kind = STINT_EVENT_SCOPE,
     .name = "step",
     .set = "GlobalStatInfo",
     .start_ns = 200,
     .end_ns = 260,
     .pid = 1,
     .tid = 1},
};

/* Returns what part is taken, and in *taken which; keeps what is said. */
static struct stint_snapshot *take(const char *range, size_t events, struct stint_subset *taken)
{
    static struct stint_snapshot s_whole = {
        .process = {.command = "", .host = "", .clock = ""}, .gpu = {.reason = ""}, .sets = s_sets, .set_count = 1};
    struct listed_events list = LISTED_EVENTS(s_events, events);
    struct stint_profile profile = {.snapshot = &s_whole, .events = events ? &list.source : NULL};
    s_options = (struct stint_subset_options){.range = NULL};
    if (range)
        assert_int_equal(read_subset(stint_subset_range, range), 0);
    captured_output_begin();
    struct stint_snapshot *part = stint_subset_of(&s_options, &profile, "FILE", 0, taken);
    captured_output_end();
    return part;
}

TEST(a_range_is_found_by_name_number_and_domain)
{
    static const struct {
        const char *text;
        uint64_t from_ns, to_ns;
    } ranges[] = {{"step", 100, 150}, {"step/1", 200, 260}, {"a\\/b@data", 10, 30}, {"a\\/b@*/0", 10, 30}};
    struct stint_subset taken;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        struct stint_snapshot *part = take(ranges[i].text, 3, &taken);
        assert_non_null(part);
        assert_true(taken.from_ns == ranges[i].from_ns && taken.to_ns == ranges[i].to_ns);
        stint_snapshot_free(part);
    }
}

TEST(what_cannot_be_taken_is_explained)
{
    struct stint_subset taken;
    assert_null(take("step/2", 3, &taken));
    assert_string_equal(captured_output.err,
                        "stint: --filter-nvtx step/2: FILE has 2 of these ranges, counted from 0\n");
    assert_null(take("a\\/b@other", 3, &taken));
    assert_non_null(strstr(captured_output.err, "FILE has no such range among its events"));
    assert_null(take(NULL, 0, &taken));
    assert_non_null(strstr(captured_output.err, "FILE has only statistics, but filters need events"));
}
