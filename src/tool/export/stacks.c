/* The calling contexts of a snapshot as stacks, and stacks as lines of text: names from the outermost on, separated by
 * semicolons, then a blank and a whole number. */
#include "export/stacks.h"

#include <stdlib.h>

#include "export/encoder.h"
#include "model/model.h"
#include "report/line.h"

/* --------------------------------------------------------------------------------------------------------- contexts */

/* Frames are contexts, then these, then activities of GPUs. */
enum { NO_SCOPE, UNATTRIBUTED, FIRST_ACTIVITY };

static struct stint_stack_frame context_frame(const struct stint_stacks *stacks, size_t number)
{
    const struct stint_snapshot *snapshot = ((const struct stint_context_stacks *)stacks)->snapshot;
    struct stint_stack_frame frame = {.set = "", .file = ""};
    if (number < snapshot->context_count) {
        const struct stint_stat *stat = &snapshot->stats[snapshot->contexts[number].stat];
        struct stint_label label = stint_label_of(snapshot, stat);
        frame.set = stint_gpu_is_call(stat) ? "" : label.set;
        frame.name = label.name;
        return frame;
    }
    number -= snapshot->context_count;
    frame.name = number == NO_SCOPE       ? "(no scope)"
                 : number == UNATTRIBUTED ? "(unattributed)"
                                          : snapshot->gpu_activities[number - FIRST_ACTIVITY].name;
    return frame;
}

struct context_walk {
    const struct stint_context_stacks *stacks;
    size_t *frames; /* room for the deepest stack with something on top */
    size_t room;
    int (*add)(void *context, const struct stint_stack *stack);
    void *context;
};

/* `top`: a frame above the context; SIZE_MAX: none. */
static int add_stack(const struct context_walk *walk, size_t context, size_t top, uint64_t weight)
{
    const struct stint_snapshot *snapshot = walk->stacks->snapshot;
    struct stint_stack stack = {.frames = walk->frames, .weight = weight};
    if (!weight)
        return 0;
    if (top != SIZE_MAX)
        walk->frames[stack.count++] = top;
    if (context >= snapshot->context_count)
        walk->frames[stack.count++] =
            snapshot->context_count + (context == STINT_GPU_NO_SCOPE ? NO_SCOPE : UNATTRIBUTED);
    else
        for (; context != STINT_NO_PARENT && stack.count < walk->room; context = snapshot->contexts[context].parent)
            walk->frames[stack.count++] = context;
    return walk->add(walk->context, &stack);
}

static int add_host(const struct context_walk *walk)
{
    const struct stint_snapshot *snapshot = walk->stacks->snapshot;
    for (size_t i = 0; i < snapshot->context_count; i++)
        if (add_stack(walk, i, SIZE_MAX, snapshot->contexts[i].numbers.self_ns))
            return -1;
    return 0;
}

/* Where no collector recorded device activity, the time is that of STINT_GPU_SCOPE. */
static int add_devices(const struct context_walk *walk, enum stint_weight weight)
{
    const struct stint_snapshot *snapshot = walk->stacks->snapshot;
    size_t first = snapshot->context_count + FIRST_ACTIVITY;
    int spans = stint_gpu_summarize(snapshot).spans;
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        enum stint_gpu_kind kind = snapshot->gpu_activities[charge->activity].kind;
        int counts = stint_gpu_occupies(kind) || (spans && weight == STINT_WEIGHT_GPU && kind == STINT_GPU_SPAN);
        uint64_t amount = weight == STINT_WEIGHT_GPU ? charge->total_ns : charge->bytes;
        if (counts && add_stack(walk, charge->context, first + charge->activity, amount))
            return -1;
    }
    return 0;
}

static int each_context(const struct stint_stacks *stacks, int (*add)(void *context, const struct stint_stack *stack),
                        void *context)
{
    struct context_walk walk = {.stacks = (const struct stint_context_stacks *)stacks, .add = add, .context = context};
    const struct stint_snapshot *snapshot = walk.stacks->snapshot;
    for (size_t i = 0; i < snapshot->context_count; i++)
        walk.room = snapshot->contexts[i].depth > walk.room ? snapshot->contexts[i].depth : walk.room;
    walk.room += 2; /* the outermost has the depth 0 */
    walk.frames = calloc(walk.room, sizeof *walk.frames);
    if (!walk.frames)
        return -1;
    int failed = walk.stacks->weight == STINT_WEIGHT_HOST ? add_host(&walk) : add_devices(&walk, walk.stacks->weight);
    free(walk.frames);
    return failed;
}

struct stint_context_stacks stint_context_stacks(const struct stint_snapshot *snapshot, enum stint_weight weight)
{
    return (struct stint_context_stacks){
        .stacks = {.frame = context_frame, .each = each_context}, .snapshot = snapshot, .weight = weight};
}

/* ------------------------------------------------------------------------------------------------------------ lines */

static void put_name(struct stint_out *out, const char *name)
{
    stint_out_escaped(out, stint_out_escape_stack, *name ? name : "(unnamed)");
}

static void put_line(struct stint_walk *walk, const struct stint_stack *stack)
{
    struct stint_out *out = walk->out;
    if (!stack->count)
        stint_out_string(out, "[no room for its calls]");
    for (size_t i = stack->count; i--;) {
        struct stint_stack_frame frame = walk->stacks->frame(walk->stacks, stack->frames[i]);
        if (*frame.set) {
            put_name(out, frame.set);
            stint_out_put(out, "/", 1);
        }
        put_name(out, frame.name);
        stint_out_put(out, ";", i ? 1 : 0);
    }
    stint_out_put(out, " ", 1);
    stint_out_u64(out, stack->weight);
    stint_out_put(out, "\n", 1);
}

const struct stint_encoder stint_encoder_collapsed = {.size = sizeof(struct stint_walk), .stack = put_line};
