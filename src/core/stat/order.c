/* Sorting the rows of any kind, and what it takes to refer to them by their new places. */
#include "stat/order.h"

#include <string.h>

size_t *stint_order_positions(struct stint_builder *builder, size_t count)
{
    return stint_arena_alloc(stint_builder_arena(builder), (count + 1) * sizeof(size_t));
}

void stint_order_put(const struct stint_ordering *ordering, enum stint_row_kind kind, const void *rows, size_t count)
{
    struct stint_row_list list = {rows, count};
    memcpy((char *)ordering->snapshot + stint_row_tables[kind]->at, &list, sizeof list);
}

/* The contexts are lists of children: list i + 1 has those of context i, list 0 the roots. A place in a list is a
 * position + 1; 0: the list ends. */
size_t *stint_order_tree(const struct stint_context *contexts, size_t count, const size_t *order,
                         struct stint_arena *arena)
{
    size_t *first = stint_arena_alloc(arena, (count + 1) * sizeof *first);
    size_t *next = stint_arena_alloc(arena, (count + 1) * sizeof *next);
    size_t *tree = stint_arena_alloc(arena, (count + 1) * sizeof *tree), used = 0;
    if (!first || !next || !tree)
        return NULL;
    for (size_t i = count; i-- > 0;) {
        size_t list = contexts[order[i]].parent + 1; /* STINT_NO_PARENT + 1 is 0 */
        next[order[i]] = first[list];
        first[list] = order[i] + 1;
    }
    for (size_t at = first[0]; at;) {
        tree[used++] = at - 1;
        if (first[at]) {
            at = first[at];
            continue;
        }
        while (at && !next[at - 1])
            at = contexts[at - 1].parent + 1;
        at = at ? next[at - 1] : 0;
    }
    return tree;
}

/* ------------------------------------------------------------------------------------------------------- references */

/* Returns the kind of rows that the member refers to, or STINT_ROW_KINDS. */
static enum stint_row_kind referred(const struct stint_member *member)
{
    if (member->type == STINT_MEMBER_CONTEXT)
        return STINT_ROWS_CONTEXTS;
    return member->type == STINT_MEMBER_INDEX ? (enum stint_row_kind)member->of : STINT_ROW_KINDS;
}

static size_t *index_at(const struct stint_builder *builder, enum stint_row_kind kind, size_t row,
                        const struct stint_member *member)
{
    return (size_t *)(void *)((char *)stint_builder_row(builder, kind, row) + member->at);
}

void stint_order_rename(const struct stint_ordering *ordering, enum stint_row_kind kind)
{
    const struct stint_row_table *table = stint_row_tables[kind];
    const struct stint_builder *builder = ordering->builder;
    for (const struct stint_member *member = table->members; member < table->members + table->count; member++) {
        enum stint_row_kind of = referred(member);
        if (of == STINT_ROW_KINDS || !ordering->renamed[of])
            continue;
        for (size_t i = 0; i < builder->rows[kind].count; i++) {
            size_t *index = index_at(builder, kind, i, member);
            if (*index < builder->rows[of].count)
                *index = ordering->renamed[of][*index];
        }
    }
}

/* ---------------------------------------------------------------------------------------------------------- sorting */

/* Row order[i] becomes row i, one cycle of moves after the other. A row that is in its place has order[i] = i. */
static void move_rows(char *rows, size_t size, size_t *order, size_t count, char *spare)
{
    for (size_t i = 0; i < count; i++) {
        size_t to = i, from;
        if (order[i] == i)
            continue;
        memcpy(spare, rows + i * size, size);
        for (; (from = order[to]) != i; to = from) {
            memcpy(rows + to * size, rows + from * size, size);
            order[to] = to;
        }
        memcpy(rows + to * size, spare, size);
        order[to] = to;
    }
}

int stint_order_apply(struct stint_ordering *ordering, enum stint_row_kind kind, size_t *order, const char *wanted)
{
    size_t count = ordering->builder->rows[kind].count, size = stint_row_tables[kind]->size, kept = 0, left = 0;
    size_t *renamed = stint_order_positions(ordering->builder, count);
    char *spare = stint_arena_alloc(stint_builder_arena(ordering->builder), size);
    if (!order || !renamed || !spare)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (!wanted || wanted[order[i]])
            renamed[order[i]] = kept++;
    for (size_t i = 0; i < count; i++)
        if (wanted && !wanted[order[i]])
            renamed[order[i]] = kept + left++;
    for (size_t i = 0; i < count; i++)
        order[renamed[i]] = i;
    move_rows(ordering->builder->rows[kind].items, size, order, count, spare);
    ordering->renamed[kind] = renamed;
    stint_order_put(ordering, kind, ordering->builder->rows[kind].items, kept);
    return 0;
}

int stint_order_rows(struct stint_ordering *ordering, enum stint_row_kind kind, stint_before_fn *before,
                     const void *array)
{
    size_t count = ordering->builder->rows[kind].count;
    return stint_order_apply(ordering, kind, stint_sorted(stint_builder_arena(ordering->builder), count, before, array),
                             NULL);
}
