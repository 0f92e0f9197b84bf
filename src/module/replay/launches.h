/* What launched: a number for each call of CUDA's API, by its correlation id, for as long as devices may still work for
 * it. */
#ifndef STINT_REPLAY_LAUNCHES_H
#define STINT_REPLAY_LAUNCHES_H

#include <stdint.h>

#include "base/arena.h"
#include "stint/gpu_stats.h"

/* The last so many calls of a process are known. Drivers keep some thousand in their queues. */
enum { STINT_LAUNCHES = 1 << 18 };

/* Zeroed: none are known. Memory comes with the first. */
struct stint_launches {
    struct stint_arena arena;
    struct stint_launch_entry *entries;
};

/* Returns 0, or -1 without memory. Correlation 0 stands for none. */
int stint_launches_put(struct stint_launches *launches, int64_t pid, uint64_t correlation, size_t number);

/* STINT_GPU_UNATTRIBUTED: it is not known, or any more. */
size_t stint_launches_find(const struct stint_launches *launches, int64_t pid, uint64_t correlation);

void stint_launches_free(struct stint_launches *launches);

#endif
