/* What was counted: numbers by kernel, or scope, and metric. */
#ifndef STINT_COUNTERS_COUNTER_ROWS_H
#define STINT_COUNTERS_COUNTER_ROWS_H

#include "model/counting.h"
#include "support/keyed_table.h"

/* Zero it to begin. */
struct stint_counter_rows {
    struct stint_arena arena;
    struct stint_table rows; /* struct stint_nvtx_value, with texts of its own */
};

/* Adds a value to the row of (set, name, metric). */
void stint_counter_rows_add(struct stint_counter_rows *rows, const char *set, const char *name, const char *metric,
                            double value);

/* Adds up the rows of a set whose names are among the patterns, of a metric with or without its suffix. */
struct stint_counter stint_counter_rows_sum(const struct stint_counter_rows *rows, const char *set,
                                            const char *patterns, const char *metric);

/* Passes on all rows. */
void stint_counter_rows_put(const struct stint_counter_rows *rows, stint_counting_put_fn *put, void *context);

#endif
