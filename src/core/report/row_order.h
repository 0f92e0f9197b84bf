/* Which rows of a report are shown, in which order, and the note about the others. */
#ifndef STINT_REPORT_ROW_ORDER_H
#define STINT_REPORT_ROW_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "stint/report.h"
#include "stint/snapshot.h"

/* What rows are sorted by: the value, greatest first; rows of equal value by set and name, if they have these; then by
 * position. */
struct stint_rank {
    uint64_t value;
    const char *set; /* NULL, like the next: the row has no name */
    const char *name;
};

/* Returns how many activations the total is of. In a flat row it is of those that are not nested in another of the same
 * name, and so it is in a row of a tree into which nested ones were folded; elsewhere in a tree of all. */
uint64_t stint_samples_of(const struct stint_numbers *numbers, int flat);

/* Returns a row's rank. `flat`: nested activations are not in the total, and so not in the average. */
struct stint_rank stint_rank_of(enum stint_sort sort, const struct stint_numbers *numbers, int flat, const char *set,
                                const char *name);

/* Returns the positions of the ranks in order; NULL without memory. */
size_t *stint_rank_order(const struct stint_rank *ranks, size_t count, struct stint_arena *arena);

/* Returns the positions of all statistics in order; NULL if they are in order already, or there is no memory. */
const size_t *stint_stats_order(const struct stint_snapshot *snapshot, enum stint_sort sort, struct stint_arena *arena);

/* The rows that are left out, and their part of a sum over all rows; if the sum is 0, the note does not mention it. */
struct stint_rest {
    size_t rows;
    uint64_t part;
    uint64_t whole;
    int by_share; /* 1: rows are left out for their share, too */
};

/* From now on such lines name the variable of a program that reports on itself, instead of the options of `stint`. */
void stint_rest_is_by_environment(void);

/* Returns " (--top 0 shows all)". */
const char *stint_rest_hint(int by_share);

/* If rows are left out, writes "… 2371 more rows, 1.2 % of the time (--top 0 shows all)"; `whole` is "the time". */
void stint_rest_put(const struct stint_rest *rest, const char *whole, struct stint_text *text,
                    const struct stint_layout *layout);

/* Whether the row at `position`, counted from 0, is shown. */
static inline int stint_is_within(size_t position, unsigned top)
{
    return !top || position < top;
}

/* --------------------------------------------------------------------------------------- contexts that a tree shows */

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
