/* The walk over a recording that all files for other tools are written in: events, each on the lane of its track, or
 * stacks. */
#include "export/encoder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

static const char s_no_memory[] = "there is not enough memory";

/* -------------------------------------------------------------------------------------------- processes and devices */

size_t stint_walk_process(struct stint_walk *walk, int64_t pid)
{
    const int64_t *pids = walk->processes.items;
    for (size_t i = 0; i < walk->processes.count; i++)
        if (pids[i] == pid)
            return i;
    int64_t *item = stint_array_add(&walk->processes, &walk->tracks.arena, sizeof *item);
    if (!item)
        return STINT_INDEX_NONE;
    *item = pid;
    if (walk->encoder->process)
        walk->encoder->process(walk, pid, walk->processes.count - 1);
    return walk->processes.count - 1;
}

static struct stint_busy *find_device(struct stint_walk *walk, uint32_t id)
{
    size_t known = walk->devices.count;
    struct stint_busy *busy = stint_busy_of(&walk->devices, &walk->tracks.arena, id, walk->snapshot->process.wall_ns);
    if (walk->devices.count > known && walk->encoder->device)
        walk->encoder->device(walk, id);
    return busy;
}

int stint_walk_device(struct stint_walk *walk, uint32_t id)
{
    return find_device(walk, id) ? 0 : -1;
}

int stint_walk_busy(struct stint_walk *walk, const struct stint_event *event)
{
    struct stint_busy *busy = find_device(walk, event->gpu->device);
    if (!busy)
        return -1;
    stint_busy_add(busy, event->start_ns, event->end_ns, walk->encoder->busy, walk);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- events */

int stint_walk_is_instant(const struct stint_event *event)
{
    return event->kind == STINT_EVENT_MARK || (event->kind == STINT_EVENT_DEVICE &&
                                               event->gpu->kind == STINT_GPU_FAULT && event->end_ns == event->start_ns);
}

/* Returns the lane of the event, which slices get room on; NULL without memory. */
static struct stint_lane *lane_of(struct stint_walk *walk, const struct stint_event *event, int needs_room)
{
    struct stint_track track = stint_track_of(event);
    size_t known = walk->tracks.lanes.count;
    size_t position = needs_room ? stint_tracks_place(&walk->tracks, &track, event->start_ns, event->end_ns)
                                 : stint_tracks_find(&walk->tracks, &track);
    if (position == STINT_INDEX_NONE)
        return NULL;
    struct stint_lane *lane = stint_tracks_lane(&walk->tracks, position);
    return position == known && walk->encoder->lane(walk, lane, position) ? NULL : lane;
}

static int add_sample(struct stint_walk *walk, const struct stint_event *event)
{
    if (!walk->functions.frames && stint_functions_begin(&walk->functions, walk->input))
        return -1;
    struct stint_lane *lane = lane_of(walk, event, 0);
    return lane ? walk->encoder->sample(walk, event, lane) : -1;
}

static int add_point(struct stint_walk *walk, const struct stint_event *event)
{
    struct stint_words_point point;
    int held = stint_attributes_hold(&walk->held, event);
    if (held)
        return held < 0 ? -1 : 0;
    stint_words_point(&point, event);
    return isfinite(point.value) ? walk->encoder->point(walk, event, &point) : 0; /* curves have no other points */
}

static int add_event(struct stint_walk *walk, const struct stint_event *event)
{
    const struct stint_encoder *encoder = walk->encoder;
    if (event->kind == STINT_EVENT_SAMPLE)
        return add_sample(walk, event);
    if (stint_event_is_point(event))
        return add_point(walk, event);
    if (encoder->work && event->kind == STINT_EVENT_DEVICE && stint_gpu_occupies(event->gpu->kind))
        return encoder->work(walk, event);
    struct stint_lane *lane = lane_of(walk, event, encoder->has_long_instants || !stint_walk_is_instant(event));
    walk->attribute_count = stint_attributes_take(&walk->held, event, &walk->attributes);
    return lane ? encoder->slice(walk, event, lane) : -1;
}

/* Returns NULL, or why it failed. A file may contain events that end before they begin. */
static const char *add_events(struct stint_walk *walk)
{
    struct stint_event_source *source = walk->input->events;
    struct stint_event event;
    if (!source)
        return NULL;
    if (stint_attributes_learn(&walk->held, walk->input->snapshot))
        return s_no_memory;
    int got = source->begin(source) ? -1 : source->next(source, &event);
    for (; got > 0; got = source->next(source, &event)) {
        if (event.end_ns < event.start_ns)
            event.end_ns = event.start_ns;
        if (add_event(walk, &event))
            return s_no_memory;
    }
    return got < 0 ? source->reason : NULL;
}

static const char *tell_events(struct stint_walk *walk)
{
    const char *failure = add_events(walk);
    struct stint_busy *busy = walk->devices.items;
    stint_tracks_close(&walk->tracks);
    for (size_t i = 0; i < walk->devices.count; i++)
        stint_busy_end(&busy[i], walk->encoder->busy, walk);
    return failure;
}

/* ----------------------------------------------------------------------------------------------------------- stacks */

static int add_stack(void *context, const struct stint_stack *stack)
{
    struct stint_walk *walk = context;
    walk->encoder->stack(walk, stack);
    return 0;
}

static const char *tell_stacks(struct stint_walk *walk)
{
    return walk->stacks->each(walk->stacks, add_stack, walk) ? s_no_memory : NULL;
}

/* ------------------------------------------------------------------------------------------------------------- walk */

/* Returns NULL, or why it failed. */
static const char *tell(const struct stint_walk *like, struct stint_out *out)
{
    struct stint_walk *walk = calloc(1, like->encoder->size);
    const char *failure = s_no_memory;
    if (!walk)
        return failure;
    *walk = *like;
    walk->out = out;
    walk->tracks.closed = walk->encoder->closed;
    walk->tracks.context = walk;
    if (!walk->encoder->begin || walk->encoder->begin(walk) == 0)
        failure = walk->stacks ? tell_stacks(walk) : tell_events(walk);
    if (walk->encoder->end)
        walk->encoder->end(walk);
    stint_functions_free(&walk->functions);
    stint_attributes_free(&walk->held);
    stint_tracks_free(&walk->tracks);
    free(walk);
    return failure;
}

static int fail(const char *why, char *reason, size_t size)
{
    (void)snprintf(reason, size, "%s", why);
    return -1;
}

static int run(const struct stint_walk *like, stint_write_fn *write, void *context, char *reason, size_t size)
{
    struct stint_out *out = malloc(sizeof *out);
    if (!out)
        return fail(s_no_memory, reason, size);
    stint_out_begin(out, write, context);
    const char *failure = tell(like, out);
    errno = 0;
    int failed = !failure && stint_out_end(out);
    int error = errno;
    free(out);
    if (failed)
        failure = error ? strerror(error) : "it could not be written";
    return failure ? fail(failure, reason, size) : 0;
}

int stint_walk_events(const struct stint_encoder *encoder, const struct stint_export_input *input,
                      stint_write_fn *write, void *context, char *reason, size_t size)
{
    return run(&(struct stint_walk){.encoder = encoder, .input = input, .snapshot = input->snapshot}, write, context,
               reason, size);
}

int stint_walk_stacks(const struct stint_encoder *encoder, const struct stint_stacks *stacks, stint_write_fn *write,
                      void *context, char *reason, size_t size)
{
    return run(&(struct stint_walk){.encoder = encoder, .stacks = stacks}, write, context, reason, size);
}
