/* Relates CUPTI's clock to stint's by readings of both that were taken together, and says how large the error may be.
 * The samples are few, and thinned out as a run goes on, so that any length of run fits. Then takes the times that a
 * call and a record have to those in a snapshot or a recording, where work never begins before its launch. */
#include "gpu/timeline.h"

#include <math.h>

#include "base/clock.h"

struct sample {
    uint64_t ticks; /* in the middle */
    uint64_t width; /* ticks from before to after */
    uint64_t cupti_ns;
};

static struct sample s_samples[STINT_TIMELINE_SAMPLES];
static size_t s_count;

/* ---------------------------------------------------------------------------------------------------------- samples */

/* Drops every other sample. The first stays and, since their number is even, so does the last. */
static void thin_out(void)
{
    size_t kept = 1;
    for (size_t i = 1; i < s_count; i += 2)
        s_samples[kept++] = s_samples[i];
    s_count = kept;
}

static int is_near(const struct sample *a, const struct sample *b)
{
    return a->cupti_ns - b->cupti_ns + STINT_TIMELINE_NEAR_NS <= 2 * (uint64_t)STINT_TIMELINE_NEAR_NS;
}

void stint_timeline_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after)
{
    struct sample sample = {ticks_before + (ticks_after - ticks_before) / 2, ticks_after - ticks_before, cupti_ns};
    if (ticks_after < ticks_before || !cupti_ns)
        return;
    if (s_count == STINT_TIMELINE_SAMPLES)
        thin_out();
    size_t at = s_count;
    while (at && s_samples[at - 1].ticks > sample.ticks) /* samples wait for the lock, so in any order */
        at--;
    if (at && is_near(&s_samples[at - 1], &sample)) {
        if (sample.width < s_samples[at - 1].width)
            s_samples[at - 1] = sample;
        return;
    }
    for (size_t i = s_count++; i > at; i--)
        s_samples[i] = s_samples[i - 1];
    s_samples[at] = sample;
}

void stint_timeline_forget(void)
{
    s_count = 0;
}

/* ------------------------------------------------------------------------------------------------------------- axis */

struct stint_timeline_clock stint_timeline_clock_now(void)
{
    uint64_t before = stint_clock_ticks();
    uint64_t ns = stint_clock_wall_ns();
    uint64_t after = stint_clock_ticks();
    return (struct stint_timeline_clock){before + (after - before) / 2, ns, stint_clock_ns_per_tick(),
                                         stint_clock_start_unix_ns()};
}

/* Rounds like llround, which would need libm (cmake/StintFlags.cmake). */
static int64_t rounded(double value)
{
    int64_t whole = (int64_t)value;
    double rest = value - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

static int64_t on_axis(const struct stint_timeline_clock *clock, uint64_t ticks)
{
    double since = (double)(int64_t)(ticks - clock->ticks) * clock->ns_per_tick;
    return (int64_t)clock->ns + rounded(since);
}

static int64_t between(const struct stint_timeline *timeline, size_t left, size_t right, uint64_t cupti_ns)
{
    double span = (double)(int64_t)(timeline->cupti_ns[right] - timeline->cupti_ns[left]);
    double part = span > 0 ? (double)(int64_t)(cupti_ns - timeline->cupti_ns[left]) / span : 0;
    return timeline->distance[left] + rounded((double)(timeline->distance[right] - timeline->distance[left]) * part);
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double drift_of(const struct stint_timeline *timeline)
{
    double drift = 0;
    if (timeline->count == 2)
        return fabs((double)(timeline->distance[1] - timeline->distance[0]));
    for (size_t i = 1; i + 1 < timeline->count; i++)
        drift = larger(drift,
                       fabs((double)(timeline->distance[i] - between(timeline, i - 1, i + 1, timeline->cupti_ns[i]))));
    return drift;
}

void stint_timeline_make(struct stint_timeline *timeline, const struct stint_timeline_clock *clock)
{
    uint64_t widest = 0;
    timeline->clock = *clock;
    timeline->count = s_count;
    for (size_t i = 0; i < s_count; i++) {
        timeline->cupti_ns[i] = s_samples[i].cupti_ns;
        timeline->distance[i] = (int64_t)(s_samples[i].cupti_ns - (uint64_t)on_axis(clock, s_samples[i].ticks));
        if (s_samples[i].width > widest)
            widest = s_samples[i].width;
    }
    timeline->error_ns = (double)widest * clock->ns_per_tick / 2 + drift_of(timeline);
}

/* -------------------------------------------------------------------------------------------------------------- use */

int64_t stint_timeline_of_ticks(const struct stint_timeline *timeline, uint64_t ticks)
{
    return on_axis(&timeline->clock, ticks);
}

static int64_t distance_at(const struct stint_timeline *timeline, uint64_t cupti_ns)
{
    size_t left = 0, right = timeline->count;
    if (!timeline->count)
        return (int64_t)timeline->clock.start_unix_ns;
    while (left < right) { /* finds the first later sample */
        size_t middle = left + (right - left) / 2;

        if (timeline->cupti_ns[middle] <= cupti_ns)
            left = middle + 1;
        else
            right = middle;
    }
    if (!left)
        return timeline->distance[0];
    if (left == timeline->count)
        return timeline->distance[left - 1];
    return between(timeline, left - 1, left, cupti_ns);
}

int64_t stint_timeline_of_cupti(const struct stint_timeline *timeline, uint64_t cupti_ns)
{
    return (int64_t)(cupti_ns - (uint64_t)distance_at(timeline, cupti_ns));
}

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
