/* Chooses events by time, process or device, cuts those that are only partly inside, and replays them into a
 * snapshot. */
#include "replay/replay.h"

#include <stdio.h>

#include "model/model.h"

/* ----------------------------------------------------------------------------------------------------------- events */

static int is_in(const struct stint_subset *subset, const struct stint_event *event)
{
    int begins_in = event->start_ns >= subset->from_ns && event->start_ns < subset->to_ns;
    if (!begins_in && (event->start_ns >= subset->from_ns || event->end_ns <= subset->from_ns))
        return 0;
    if (subset->has_pid && event->pid != subset->pid)
        return 0;
    return !subset->has_device || event->kind != STINT_EVENT_DEVICE || event->gpu->device == subset->device;
}

/* Cutting keeps events in order: those that began before the subset all begin with it, the outer ones first. */
static void cut(struct stint_subset_events *events, struct stint_event *event)
{
    uint64_t start_ns = event->start_ns, end_ns = event->end_ns;
    if (event->start_ns < events->subset.from_ns)
        event->start_ns = events->subset.from_ns;
    if (event->end_ns > events->subset.to_ns)
        event->end_ns = events->subset.to_ns;
    if (event->gpu && (event->start_ns != start_ns || event->end_ns != end_ns)) {
        events->gpu = *event->gpu;
        events->gpu.start_ns = event->start_ns;
        events->gpu.end_ns = event->end_ns;
        event->gpu = &events->gpu;
    }
}

static int pass_on(struct stint_subset_events *events, int result)
{
    if (result < 0)
        (void)snprintf(events->source.reason, sizeof events->source.reason, "%s", events->whole->reason);
    return result;
}

/* What is wanted of the subset is wanted of the whole, as far as it is in the subset. 0 and 0 are all of it. */
static void pass_on_wanted(struct stint_subset_events *events)
{
    const struct stint_event_source *source = &events->source;
    const struct stint_subset *subset = &events->subset;
    uint64_t to_ns = source->to_ns ? source->to_ns : UINT64_MAX;
    events->whole->from_ns = subset->from_ns > source->from_ns ? subset->from_ns : source->from_ns;
    events->whole->to_ns = subset->to_ns < to_ns ? subset->to_ns : to_ns;
    if (!events->whole->from_ns && events->whole->to_ns == UINT64_MAX)
        events->whole->to_ns = 0;
}

static int begin(struct stint_event_source *source)
{
    struct stint_subset_events *events = (struct stint_subset_events *)source;
    events->kept = 0;
    pass_on_wanted(events);
    return pass_on(events, events->whole->begin(events->whole));
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_subset_events *events = (struct stint_subset_events *)source;
    int more;
    while ((more = events->whole->next(events->whole, event)) > 0) {
        if (events->whole->to_ns && event->start_ns > events->whole->to_ns)
            return 0; /* and so do all others begin later */
        if (!is_in(&events->subset, event))
            continue;
        events->kept++;
        cut(events, event);
        return 1;
    }
    return pass_on(events, more);
}

void stint_subset_events_begin(struct stint_subset_events *events, struct stint_event_source *whole,
                               const struct stint_subset *subset)
{
    *events = (struct stint_subset_events){.source = {.begin = begin, .next = next}, .whole = whole, .subset = *subset};
}

/* --------------------------------------------------------------------------------------------------------- snapshot */

struct taking {
    const struct stint_snapshot *whole;
    const struct stint_subset *subset;
    struct stint_replay replay;
    size_t *contexts; /* for each context of the whole: its position in the builder plus 1; 0: not added yet */
    size_t *below;    /* contexts on the path down to one */
    struct stint_arena arena;
};

/* Adds missing contexts from the root down. Not recursive, because a program may nest scopes to any depth. */
static size_t context_of(struct taking *taking, size_t context)
{
    size_t count = 0, parent = STINT_NO_PARENT;
    if (context >= taking->whole->context_count)
        return context;
    for (; context != STINT_NO_PARENT && !taking->contexts[context]; context = taking->whole->contexts[context].parent)
        taking->below[count++] = context;
    if (context != STINT_NO_PARENT)
        parent = taking->contexts[context] - 1;
    while (count) {
        size_t at = taking->below[--count];
        size_t stat =
            stint_builder_stat(&taking->replay.builder, &taking->whole->stats[taking->whole->contexts[at].stat]);
        parent = stint_builder_context(&taking->replay.builder, parent, stat);
        taking->contexts[at] = parent + 1;
    }
    return parent;
}

