/* Raises the cost that a context must have until those that are left fit on the page. A context is shown only if all
 * those around it are. */
#include "html/contexts.h"

static uint64_t cost(const struct stint_context *context)
{
    uint64_t host_ns = context->numbers.total_ns + context->numbers.running_ns;
    uint64_t gpu_ns = stint_gpu_use_ns(&context->gpu);
    return host_ns > gpu_ns ? host_ns : gpu_ns;
}

static size_t place_of(const struct stint_html_contexts *contexts, size_t context)
{
    return context == STINT_NO_PARENT ? SIZE_MAX : contexts->place[context];
}

/* Shows up to `room` contexts that cost `least_ns` or more and whose parents are shown. */
static void choose(struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot, uint64_t least_ns,
                   size_t room)
{
    contexts->count = 0;
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        size_t parent = place_of(contexts, context->parent);
        int whole =
            context->parent == STINT_NO_PARENT || (parent != SIZE_MAX && contexts->shown[parent] == context->parent);
        contexts->place[i] = parent;
        if (!whole || cost(context) < least_ns || contexts->count == room)
            continue;
        contexts->place[i] = contexts->count;
        contexts->shown[contexts->count++] = i;
    }
}

int stint_html_contexts_choose(struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot, size_t most,
                               struct stint_arena *arena)
{
    size_t room = most + 1; /* more than that many is too many, and need not be counted */
    contexts->shown = stint_arena_alloc(arena, room * sizeof *contexts->shown);
    contexts->place = stint_arena_alloc(arena, (snapshot->context_count + 1) * sizeof *contexts->place);
    if (!contexts->shown || !contexts->place)
        return -1;
    uint64_t least_ns = 0;
    choose(contexts, snapshot, least_ns, room);
    while (contexts->count == room && least_ns < UINT64_MAX / 2) {
        least_ns = least_ns ? 2 * least_ns : 1;
        choose(contexts, snapshot, least_ns, room);
    }
    return 0;
}

int64_t stint_html_context(const struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot,
                           size_t context)
{
    if (context < snapshot->context_count && contexts->place[context] != SIZE_MAX)
        return (int64_t)contexts->place[context];
    return context == STINT_GPU_UNATTRIBUTED ? -2 : -1;
}
