/* Which calling contexts a tree shows, in which order. */
#ifndef STINT_REPORT_SCOPE_TREE_ROWS_H
#define STINT_REPORT_SCOPE_TREE_ROWS_H

#include "report/row_order.h"

struct stint_tree_rows {
    size_t count;
    const size_t *context; /* of each row; NULL: row and context have the same position */
    struct stint_rest rest;
    struct stint_arena arena;
};

/* Chooses the contexts with the longest inclusive time, as many as the layout allows, of which each has its share of
 * `whole_ns` if the layout asks for one, and the contexts around them; siblings are in the layout's order.
 * `is_ordered`: that of the snapshot's contexts is by total. Without memory, all contexts are shown in the snapshot's
 * order. */
void stint_tree_rows_begin(struct stint_tree_rows *rows, const struct stint_snapshot *snapshot,
                           const struct stint_layout *layout, uint64_t whole_ns, int is_ordered);
void stint_tree_rows_end(struct stint_tree_rows *rows);

static inline size_t stint_tree_row_at(const struct stint_tree_rows *rows, size_t position)
{
    return rows->context ? rows->context[position] : position;
}

#endif
