/* Takes calls out of the tree of contexts, and gives their time to the scope around them. */
#include "formats/scopes_only.h"

#include "stat/gpu_rows.h"

struct kept {
    struct stint_context *contexts;
    size_t *place; /* of each context: where it is kept; of a call, where the scope that made it is */
    size_t count;
};

static void keep(struct kept *kept, const struct stint_context *context, size_t parent)
{
    struct stint_context *row = &kept->contexts[kept->count++];
    *row = *context;
    row->parent = parent;
    row->depth = parent == STINT_NO_PARENT ? 0 : kept->contexts[parent].depth + 1;
}

/* Each time was rounded to nanoseconds, so the sum may be beyond the total. */
static void add_call(struct stint_numbers *scope, const struct stint_numbers *call)
{
    uint64_t most = scope->self_ns < scope->total_ns ? scope->total_ns : scope->self_ns;
    scope->self_ns += call->self_ns;
    if (scope->self_ns > most)
        scope->self_ns = most;
}

struct stint_snapshot stint_scopes_only(const struct stint_snapshot *snapshot, struct stint_arena *arena)
{
    struct stint_snapshot result = *snapshot;
    size_t count = snapshot->context_count;
    struct kept kept = {.contexts = stint_arena_alloc(arena, (count + 1) * sizeof *kept.contexts),
                        .place = stint_arena_alloc(arena, (count + 1) * sizeof *kept.place)};
    if (!kept.contexts || !kept.place)
        return result;
    for (size_t i = 0; i < count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        size_t parent = context->parent == STINT_NO_PARENT ? STINT_NO_PARENT : kept.place[context->parent];
        const struct stint_stat *stat = &snapshot->stats[context->stat];
        int is_call = stint_gpu_is_call(stat) || stint_stat_is_os_call(stat);
        kept.place[i] = is_call ? parent : kept.count;
        if (!is_call)
            keep(&kept, context, parent);
        else if (parent != STINT_NO_PARENT)
            add_call(&kept.contexts[parent].numbers, &context->numbers);
    }
    result.contexts = kept.contexts;
    result.context_count = kept.count;
    return result;
}
