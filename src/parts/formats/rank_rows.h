/* What reports on the ranks of a job have: rows, and sentences on ranks that are slow or wait. */
#ifndef STINT_FORMATS_RANK_ROWS_H
#define STINT_FORMATS_RANK_ROWS_H

#include "base/text.h"
#include "report/sheet.h"
#include "report/summary.h"
#include "stint/report.h"

enum stint_rank_column {
    STINT_RANK_KIND,
    STINT_RANK_SET,
    STINT_RANK_SHARE,
    STINT_RANK_TOTAL,
    STINT_RANK_RANKS,
    STINT_RANK_COUNT,
    STINT_RANK_MIN,
    STINT_RANK_MIN_RANK,
    STINT_RANK_AVG,
    STINT_RANK_MAX,
    STINT_RANK_MAX_RANK,
    STINT_RANK_STD,
    STINT_RANK_COV,
    STINT_RANK_IMBALANCE,
    STINT_RANK_P50,
    STINT_RANK_P90,
    STINT_RANK_P99,
    STINT_RANK_BYTES,
    STINT_RANK_WAIT,
    STINT_RANK_NAME,
    STINT_RANK_COLUMNS
};

extern const struct stint_column stint_rank_columns[STINT_RANK_COLUMNS];

/* Fills the cells of a row but its name; `whole_ns` is 100 %, 0: the row has no share. */
void stint_rank_row_put(struct stint_sheet *sheet, const struct stint_numbers *numbers, uint64_t whole_ns);

/* Fills the cell of the bytes that calls of MPI sent or received, if that was counted. */
void stint_rank_row_put_bytes(struct stint_sheet *sheet, const struct stint_snapshot *snapshot,
                              const struct stint_stat *stat);

/* Returns the GPU time that the ranks spent on a scope, as numbers; without ranks that spent any, `spread` is NULL. */
struct stint_numbers stint_rank_gpu_numbers(const struct stint_stat *stat);

/* Writes all rows as CSV. */
void stint_rank_rows_csv(struct stint_text *text, const struct stint_snapshot *snapshot);

/* -------------------------------------------------------------------------------------------------------- sentences */

/* Writes a line for each scope in which a rank is much slower than the others, or much slower than it was before:
 * the five, or as many as the layout says, that cost most. What counts is self time: ranks that wait for a slow one
 * in calls of MPI are not slow. */
void stint_slow_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_summary *summary, const struct stint_layout *layout);

/* Writes a line for each such kernel of which it is known: of five, or as many as the layout says, that took
 * longest. */
void stint_waiting_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout);

#endif
