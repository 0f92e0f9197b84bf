/* How rows differ between ranks: struct stint_spread, of rows in a builder. Only code that merges ranks uses this;
 * libstint does not contain it. */
#ifndef STINT_STAT_SPREAD_H
#define STINT_STAT_SPREAD_H

#include "stat/builder.h"

/* The rows that have one; statistics also have one of their GPU time. */
enum stint_spread_rows { STINT_SPREAD_STATS, STINT_SPREAD_STATS_GPU, STINT_SPREAD_CONTEXTS, STINT_SPREAD_ACTIVITIES };

/* Adds a spread, which may be NULL, to that of the row at `position`. Ranks of the two have to be different. */
void stint_spread_add(struct stint_builder *builder, enum stint_spread_rows rows, size_t position,
                      const struct stint_spread *from);

/* Returns the spread of a row that only this rank has. */
struct stint_spread stint_spread_of_rank(const struct stint_numbers *numbers, uint32_t rank, const char *host);

/* Of the totals of the ranks that have the row: the mean, and the population standard deviation. */
double stint_spread_mean_ns(const struct stint_numbers *numbers);
double stint_spread_stddev_ns(const struct stint_numbers *numbers);

#endif
