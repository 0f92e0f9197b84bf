/* Numbers in events, added up by (statistic, field): any thread may add without a lock. */
#ifndef STINT_NVTX_VALUE_H
#define STINT_NVTX_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "stint/nvtx_stats.h"

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_values_start(void);

/* Adds a number to the field of the statistic (id 0: does nothing). The field is 0, or the number of its name
 * (stint_nvtx_keep_number). A number that is not finite counts as rest. A number that is added during a reset may be
 * lost. */
void stint_nvtx_value_add(uint32_t id, uint32_t field, double number);

/* Fills a row with the value at a position, counted from 0. Returns 1; 0 if there is nothing to show; -1 after the last
 * position. Needs no lock; the texts live until the process ends. */
int stint_nvtx_value_at(size_t position, struct stint_nvtx_value *row);

#endif
