/* Numbers in events and in samples of counters, added up by (statistic, field): any thread may add without a lock. */
#ifndef STINT_NVTX_VALUE_H
#define STINT_NVTX_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"
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

/* Counters: the samples of a program's counter are added up under its name. */

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_counters_start(void);

/* Returns the counter's id: the program's choice, or a new one; 0 beyond a limit, which is counted. */
uint64_t stint_nvtx_counter_register(struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_attributes *attributes);

/* Adds a sample. A sample of an unknown counter is counted as such. */
void stint_nvtx_counter_sample(const struct stint_nvtx_domain *domain, uint64_t number, double value);

/* As stint_nvtx_counter_sample, for a sample whose layout the counter's schema describes, and for several of them. */
void stint_nvtx_counter_sample_bytes(const struct stint_nvtx_domain *domain, uint64_t number, const void *bytes,
                                     size_t size);
void stint_nvtx_counter_sample_batch(const struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_batch *batch);

#endif
