/* What this stage does to trees, besides entering: inside the guard (stint_nvtx_begin), but for stint_nvtx_sample. */
#ifndef STINT_NVTX_SAMPLE_H
#define STINT_NVTX_SAMPLE_H

#include <stdint.h>

/* Returns the ticks from `start` to `now`: 0, which is counted, if the clock stepped back. */
uint64_t stint_nvtx_span(uint64_t start, uint64_t now);

/* Adds a sample of `ticks` from `start` on, that no scope encloses, to the statistic; id 0: nothing. */
void stint_nvtx_sample(uint32_t id, uint64_t start, uint64_t ticks);

/* Likewise, one of no length, now. */
void stint_nvtx_mark(uint32_t id);

#endif
