/* Which metrics one pass can count together: for programs whose kernels run once. */
#ifndef STINT_COUNTERS_PLAN_SPLIT_H
#define STINT_COUNTERS_PLAN_SPLIT_H

#include "counters/counter_plan.h"

/* Puts the plan's metrics into parts, in their order, each as large as one pass allows; leaves only the part of `run`,
 * counted from 1, in the plan, and how many there are. Metrics that only a replay of kernels counts are in none.
 * Returns 0, or -1 if a function failed. */
int stint_plan_split(struct stint_counter_plan *plan, const char *chip, size_t run);

#endif
