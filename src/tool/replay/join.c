/* Merges the events of several recordings by time, and translates their contexts, call chains and times to those of the
 * sum. */
#include "replay/replay.h"

#include <stdio.h>

#include "stat/numbers.h"

struct stint_joined_part {
    struct stint_event_source *events;
    const size_t *contexts; /* position in the sum of each of the part's contexts */
    size_t context_count;
    const size_t *chains; /* position in the sum of each of the part's call chains */
    size_t chain_count;
    uint64_t shift_ns;
    int64_t pid; /* as in struct stint_joined_input */
    int has;     /* there is an event that has not been returned yet */
    struct stint_event event;
};

/* --------------------------------------------------------------------------------------------------------- contexts */

/* Parents come before their children. A context that the sum lacks, because nothing was counted in it, becomes
 * unattributed. */
static const size_t *map_contexts(const struct stint_context_tree *tree, struct stint_arena *arena,
                                  const struct stint_snapshot *snapshot)
{
    size_t *contexts = stint_arena_alloc(arena, (snapshot->context_count + 1) * sizeof *contexts);
    for (size_t i = 0; contexts && i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        const struct stint_stat *stat = &snapshot->stats[context->stat];
        size_t parent = context->parent == STINT_NO_PARENT ? STINT_NO_PARENT : contexts[context->parent];
        contexts[i] = stint_context_tree_find(tree, parent, stat->set, stat->name);
    }
    return contexts;
}

static size_t context_of(const struct stint_joined_part *part, size_t context)
{
    if (context < part->context_count)
        return part->contexts[context];
    return context == STINT_GPU_NO_SCOPE ? STINT_GPU_NO_SCOPE : STINT_GPU_UNATTRIBUTED;
}

/* Callers come before those they call. */
static const size_t *map_chains(const struct stint_chain_tree *tree, struct stint_arena *arena,
                                const struct stint_snapshot *snapshot, int64_t pid)
{
    size_t *chains = stint_arena_alloc(arena, (snapshot->sample_stack_count + 1) * sizeof *chains);
    for (size_t i = 0; chains && i < snapshot->sample_stack_count; i++) {
        const struct stint_sample_stack *stack = &snapshot->sample_stacks[i];
        const struct stint_sample_frame *frame = &snapshot->sample_frames[stack->frame];
        struct stint_sample_module module = snapshot->sample_modules[frame->module];
        size_t parent = stack->parent == STINT_SAMPLE_NO_STACK ? STINT_SAMPLE_NO_STACK : chains[stack->parent];
        if (pid)
            module.pid = pid;
        chains[i] = stint_chain_tree_find(tree, parent, &module, frame->address);
    }
    return chains;
}

static size_t chain_of(const struct stint_joined_part *part, size_t chain)
{
    return chain < part->chain_count ? part->chains[chain] : STINT_SAMPLE_NO_STACK;
}

/* ----------------------------------------------------------------------------------------------------------- source */

/* Reads the part's next event, and translates it to the sum's contexts and times. */
static int step(struct stint_joined_events *joined, struct stint_joined_part *part)
{
    int more = part->events->next(part->events, &part->event);
    part->has = more > 0;
    if (more < 0) {
        (void)snprintf(joined->source.reason, sizeof joined->source.reason, "%s", part->events->reason);
        return -1;
    }
    if (part->has) {
        stint_sum_up(&part->event.start_ns, part->shift_ns);
        stint_sum_up(&part->event.end_ns, part->shift_ns);
        part->event.context = context_of(part, part->event.context);
        if (part->event.kind == STINT_EVENT_SAMPLE)
            part->event.sample.stack = chain_of(part, part->event.sample.stack);
        if (part->pid)
            part->event.pid = part->pid;
    }
    return 0;
}

static uint64_t less(uint64_t ns, uint64_t shift_ns)
{
    return ns > shift_ns ? ns - shift_ns : 0;
}

/* A time before the part began becomes its first nanosecond, as 0 stands for all. */
static void pass_on_wanted(const struct stint_event_source *source, struct stint_joined_part *part)
{
    part->events->from_ns = less(source->from_ns, part->shift_ns);
    part->events->to_ns = source->to_ns ? stint_sum_of(less(source->to_ns, part->shift_ns), 1) : 0;
}

static int begin(struct stint_event_source *source)
{
    struct stint_joined_events *joined = (struct stint_joined_events *)source;
    joined->told = NULL;
    for (size_t i = 0; i < joined->count; i++) {
        struct stint_joined_part *part = &joined->parts[i];
        if (!part->events)
            continue;
        pass_on_wanted(source, part);
        if (part->events->begin(part->events)) {
            (void)snprintf(source->reason, sizeof source->reason, "%s", part->events->reason);
            return -1;
        }
        if (step(joined, part))
            return -1;
    }
    return 0;
}

static int is_before(const struct stint_event *a, const struct stint_event *b)
{
    return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->end_ns > b->end_ns;
}

static struct stint_joined_part *earliest(struct stint_joined_events *joined)
{
    struct stint_joined_part *found = NULL;
    for (struct stint_joined_part *part = joined->parts; part < joined->parts + joined->count; part++)
        if (part->has && (!found || is_before(&part->event, &found->event)))
            found = part;
    return found;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_joined_events *joined = (struct stint_joined_events *)source;
    if (joined->told && step(joined, joined->told))
        return -1;
    joined->told = earliest(joined);
    if (!joined->told)
        return 0;
    *event = joined->told->event;
    if (event->gpu) {
        joined->gpu = *event->gpu;
        joined->gpu.start_ns = event->start_ns;
        joined->gpu.end_ns = event->end_ns;
        joined->gpu.context = event->context;
        joined->gpu.instance = STINT_GPU_NO_INSTANCE;
        event->gpu = &joined->gpu;
    }
    return 1;
}

/* -------------------------------------------------------------------------------------------------------------- all */

/* Returns when the first of them began. */
static uint64_t first_unix_ns(const struct stint_joined_input *inputs, size_t count)
{
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < count; i++)
        if (inputs[i].snapshot->process.start_unix_ns < first)
            first = inputs[i].snapshot->process.start_unix_ns;
    return first;
}

int stint_joined_events_begin(struct stint_joined_events *events, const struct stint_snapshot *merged,
                              const struct stint_joined_input *inputs, size_t count)
{
    struct stint_context_tree tree;
    struct stint_chain_tree chains;
    uint64_t first_ns = first_unix_ns(inputs, count);
    *events = (struct stint_joined_events){.source = {.begin = begin, .next = next}, .count = count};
    events->parts = stint_arena_alloc(&events->arena, count * sizeof *events->parts);
    if (!events->parts || stint_context_tree_begin(&tree, &events->arena, merged) ||
        stint_chain_tree_begin(&chains, &events->arena, merged))
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct stint_snapshot *snapshot = inputs[i].snapshot;
        events->parts[i] = (struct stint_joined_part){
            .events = inputs[i].events,
            .contexts = map_contexts(&tree, &events->arena, snapshot),
            .context_count = snapshot->context_count,
            .chains = map_chains(&chains, &events->arena, snapshot, inputs[i].pid),
            .chain_count = snapshot->sample_stack_count,
            .pid = inputs[i].pid,
            .shift_ns = snapshot->process.start_unix_ns - first_ns,
        };
        if (!events->parts[i].contexts || !events->parts[i].chains)
            return -1;
    }
    return 0;
}

void stint_joined_events_free(struct stint_joined_events *events)
{
    stint_arena_free(&events->arena);
}
