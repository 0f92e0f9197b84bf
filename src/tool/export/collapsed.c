/* Stacks, one per line: names from the outermost scope on, separated by semicolons, then a space and a whole number. */
#include <string.h>

#include "export/format.h"
#include "export/stacks.h"
#include "report/gpu_sum.h"
#include "report/label.h"

static void put_name(struct stint_out *out, const char *name)
{
    stint_out_escaped(out, stint_out_escape_stack, name);
    if (!*name)
        stint_out_put(out, "(unnamed)", 9);
}

static void put_frame(struct stint_out *out, const struct stint_snapshot *snapshot, size_t context)
{
    const struct stint_stat *stat = &snapshot->stats[snapshot->contexts[context].stat];
    struct stint_label label = stint_label_of(snapshot, stat);
    if (*label.set && !stint_gpu_is_call(stat)) {
        put_name(out, label.set);
        stint_out_put(out, "/", 1);
    }
    put_name(out, label.name);
}

static int put_stack(void *context, const struct stint_stack *stack)
{
    const struct stint_export_job *job = context;
    struct stint_out *out = job->out;
    if (stack->bottom)
        stint_out_string(out, stack->bottom);
    for (size_t i = 0; i < stack->count; i++) {
        stint_out_put(out, ";", i ? 1 : 0);
        put_frame(out, job->snapshot, stack->contexts[i]);
    }
    if (stack->top) {
        stint_out_put(out, ";", 1);
        put_name(out, stack->top);
    }
    stint_out_put(out, " ", 1);
    stint_out_u64(out, stack->weight);
    stint_out_put(out, "\n", 1);
    return 0;
}

enum stint_export_result stint_export_collapsed(const struct stint_export_job *job)
{
    struct stint_export_job copy = *job;
    enum stint_weight weight = job->format == STINT_EXPORT_COLLAPSED       ? STINT_WEIGHT_HOST
                               : job->format == STINT_EXPORT_COLLAPSED_GPU ? STINT_WEIGHT_GPU
                                                                           : STINT_WEIGHT_BYTES;
    return stint_stacks_each(job->snapshot, weight, put_stack, &copy) ? STINT_EXPORT_NO_MEMORY : STINT_EXPORT_DONE;
}
