#include "model/event.h"
#include "stint/snapshot.h"
#include "stint_test.h"

static const struct stint_gpu_event s_rows[] = {
    {.api = 1, .name = "cudaLaunchKernel", .start_ns = 10, .end_ns = 30, .tid = 7, .context = 3, .correlation = 1},
    {.kind = STINT_GPU_KERNEL, .name = "axpy", .start_ns = 40, .end_ns = 90, .context = 3, .correlation = 1},
};

static const struct stint_snapshot s_snapshot = {.process = {.pid = 42}, .gpu_events = s_rows, .gpu_event_count = 2};

static struct stint_snapshot_events *made(void)
{
    static struct stint_snapshot_events events;
    stint_snapshot_events_begin(&events, &s_snapshot);
    assert_int_equal(events.source.begin(&events.source), 0);
    return &events;
}

TEST(calls_and_devices_come_in_order)
{
    struct stint_event_source *const source = &made()->source;
    struct stint_event event;
    assert_int_equal(source->next(source, &event), 1);
    assert_int_equal(event.kind, STINT_EVENT_CALL);
    assert_string_equal(event.name, "cudaLaunchKernel");
    assert_string_equal(event.set, "");
    assert_int_equal(event.start_ns, 10);
    assert_int_equal(event.end_ns, 30);
    assert_int_equal(event.pid, 42);
    assert_int_equal(event.tid, 7);
    assert_int_equal(event.context, 3);
    assert_ptr_equal(event.gpu, &s_rows[0]);
    assert_int_equal(source->next(source, &event), 1);
    assert_int_equal(event.kind, STINT_EVENT_DEVICE);
    assert_ptr_equal(event.gpu, &s_rows[1]);
    assert_int_equal(source->next(source, &event), 0);
    assert_int_equal(source->next(source, &event), 0);
}

TEST(they_may_be_read_again)
{
    struct stint_event_source *const source = &made()->source;
    struct stint_event event;
    while (source->next(source, &event))
        continue;
    assert_int_equal(source->begin(source), 0);
    assert_int_equal(source->next(source, &event), 1);
    assert_int_equal(event.start_ns, 10);
}
