/* Counters: the samples of a program's counter are added up under its name. */
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

/* Adds a sample. A sample of an unknown counter is counted as such. */
void stint_nvtx_counter_sample(const struct stint_nvtx_domain *domain, uint64_t number, double value);

/* As stint_nvtx_counter_sample, for a sample whose layout the counter's schema describes, and for several of them. */
void stint_nvtx_counter_sample_bytes(const struct stint_nvtx_domain *domain, uint64_t number, const void *bytes,
                                     size_t size);
void stint_nvtx_counter_sample_batch(const struct stint_nvtx_domain *domain,
                                     const struct stint_nvtx_counter_batch *batch);

#endif
