/* How rows differ between ranks: struct stint_spread, of rows in a builder. Only code that merges ranks uses this;
 * libstint does not contain it. */
#ifndef STINT_MODEL_SPREAD_H
#define STINT_MODEL_SPREAD_H

#include "stat/builder.h"

/* Adds a spread, which may be NULL, to that of a row in the builder, as its add_spread does. Ranks of the two have to
 * be different. */
stint_spread_add_fn stint_spread_add;

/* Returns the spread of a row that only this rank has. */
struct stint_spread stint_spread_of_rank(const struct stint_numbers *numbers, uint32_t rank, const char *host);

/* Of the totals of the ranks that have the row: the mean, and the population standard deviation. */
double stint_spread_mean_ns(const struct stint_numbers *numbers);
double stint_spread_stddev_ns(const struct stint_numbers *numbers);

#endif
