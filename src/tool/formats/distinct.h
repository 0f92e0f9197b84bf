/* Counting different values. */
#ifndef STINT_FORMATS_DISTINCT_H
#define STINT_FORMATS_DISTINCT_H

#include "report/row_order.h"

/* Returns how many different values the ranks have; without memory, how many ranks there are. */
size_t stint_distinct(const struct stint_rank *ranks, size_t count, struct stint_arena *arena);

#endif
