/* The samples that wait to be written to a recording. Signal handlers of all threads add to them, and one thread takes
 * them, in that order. Their number is bounded. */
#ifndef STINT_SAMPLE_SAMPLE_RING_H
#define STINT_SAMPLE_SAMPLE_RING_H

#include "model/sampler.h"

enum { STINT_SAMPLE_RING_MOST = 1 << 15 };

/* Reserves the memory. Returns 0, or -1. */
int stint_sample_ring_start(void);

/* Adds a sample. If there is no room, it is counted. Async-signal-safe. */
void stint_sample_ring_add(const struct stint_waiting_sample *sample);

/* As in struct stint_sampler. A sample that a handler is adding is not taken yet, nor are those after it. */
size_t stint_sample_ring_take(struct stint_waiting_sample *samples, size_t most, uint64_t *lost);
size_t stint_sample_ring_waiting(void);

/* In a forked child: forgets all. */
void stint_sample_ring_after_fork(void);

#endif
