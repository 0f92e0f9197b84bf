/* What activations add up to: their numbers, and how long they took. */
#ifndef STINT_REPLAY_COUNTS_H
#define STINT_REPLAY_COUNTS_H

#include <stdint.h>

#include "base/arena.h"
#include "stat/builder.h"
#include "stat/numbers.h"
#include "stint/numbers.h"
#include "support/keyed_table.h"

/* ------------------------------------------------------------------------------------------------------ durations.c */

/* Counts durations one by one, each different one exactly, so that percentiles are exact, too. */

/* Memory that all tables of a snapshot share: when it is used up, a table that would have to grow counts in the buckets
 * of histograms (stint/detail/histogram.h) from then on. Zero it to begin. */
struct stint_durations_budget {
    size_t slots;
};

/* A hash table. Zero it to begin. Durations wait until there are a few of them: the processor then fetches their slots,
 * which are seldom in its cache, at the same time. */
struct stint_durations {
    struct stint_bin *slots; /* free ones have count 0; NULL: none */
    size_t used;
    uint8_t shift; /* of a hash, to a slot */
    uint8_t is_rounded;
    uint16_t waiting;
    uint32_t waiting_ns[27];
};

/* Counts those that wait, and then one more. Returns 0, or -1 without memory. */
int stint_durations_settle(struct stint_durations *durations, struct stint_durations_budget *budget, uint64_t ns);

/* Returns 0, or -1 without memory. */
static inline int stint_durations_add(struct stint_durations *durations, struct stint_durations_budget *budget,
                                      uint64_t ns)
{
    if (durations->waiting == sizeof durations->waiting_ns / sizeof durations->waiting_ns[0] || ns > UINT32_MAX)
        return stint_durations_settle(durations, budget, ns);
    durations->waiting_ns[durations->waiting++] = (uint32_t)ns;
    return 0;
}

/* Puts tables together into few bins, in the arena: one for each bucket of a histogram, in the middle of its durations,
 * and one that ends with each percentile that reports show, which therefore is exact. Without memory there are none. */
void stint_durations_bins(const struct stint_durations *const *tables, size_t count, struct stint_arena *arena,
                          struct stint_numbers *numbers);

/* Whether it has counted nothing. */
static inline int stint_durations_empty(const struct stint_durations *durations)
{
    return !durations->used && !durations->waiting;
}

void stint_durations_free(struct stint_durations *durations);

/* --------------------------------------------------------------------------------------------------------- counts.c */

/* What activations add up to: the numbers of calling contexts, statistics, and threads' parts of statistics. An
 * activation is counted once, in the cell of its thread and context; the cells are added up at the end. */

/* What is counted: a calling context, or a statistic whose activations have none, as marks. */
static inline size_t stint_counts_context(size_t context)
{
    return 2 * context;
}

static inline size_t stint_counts_floating(size_t stat)
{
    return 2 * stat + 1;
}

/* A cache line. Members are those of struct stint_numbers. */
struct stint_counted {
    uint64_t count, total_ns, self_ns, min_ns, max_ns;
    double square_ns2;
    size_t thread; /* the caller's number for it */
    size_t row;    /* as above */
};

/* Zero it to begin. */
struct stint_counts {
    struct stint_arena arena;
    struct stint_table cells; /* struct stint_counted */
    struct stint_array rows;  /* struct stint_durations */
    struct stint_durations_budget budget;
};

/* Returns the position of the cell, or STINT_INDEX_NONE without memory. */
size_t stint_counts_cell(struct stint_counts *counts, size_t thread, size_t row);

static inline struct stint_counted *stint_counts_at(const struct stint_counts *counts, size_t cell)
{
    return (struct stint_counted *)counts->cells.items + cell;
}

/* Counts an activation. Returns 0, or -1 without memory. */
static inline int stint_counts_add(struct stint_counts *counts, size_t cell, uint64_t ns)
{
    struct stint_counted *at = stint_counts_at(counts, cell);
    if (!at->count || ns < at->min_ns)
        at->min_ns = ns;
    if (ns > at->max_ns)
        at->max_ns = ns;
    at->count++;
    stint_sum_up(&at->total_ns, ns);
    at->square_ns2 += (double)ns * (double)ns;
    return stint_durations_add((struct stint_durations *)counts->rows.items + at->row, &counts->budget, ns);
}

/* Gives the builder, which has the contexts and statistics, all numbers. `threads` has the builder's position of each
 * thread. */
void stint_counts_tell(struct stint_counts *counts, struct stint_builder *builder, const size_t *threads);

void stint_counts_free(struct stint_counts *counts);

#endif
