/* Chooses the rows of a tree: the longest contexts, all that are around them, and siblings in order. Rows are worked
 * out once, in an array, so that printing is a plain loop. */
#include "report/row_order.h"

#include "report/line.h"
#include "stat/numbers.h"
#include "stat/order.h"

/* ------------------------------------------------------------------------------------------------------------ which */

/* Keeps the longest contexts. The time so far of a scope that has not ended counts, because it may contain long
 * scopes. */
static int keep_longest(char *kept, const struct stint_snapshot *snapshot, struct stint_rank *ranks,
                        const struct stint_layout *layout, uint64_t whole_ns, struct stint_arena *arena)
{
    double least_ns = layout->min_percent / 100 * (double)whole_ns;
    for (size_t i = 0; i < snapshot->context_count; i++)
        ranks[i] = (struct stint_rank){.value = snapshot->contexts[i].numbers.total_ns +
                                                snapshot->contexts[i].numbers.running_ns};
    const size_t *order = stint_rank_order(ranks, snapshot->context_count, arena);
    if (!order)
        return -1;
    for (size_t i = 0;
         i < snapshot->context_count && stint_is_within(i, layout->top) && (double)ranks[order[i]].value >= least_ns;
         i++)
        for (size_t at = order[i]; at != STINT_NO_PARENT && !kept[at]; at = snapshot->contexts[at].parent)
            kept[at] = 1;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ order */

static size_t *sort_contexts(const struct stint_snapshot *snapshot, struct stint_rank *ranks, enum stint_sort by,
                             struct stint_arena *arena)
{
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        struct stint_label label = stint_label_of(snapshot, &snapshot->stats[context->stat]);
        ranks[i] = stint_rank_of(by, &context->numbers, 0, label.set, label.name);
    }
    const size_t *order = stint_rank_order(ranks, snapshot->context_count, arena);
    return order ? stint_order_tree(snapshot->contexts, snapshot->context_count, order, arena) : NULL;
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* Removes the rows that are not kept. */
static void reduce(struct stint_tree_rows *rows, size_t *context, const struct stint_snapshot *snapshot,
                   const char *kept)
{
    size_t shown = 0;
    for (size_t i = 0; i < rows->count; i++) {
        uint64_t self_ns = snapshot->contexts[context[i]].numbers.self_ns;
        stint_sum_up(&rows->rest.whole, self_ns);
        if (kept[context[i]]) {
            context[shown++] = context[i];
            continue;
        }
        rows->rest.rows++;
        stint_sum_up(&rows->rest.part, self_ns);
    }
    rows->count = shown;
}

void stint_tree_rows_begin(struct stint_tree_rows *rows, const struct stint_snapshot *snapshot,
                           const struct stint_layout *layout, uint64_t whole_ns, int is_ordered)
{
    size_t count = snapshot->context_count;
    int sorts = layout->sort || !is_ordered;
    int limits = !stint_is_within(count, layout->top) || layout->min_percent > 0;
    *rows = (struct stint_tree_rows){.count = count, .rest.by_share = layout->min_percent > 0};
    if (!sorts && !limits)
        return;
    size_t *context = stint_arena_alloc(&rows->arena, (count + 1) * sizeof *context);
    char *kept = stint_arena_alloc(&rows->arena, count + 1);
    struct stint_rank *ranks = stint_arena_alloc(&rows->arena, (count + 1) * sizeof *ranks);
    if (!context || !kept || !ranks)
        return;
    for (size_t i = 0; i < count; i++)
        context[i] = i;
    if (sorts)
        context = sort_contexts(snapshot, ranks, layout->sort, &rows->arena);
    if (!context)
        return;
    rows->context = context;
    if (limits && keep_longest(kept, snapshot, ranks, layout, whole_ns, &rows->arena) == 0)
        reduce(rows, context, snapshot, kept);
}

void stint_tree_rows_end(struct stint_tree_rows *rows)
{
    stint_arena_free(&rows->arena);
}
