/* What encoders are told: one here writes it down as lines. */
#include "export/encoder.h"

#include <math.h>
#include <stdio.h>

#include "listed_events.h"
#include "report/fixture.h"
#include "report/golden.h"
#include "stint_test.h"

__attribute__((format(printf, 2, 3))) static int tell(struct stint_walk *walk, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    stint_out_string(walk->out, line);
    return 0;
}

static int tell_lane(struct stint_walk *walk, struct stint_lane *lane, size_t position)
{
    return tell(walk, "lane %zu of %lld\n", position, (long long)lane->track.pid);
}

static void tell_process(struct stint_walk *walk, int64_t pid, size_t number)
{
    (void)tell(walk, "process %zu is %lld\n", number, (long long)pid);
}

static void tell_device(struct stint_walk *walk, uint32_t id)
{
    (void)tell(walk, "device %u\n", id);
}

static int tell_slice(struct stint_walk *walk, const struct stint_event *event, const struct stint_lane *lane)
{
    return stint_walk_process(walk, event->pid) == STINT_INDEX_NONE ? -1 : tell(walk, "slice %s\n", event->name);
}

static int tell_work(struct stint_walk *walk, const struct stint_event *event)
{
    return stint_walk_busy(walk, event) ? -1 : tell(walk, "work %s\n", event->name);
}

static void tell_closed(void *context, struct stint_lane *lane, uint64_t end_ns)
{
    (void)tell(context, "closed at %llu\n", (unsigned long long)end_ns);
}

static int tell_point(struct stint_walk *walk, const struct stint_event *event, const struct stint_words_point *point)
{
    return tell(walk, "point %s %g\n", point->curve, point->value);
}

static void tell_busy(void *context, uint32_t device, uint64_t start_ns, double percent)
{
    (void)tell(context, "device %u busy: %g %% from %llu\n", device, percent, (unsigned long long)start_ns);
}

static void tell_end(struct stint_walk *walk)
{
    (void)tell(walk, "over\n");
}

static const struct stint_encoder s_lines = {
    .size = sizeof(struct stint_walk),
    .end = tell_end,
    .lane = tell_lane,
    .process = tell_process,
    .device = tell_device,
    .slice = tell_slice,
    .work = tell_work,
    .closed = tell_closed,
    .point = tell_point,
    .busy = tell_busy,
};

/* Fails the test unless the encoder is told that; returns what the walk does. */
static int check(const struct stint_encoder *encoder, struct stint_event_source *events, char *reason,
                 const char *expected)
{
    struct stint_export_input input = {.snapshot = fixture_empty(), .events = events};
    struct capture out = {0};
    int failed = stint_walk_events(encoder, &input, capture_write, &out, reason, 100);
    assert_string_equal(out.text ? out.text : "", expected);
    return failed;
}

static void check_events(const struct stint_encoder *encoder, const struct stint_event *events, size_t count,
                         const char *expected)
{
    struct listed_events listed = LISTED_EVENTS(events, count);
    char reason[100];
    assert_int_equal(check(encoder, &listed.source, reason, expected), 0);
}

TEST(slices_nest_on_lanes_and_processes_are_numbered)
{
    static const struct stint_event events[] = {
        {.kind = STINT_EVENT_SCOPE, .name = "a", .set = "", .pid = 7, .tid = 8, .start_ns = 10, .end_ns = 20},
        {.kind = STINT_EVENT_SCOPE, .name = "b", .set = "", .pid = 7, .tid = 8, .start_ns = 12, .end_ns = 15},
        {.kind = STINT_EVENT_MARK, .name = "mark", .set = "", .pid = 9, .tid = 9, .start_ns = 13, .end_ns = 13},
        {.kind = STINT_EVENT_VALUE, .name = "loss", .set = "", .field = "", .pid = 7, .start_ns = 14, .value = 0.5},
        {.kind = STINT_EVENT_VALUE, .name = "loss", .set = "", .field = "", .pid = 7, .start_ns = 14, .value = NAN},
        {.kind = STINT_EVENT_SCOPE, .name = "c", .set = "", .pid = 7, .tid = 8, .start_ns = 30, .end_ns = 25},
    };
    check_events(&s_lines, events, TEST_COUNT(events),
                 "lane 0 of 7\nprocess 0 is 7\nslice a\nslice b\nlane 1 of 9\nprocess 1 is 9\nslice mark\n"
                 "point loss 0.5\nclosed at 15\nclosed at 20\nslice c\nclosed at 30\nover\n");
}

TEST(work_of_devices_is_a_slice_where_it_has_no_other_place)
{
    static const struct stint_gpu_event gpu = {.kind = STINT_GPU_KERNEL, .device = 3};
    static const struct stint_event event = {
        .kind = STINT_EVENT_DEVICE, .name = "k", .set = "", .pid = 7, .start_ns = 0, .end_ns = 1500, .gpu = &gpu};
    struct stint_encoder without = s_lines;
    check_events(&s_lines, &event, 1,
                 "device 3\nwork k\ndevice 3 busy: 100 % from 0\ndevice 3 busy: 0 % from 1500\nover\n");
    without.work = NULL;
    check_events(&without, &event, 1, "lane 0 of 7\nprocess 0 is 7\nslice k\nclosed at 1500\nover\n");
}

static int fail_at_once(struct stint_event_source *source)
{
    (void)snprintf(source->reason, sizeof source->reason, "the file ends too early");
    return -1;
}

TEST(failure_ends_the_walk_with_its_reason)
{
    struct stint_event_source source = {.begin = fail_at_once};
    char reason[100];
    assert_int_equal(check(&s_lines, &source, reason, ""), -1);
    assert_string_equal(reason, "the file ends too early");
}
