/* Puts the rows of a builder into the order of a snapshot, which does not depend on that in which they were added. All
 * memory comes from the snapshot's arena. */
#ifndef STINT_STAT_ORDER_H
#define STINT_STAT_ORDER_H

#include "base/arena.h"
#include "stat/builder.h"

/* What mostly decides which of two statistics comes first, side by side: their rows lie far apart. */
struct stint_stat_key {
    uint64_t total_ns;
    uint64_t prefix; /* the first bytes of the name, as strcmp compares them */
};

struct stint_ordering {
    struct stint_snapshot *snapshot;
    struct stint_builder *builder;
    size_t *renamed[STINT_ROW_KINDS]; /* the place in the snapshot of each of the builder's rows; NULL: the same */
    char *needed;                     /* of each context: whether the snapshot has it */
    struct stint_stat_key *stat_keys; /* of each of the builder's statistics, once these are in order */
};

/* Fills the snapshot's lists from the builder's rows, in the order that statset.h documents. Returns 0, or -1 if there
 * is no memory. */
int stint_canonical_rows(struct stint_snapshot *snapshot, struct stint_builder *builder);

/* Whether anything was counted. */
static inline int stint_is_active(const struct stint_numbers *numbers)
{
    return numbers->count || numbers->running;
}

/* Returns a zeroed array of `count` + 1 positions, or NULL if there is no memory. */
size_t *stint_order_positions(struct stint_builder *builder, size_t count);

/* Returns the contexts in the order of a tree, each before those below it, and siblings as they are in `order`; NULL if
 * there is no memory. */
size_t *stint_order_tree(const struct stint_context *contexts, size_t count, const size_t *order,
                         struct stint_arena *arena);

/* Makes rows of the builder refer to others by their places in the snapshot, as far as these are known. */
void stint_order_rename(const struct stint_ordering *ordering, enum stint_row_kind kind);

/* Gives the snapshot this list. */
void stint_order_put(const struct stint_ordering *ordering, enum stint_row_kind kind, const void *rows, size_t count);

/* Gives the snapshot the builder's rows in this order, which is lost. They move in place, since copies of thousands of
 * rows would be most of what a snapshot costs. Those that are not `wanted` stand behind the list's end; NULL: all are.
 * Returns 0, or -1 if there is no memory: `order` may be NULL then. */
int stint_order_apply(struct stint_ordering *ordering, enum stint_row_kind kind, size_t *order, const char *wanted);

/* Gives the snapshot the builder's rows, sorted by `before`, which is called with `array`. Returns 0, or -1 if there is
 * no memory. */
int stint_order_rows(struct stint_ordering *ordering, enum stint_row_kind kind, stint_before_fn *before,
                     const void *array);

/* Whether set a comes before set b in an array of names. */
stint_before_fn stint_set_before;

/* What the tables name. */
stint_row_order_fn stint_order_stats, stint_order_contexts, stint_order_threads, stint_order_thread_stats;

#endif