static int add_events(struct taking *taking, struct stint_event_source *source, uint64_t *kept)
{
    struct stint_subset_events events;
    struct stint_event event;
    stint_subset_events_begin(&events, source, taking->subset);
    int more = events.source.begin(&events.source) ? -1 : 1;
    while (more > 0 && (more = events.source.next(&events.source, &event)) > 0) {
        event.context = context_of(taking, event.context);
        stint_replay_add(&taking->replay, &event);
    }
    *kept = events.kept;
    source->from_ns = source->to_ns = 0; /* who reads it next may want all of it */
    return more;
}

/* Call chains keep their numbers. */
static void add_chains(struct stint_replay *replay, const struct stint_snapshot *whole)
{
    for (size_t i = 0; i < whole->sample_module_count; i++)
        (void)stint_builder_append(&replay->builder, STINT_ROWS_SAMPLE_MODULES, &whole->sample_modules[i]);
    for (size_t i = 0; i < whole->sample_frame_count; i++)
        (void)stint_builder_append(&replay->builder, STINT_ROWS_SAMPLE_FRAMES, &whole->sample_frames[i]);
    for (size_t i = 0; i < whole->sample_stack_count; i++)
        (void)stint_builder_append(&replay->builder, STINT_ROWS_SAMPLE_STACKS, &whole->sample_stacks[i]);
    stint_replay_sampled_threads(replay, whole);
    replay->sampling.wall = whole->sampling.wall;
    replay->sampling.hz = whole->sampling.hz;
}

/* Adds what has no times, for events that are counted again. */
static void add_rest(struct taking *taking)
{
    const struct stint_snapshot *whole = taking->whole;
    struct stint_builder *builder = &taking->replay.builder;
    add_chains(&taking->replay, whole);
    stint_builder_add(builder, STINT_ROWS_GPU, &whole->gpu);
    for (size_t i = 0; i < whole->gpu_device_count; i++)
        if (!taking->subset->has_device || whole->gpu_devices[i].id == taking->subset->device)
            stint_builder_add(builder, STINT_ROWS_GPU_DEVICES, &whole->gpu_devices[i]);
    for (size_t i = 0; i < whole->nvtx_name_count; i++)
        stint_builder_add(builder, STINT_ROWS_NVTX_NAMES, &whole->nvtx_names[i]);
    for (size_t i = 0; i < whole->thread_count; i++)
        if (!whole->threads[i].exited)
            stint_replay_thread(&taking->replay, whole->threads[i].pid, whole->threads[i].tid, whole->threads[i].name);
}

static struct stint_process process_of(struct taking *taking)
{
    struct stint_process process = taking->whole->process;
    const struct stint_subset *subset = taking->subset;
    uint64_t end_ns = subset->to_ns < process.wall_ns ? subset->to_ns : process.wall_ns;
    process.wall_ns = end_ns > subset->from_ns ? end_ns - subset->from_ns : 0;
    if (subset->has_pid)
        process.pid = subset->pid;
    process.command = stint_builder_text(&taking->replay.builder, process.command);
    process.host = stint_builder_text(&taking->replay.builder, process.host);
    process.clock = stint_builder_text(&taking->replay.builder, process.clock);
    return process;
}

struct stint_snapshot *stint_subset_take(const struct stint_snapshot *whole, struct stint_event_source *source,
                                         const struct stint_subset *subset, uint64_t *kept)
{
    struct taking taking = {.whole = whole, .subset = subset};
    *kept = 0;
    source->reason[0] = '\0';
    stint_replay_begin(&taking.replay, subset->counts, subset->trace);
    taking.contexts = stint_arena_alloc(&taking.arena, (whole->context_count + 1) * sizeof(size_t));
    taking.below = stint_arena_alloc(&taking.arena, (whole->context_count + 1) * sizeof(size_t));
    int failed = !taking.contexts || !taking.below;
    if (!failed) {
        taking.replay.dropped = whole->dropped;
        if (subset->counts)
            add_rest(&taking);
        else
            stint_builder_add_snapshot(&taking.replay.builder,
                                       &(struct stint_addition){.kinds = UINT64_MAX, .snapshot = whole});
        failed = add_events(&taking, source, kept);
    }
    struct stint_process process = process_of(&taking);
    struct stint_snapshot *snapshot = stint_replay_end(&taking.replay, &process);
    stint_arena_free(&taking.arena);
    if (!failed)
        return snapshot;
    stint_snapshot_free(snapshot);
    return NULL;
}
