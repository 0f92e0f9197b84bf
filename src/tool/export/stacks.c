#include "export/stacks.h"

#include <stdlib.h>

#include "report/gpu_sum.h"

struct walk {
    const struct stint_snapshot *snapshot;
    size_t *contexts; /* room for the deepest stack */
    int (*add)(void *context, const struct stint_stack *stack);
    void *context;
};

static size_t depth_of(const struct stint_snapshot *snapshot, size_t context)
{
    return (size_t)snapshot->contexts[context].depth + 1;
}

/* Lists a context and those around it, from the root on. */
static void climb(const struct walk *walk, size_t context)
{
    for (size_t at = depth_of(walk->snapshot, context); at && context != STINT_NO_PARENT; at--) {
        walk->contexts[at - 1] = context;
        context = walk->snapshot->contexts[context].parent;
    }
}

static int add_stack(const struct walk *walk, size_t context, const char *top, uint64_t weight)
{
    struct stint_stack stack = {.contexts = walk->contexts, .top = top, .weight = weight};
    if (!weight)
        return 0;
    if (context < walk->snapshot->context_count) {
        climb(walk, context);
        stack.count = depth_of(walk->snapshot, context);
    } else {
        stack.bottom = context == STINT_GPU_NO_SCOPE ? "(no scope)" : "(unattributed)";
    }
    return walk->add(walk->context, &stack);
}

static int add_host(const struct walk *walk)
{
    const struct stint_snapshot *snapshot = walk->snapshot;
    for (size_t i = 0; i < snapshot->context_count; i++)
        if (add_stack(walk, i, NULL, snapshot->contexts[i].numbers.self_ns))
            return -1;
    return 0;
}

/* Where no collector recorded device activity, the time is that of STINT_GPU_SCOPE. */
static int add_devices(const struct walk *walk, enum stint_weight weight)
{
    const struct stint_snapshot *snapshot = walk->snapshot;
    int spans = stint_gpu_summarize(snapshot).spans;
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[charge->activity];
        int counts = stint_gpu_occupies(activity->kind) ||
                     (spans && weight == STINT_WEIGHT_GPU && activity->kind == STINT_GPU_SPAN);
        uint64_t amount = weight == STINT_WEIGHT_GPU ? charge->total_ns : charge->bytes;
        if (counts && add_stack(walk, charge->context, activity->name, amount))
            return -1;
    }
    return 0;
}

int stint_stacks_each(const struct stint_snapshot *snapshot, enum stint_weight weight,
                      int (*add)(void *context, const struct stint_stack *stack), void *context)
{
    size_t deepest = 1;
    for (size_t i = 0; i < snapshot->context_count; i++)
        deepest = depth_of(snapshot, i) > deepest ? depth_of(snapshot, i) : deepest;
    struct walk walk = {snapshot, calloc(deepest, sizeof *walk.contexts), add, context};
    if (!walk.contexts)
        return -1;
    int failed = weight == STINT_WEIGHT_HOST ? add_host(&walk) : add_devices(&walk, weight);
    free(walk.contexts);
    return failed;
}
