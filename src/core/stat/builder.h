/* Builds a snapshot: rows are added in any order, are found again by their keys, and are put into the canonical order
 * at the end. What rows consist of, and how two for the same thing are added up, the tables of stat/members.h say. A
 * failure is remembered: further additions are harmless, and the end reports the failure. */
#ifndef STINT_STAT_BUILDER_H
#define STINT_STAT_BUILDER_H

#include "base/arena.h"
#include "stat/members.h"
#include "stint/statset.h"

struct stint_snapshot_memory;

/* Adds how a row differs between ranks (model/model.h) to what is known of it so far, *into; either may be NULL. */
typedef void stint_spread_add_fn(struct stint_builder *builder, const struct stint_spread **into,
                                 const struct stint_spread *from);

struct stint_builder {
    struct stint_snapshot_memory *memory;      /* the snapshot and its arena; NULL after a failure to begin */
    struct stint_array rows[STINT_ROW_KINDS];  /* of the snapshot's lists; `slowest` has a place for each participant */
    struct stint_index index[STINT_ROW_KINDS]; /* of the first rows: the others are added when one is looked for */
    uint64_t special[STINT_ROW_KINDS];         /* members that are not just copied; 0: not known yet */
    struct stint_snapshot whole;               /* its objects */
    struct stint_array sets;                   /* const char * */
    struct stint_array texts;                  /* const char *: STINT_TEXT_POOL */
    struct stint_index text_index;
    stint_spread_add_fn *add_spread; /* NULL at first: spreads are left out */
    int failed;
};

void stint_builder_begin(struct stint_builder *builder);

/* As stint_builder_begin, in memory that may have been that of another snapshot: its arena, emptied. */
void stint_builder_begin_in(struct stint_builder *builder, struct stint_arena arena);
struct stint_arena stint_snapshot_arena(const struct stint_snapshot *snapshot);

/* ------------------------------------------------------------------------------------------------------------- rows */

/* `like` and `from` are rows as in a snapshot, but refer to other rows by their positions in this builder; texts and
 * histograms are copied. A reference to a row that is not there becomes one to none. A position is valid until the
 * end. */

/* Adds a row to the one for the same thing, or as a new one, and returns its position: 0 if nothing was counted in it,
 * and that of what the snapshot has once. */
size_t stint_builder_add(struct stint_builder *builder, enum stint_row_kind kind, const void *row);

/* The two steps: finds the row for the same thing, or adds it without its numbers and sums; adds these. `into` may also
 * be elsewhere; it then has neither numbers nor texts to merge. */
size_t stint_builder_find(struct stint_builder *builder, enum stint_row_kind kind, const void *like);
void stint_builder_merge(struct stint_builder *builder, enum stint_row_kind kind, void *into, const void *from);

/* Makes room for the first `count` rows of a kind, which otherwise move whenever they need more. */
void stint_builder_reserve(struct stint_builder *builder, enum stint_row_kind kind, size_t count);

/* Adds a row, even if there is one for the same thing. */
size_t stint_builder_append(struct stint_builder *builder, enum stint_row_kind kind, const void *row);

/* Adds a row of zeroes, for the caller to fill with what there is no row for yet. Returns it, or NULL on failure. */
void *stint_builder_blank(struct stint_builder *builder, enum stint_row_kind kind);

/* Returns the row at the position. */
static inline void *stint_builder_row(const struct stint_builder *builder, enum stint_row_kind kind, size_t position)
{
    return (char *)builder->rows[kind].items + position * stint_row_tables[kind]->size;
}

/* Return the position of a set, a statistic or a calling context, added without numbers if it is new. */
size_t stint_builder_set(struct stint_builder *builder, const char *name);
size_t stint_builder_stat(struct stint_builder *builder, const struct stint_stat *like);
size_t stint_builder_context(struct stint_builder *builder, size_t parent, size_t stat);

/* Add to the numbers of a row. */
void stint_builder_add_stat(struct stint_builder *builder, size_t stat, const struct stint_numbers *numbers);
void stint_builder_add_context(struct stint_builder *builder, size_t context, const struct stint_numbers *numbers);

/* Adds a thread's part of a statistic. */
void stint_builder_thread_stat(struct stint_builder *builder, size_t thread, size_t stat,
                               const struct stint_numbers *numbers);

/* ----------------------------------------------------------------------------------------------------------- memory */

/* Returns a copy of the text, which may be NULL; "" after a failure. */
const char *stint_builder_text(struct stint_builder *builder, const char *text);

/* Returns the arena for whatever the caller wants to live as long as the snapshot; NULL after a failure. */
struct stint_arena *stint_builder_arena(struct stint_builder *builder);

/* Returns the snapshot in canonical order, without rows for things that neither ended, nor are running, nor launched
 * anything, or NULL after a failure. What contexts and statistics had GPUs do is derived from the charges. Texts of
 * `process` must live in the builder's arena. */
struct stint_snapshot *stint_builder_end(struct stint_builder *builder, const struct stint_process *process,
                                         const struct stint_dropped *dropped);

/* ----------------------------------------------------------------------------------------- for stat/members.c alone */

/* Keeps the call site that sorts first. */
stint_row_merge_fn stint_merge_site;

#endif
