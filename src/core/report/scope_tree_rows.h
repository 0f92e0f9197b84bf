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

/* If the layout limits the rows of a tree: returns a copy of the snapshot in which the contexts of XLA's compilation
 * that have the same parent, and all that are below them, are one context, whose name says how many they are. Its own
 * time is the own time of all of them. Only contexts and statistics are changed, and siblings are not in order. Else,
 * and without such contexts or memory, returns the snapshot itself. (model/fold.c, which a program may be linked
 * without.) */
const struct stint_snapshot *stint_fold(const struct stint_snapshot *snapshot, const struct stint_layout *layout,
                                        struct stint_arena *arena);

#endif
