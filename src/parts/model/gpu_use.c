/* Derives from the charges what each scope had GPUs do. */
#include <string.h>

#include "model/model.h"
#include "stat/numbers.h"

/* Rows that may still be changed. */
struct charged {
    struct stint_context *contexts;
    size_t context_count;
    struct stint_stat *stats;
    size_t stat_count;
};

/* The class of a statistic: bits. */
enum { API_CALL = 1, LAUNCH = 2 };

/* All members are numbers of the same size. */
void stint_gpu_use_merge(struct stint_gpu_use *into, const struct stint_gpu_use *from)
{
    stint_sums_up(&into->kernels, &from->kernels, sizeof *into / sizeof into->kernels);
}

/* ---------------------------------------------------------------------------------------------------------- charges */

void stint_gpu_use_add(struct stint_gpu_use *use, enum stint_gpu_kind kind, const struct stint_gpu_charge *charge)
{
    const uint64_t more[] = {charge->count, charge->total_ns, charge->bytes};
    if (kind == STINT_GPU_KERNEL)
        stint_sums_up(&use->kernels, more, 2);
    else if (kind == STINT_GPU_COPY || kind == STINT_GPU_UNIFIED)
        stint_sums_up(&use->copies, more, 3);
    else if (kind == STINT_GPU_SET)
        stint_sums_up(&use->sets, more, 3);
    else if (kind == STINT_GPU_SPAN)
        stint_sums_up(&use->spans, more, 2);
    /* others occupy no device, or it is not known how long */
}

static void add_own_charges(const struct charged *rows, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_charge_count; i++) {
        const struct stint_gpu_charge *charge = &snapshot->gpu_charges[i];
        if (charge->context < rows->context_count)
            stint_gpu_use_add(&rows->contexts[charge->context].gpu_self,
                              snapshot->gpu_activities[charge->activity].kind, charge);
    }
}

/* --------------------------------------------------------------------------------------------------------- launches */

int stint_stat_is_os_call(const struct stint_stat *stat)
{
    return strcmp(stat->set, STINT_OS_SET) == 0;
}

int stint_stat_is_adopted(const struct stint_stat *stat)
{
    return strcmp(stat->name, STINT_ADOPTED) == 0 && strcmp(stat->set, "GlobalStatInfo") == 0;
}

static char *classify(const struct charged *rows, struct stint_builder *builder)
{
    char *classes = stint_arena_alloc(stint_builder_arena(builder), rows->stat_count + 1);
    for (size_t i = 0; classes && i < rows->stat_count; i++)
        if (stint_gpu_is_call(&rows->stats[i]))
            classes[i] = (char)(API_CALL | (stint_call_is_launch(rows->stats[i].name) ? LAUNCH : 0));
    return classes;
}

/* Charges each launching call to the innermost scope around it that is not itself a call. Returns whether there is
 * any. */
static int add_launches(const struct charged *rows, const char *classes)
{
    int has_launches = 0;
    for (size_t i = 0; i < rows->context_count; i++) {
        const struct stint_context *call = &rows->contexts[i];
        size_t at = i;
        if (!(classes[call->stat] & LAUNCH))
            continue;
        has_launches = 1;
        while (at != STINT_NO_PARENT && (classes[rows->contexts[at].stat] & API_CALL))
            at = rows->contexts[at].parent;
        if (at != STINT_NO_PARENT) {
            stint_sum_up(&rows->contexts[at].gpu_self.launches, call->numbers.count);
            stint_sum_up(&rows->contexts[at].gpu_self.launch_ns, call->numbers.total_ns);
        }
    }
    return has_launches;
}

/* ------------------------------------------------------------------------------------------------------------ whole */

/* Parents come before their children. */
static void add_upwards(const struct charged *rows)
{
    for (size_t i = rows->context_count; i-- > 0;) {
        struct stint_context *context = &rows->contexts[i];
        stint_gpu_use_merge(&context->gpu, &context->gpu_self);
        if (context->parent != STINT_NO_PARENT)
            stint_gpu_use_merge(&rows->contexts[context->parent].gpu, &context->gpu);
    }
}

/* Fills `end` with the position after each context's last descendant. */
static void find_ends(const struct charged *rows, size_t *end)
{
    for (size_t i = rows->context_count; i-- > 0;) {
        size_t parent = rows->contexts[i].parent;
        if (end[i] <= i)
            end[i] = i + 1;
        if (parent != STINT_NO_PARENT && end[parent] < end[i])
            end[parent] = end[i];
    }
}

/* A context inside another one of the same statistic adds nothing, because the outer one already includes it. `inside`
 * holds, for each statistic, the end of its latest outermost context. */
static void add_to_stats(const struct charged *rows, const size_t *end, size_t *inside)
{
    for (size_t i = 0; i < rows->context_count; i++) {
        const struct stint_context *context = &rows->contexts[i];
        struct stint_stat *stat = &rows->stats[context->stat];
        stint_gpu_use_merge(&stat->gpu_self, &context->gpu_self);
        if (i < inside[context->stat])
            continue;
        inside[context->stat] = end[i];
        stint_gpu_use_merge(&stat->gpu, &context->gpu);
    }
}

int stint_gpu_derive_use(struct stint_snapshot *snapshot, struct stint_builder *builder)
{
    struct charged rows = {(struct stint_context *)snapshot->contexts, snapshot->context_count,
                           (struct stint_stat *)snapshot->stats, snapshot->stat_count};
    struct stint_arena *arena = stint_builder_arena(builder);
    const char *classes = classify(&rows, builder);
    size_t *end = stint_arena_alloc(arena, (rows.context_count + 1) * sizeof *end);
    size_t *inside = stint_arena_alloc(arena, (rows.stat_count + 1) * sizeof *inside);
    if (!classes || !end || !inside)
        return -1;
    add_own_charges(&rows, snapshot);
    if (!add_launches(&rows, classes) && !snapshot->gpu_charge_count)
        return 0;
    add_upwards(&rows);
    find_ends(&rows, end);
    add_to_stats(&rows, end, inside);
    return 0;
}
