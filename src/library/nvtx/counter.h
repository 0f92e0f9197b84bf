/* Counters: what a program samples, added up under the counter's name. */
#ifndef STINT_NVTX_COUNTER_H
#define STINT_NVTX_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_counters_start(void);

/* Returns the counter's id: the program's choice, or a new one; 0 beyond a limit, which is counted. */
uint64_t stint_nvtx_counter_register(struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_attributes *attributes);

/* Adds a sample. Of an unknown counter it counts as unknown. */
void stint_nvtx_counter_sample(const struct stint_nvtx_domain *domain, uint64_t number, double value);

/* Likewise of one that is laid out as the counter's schema says, and of several. */
void stint_nvtx_counter_sample_bytes(const struct stint_nvtx_domain *domain, uint64_t number, const void *bytes,
                                     size_t size);
void stint_nvtx_counter_sample_batch(const struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_batch *batch);

#endif
