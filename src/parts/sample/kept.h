/* The samples that wait to be written to a recording. Signal handlers of all threads add to them, and one thread takes
 * them, in that order. Their number is bounded. */
#ifndef STINT_SAMPLE_KEPT_H
#define STINT_SAMPLE_KEPT_H

#include "stat/sampler.h"

enum { STINT_KEPT_MOST = 1 << 15 };

/* Reserves the memory. Returns 0, or -1. */
int stint_kept_start(void);

/* Adds a sample. If there is no room, it is counted. Async-signal-safe. */
void stint_kept_add(const struct stint_kept_sample *sample);

/* As in struct stint_sampler. A sample that a handler is adding is not taken yet, nor are those after it. */
size_t stint_kept_take(struct stint_kept_sample *samples, size_t most, uint64_t *lost);
size_t stint_kept_waiting(void);

/* In a forked child: forgets all. */
void stint_kept_after_fork(void);

#endif
