/* Finds the call that launched something: a number for each call of CUDA's API, by its correlation id, for as long as
 * devices may still be working for it. */
#ifndef STINT_REPLAY_LAUNCHES_H
#define STINT_REPLAY_LAUNCHES_H

#include <stdint.h>

#include "base/arena.h"
#include "stint/gpu_stats.h"

/* This many most recent calls of a process are known. Drivers keep some thousands in their queues. */
enum { STINT_LAUNCHES = 1 << 18 };

/* Zero it to begin without calls. Memory is allocated with the first call. */
struct stint_launches {
    struct stint_arena arena;
    struct stint_launch_entry *entries;
};

/* Returns 0, or -1 if there is no memory. Correlation 0 means none. */
int stint_launches_put(struct stint_launches *launches, int64_t pid, uint64_t correlation, size_t number);

/* Returns the number, or STINT_GPU_UNATTRIBUTED if it is not known, or no longer. */
size_t stint_launches_find(const struct stint_launches *launches, int64_t pid, uint64_t correlation);

void stint_launches_free(struct stint_launches *launches);

#endif
