/* The order of sets and threads in a snapshot, and of the whole. */
#include <string.h>

#include "stat/order.h"

/* ------------------------------------------------------------------------------------------------------------- sets */

int stint_set_before(const void *array, size_t a, size_t b)
{
    const char *const *sets = array;
    int a_global = strcmp(sets[a], "GlobalStatInfo") == 0, b_global = strcmp(sets[b], "GlobalStatInfo") == 0;
    return a_global != b_global ? a_global : strcmp(sets[a], sets[b]) < 0;
}

static int order_sets(struct stint_snapshot *snapshot, struct stint_builder *builder)
{
    const char **from = builder->sets.items;
    size_t count = builder->sets.count;
    const size_t *order = stint_sorted(stint_builder_arena(builder), count, stint_set_before, from);
    const char **to = stint_arena_alloc(stint_builder_arena(builder), count * sizeof *to);
    if (!order || !to)
        return -1;
    for (size_t i = 0; i < count; i++)
        to[i] = from[order[i]];
    snapshot->sets = to;
    snapshot->set_count = count;
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- needed */

/* Marks the contexts to which rows refer, and returns how many of their sums stand at the largest number: what
 * files say may exceed 64 bits (stat/numbers.h). */
static uint64_t scan_rows(const struct stint_builder *builder, char *needed)
{
    uint64_t saturated = 0;
    for (int kind = 0; kind < STINT_ROW_KINDS; kind++) {
        const struct stint_row_table *table = stint_row_tables[kind];
        const char *row = builder->rows[kind].items;
        uint16_t sums[64], contexts[64];
        size_t sum_count = 0, context_count = 0;
        for (size_t k = 0; table && k < table->count; k++) {
            const struct stint_member *member = &table->members[k];
            if (member->type == STINT_MEMBER_CONTEXT)
                contexts[context_count++] = member->at;
            else if (member->type == STINT_MEMBER_U64 && (member->merge || table->numbers))
                sums[sum_count++] = member->at;
        }
        for (size_t i = 0; i < builder->rows[kind].count; i++, row += table->size) {
            for (size_t k = 0; k < sum_count; k++)
                saturated += *(const uint64_t *)(const void *)(row + sums[k]) == UINT64_MAX;
            for (size_t k = 0; k < context_count; k++) {
                size_t context = *(const size_t *)(const void *)(row + contexts[k]);
                if (context < builder->rows[STINT_ROWS_CONTEXTS].count)
                    needed[context] = 1;
            }
        }
    }
    return saturated;
}

/* Marks the contexts that ran, to which others refer, or that have such a descendant. Parents come before their
 * children. */
static char *mark_needed(struct stint_builder *builder, uint64_t *saturated)
{
    const struct stint_context *contexts = builder->rows[STINT_ROWS_CONTEXTS].items;
    size_t count = builder->rows[STINT_ROWS_CONTEXTS].count;
    char *needed = stint_arena_alloc(stint_builder_arena(builder), count + 1);
    if (needed)
        *saturated = scan_rows(builder, needed);
    for (size_t i = count; needed && i-- > 0;) {
        if (stint_is_active(&contexts[i].numbers))
            needed[i] = 1;
        if (needed[i] && contexts[i].parent != STINT_NO_PARENT)
            needed[contexts[i].parent] = 1;
    }
    return needed;
}

/* ---------------------------------------------------------------------------------------------------------- threads */

static int thread_before(const void *array, size_t a, size_t b)
{
    const struct stint_thread *threads = array;
    const struct stint_thread *x = &threads[a], *y = &threads[b];
    if (x->pid != y->pid)
        return x->pid < y->pid;
    if (x->exited != y->exited)
        return x->exited < y->exited;
    return x->tid != y->tid ? x->tid < y->tid : strcmp(x->name, y->name) < 0;
}

int stint_order_threads(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    return stint_order_rows(ordering, kind, thread_before, ordering->builder->rows[kind].items);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static int as_added(struct stint_ordering *ordering, enum stint_row_kind kind)
{
    const struct stint_array *rows = &ordering->builder->rows[kind];
    stint_order_rename(ordering, kind);
    stint_order_put(ordering, kind, rows->items, rows->count);
    return 0;
}

/* Rows refer to rows of kinds before theirs. */
int stint_canonical_rows(struct stint_snapshot *snapshot, struct stint_builder *builder)
{
    struct stint_ordering ordering = {
        .snapshot = snapshot, .builder = builder, .needed = mark_needed(builder, &snapshot->dropped.saturated)};
    if (!ordering.needed || order_sets(snapshot, builder))
        return -1;
    for (int kind = 0; kind < STINT_ROW_KINDS; kind++) {
        const struct stint_row_table *table = stint_row_tables[kind];
        stint_row_order_fn *order = table && table->order ? table->order : as_added;
        if (table && table->is_list && order(&ordering, (enum stint_row_kind)kind))
            return -1;
    }
    int failed = 0;
    for (int kind = 0; kind < STINT_ROW_KINDS && !failed; kind++)
        if (stint_row_tables[kind] && stint_row_tables[kind]->derive)
            failed = stint_row_tables[kind]->derive(snapshot, builder);
    return failed;
}
