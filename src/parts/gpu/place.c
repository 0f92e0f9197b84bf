/* From the times that a call and a record have to those in a snapshot or a recording, where work never begins before
 * its launch. */
#include "gpu/place.h"

static uint64_t not_negative(int64_t ns)
{
    return ns < 0 ? 0 : (uint64_t)ns;
}

static void place_call(const struct stint_timeline *timeline, struct stint_gpu_event *event)
{
    event->start_ns = not_negative(stint_timeline_of_ticks(timeline, event->start_ns));
    event->end_ns = not_negative(stint_timeline_of_ticks(timeline, event->end_ns));
}

static int place_activity(const struct stint_timeline *timeline, uint64_t launch_ticks, struct stint_gpu_event *event)
{
    uint64_t span = event->end_ns - event->start_ns;
    int64_t start = stint_timeline_of_cupti(timeline, event->start_ns);
    int64_t launch = launch_ticks ? stint_timeline_of_ticks(timeline, launch_ticks) : start;
    int early = 0;

    if (start < launch) {
        early = (double)(launch - start) > timeline->error_ns;
        start = launch;
    }
    event->start_ns = not_negative(start);
    event->end_ns = event->start_ns + span;
    return early;
}

int stint_trace_place(const struct stint_timeline *timeline, const struct stint_trace_event *traced,
                      struct stint_gpu_event *event)
{
    *event = traced->event;
    if (!event->api)
        return place_activity(timeline, traced->launch, event);
    place_call(timeline, event);
    return 0;
}
