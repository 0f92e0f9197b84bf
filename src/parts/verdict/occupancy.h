/* Computes how many warps of a kernel fit on a multiprocessor at a time: what its launch allows, not what it
 * achieved. */
#ifndef STINT_VERDICT_OCCUPANCY_H
#define STINT_VERDICT_OCCUPANCY_H

#include <stdint.h>

#include "stint/snapshot.h"

/* What prevents more blocks on a multiprocessor. */
enum stint_occupancy_limit {
    STINT_OCCUPANCY_UNKNOWN, /* the device's compute capability, or the launch, is not known */
    STINT_OCCUPANCY_WARPS,
    STINT_OCCUPANCY_BLOCKS,
    STINT_OCCUPANCY_REGISTERS,
    STINT_OCCUPANCY_SHARED,
    STINT_OCCUPANCY_GRID /* there are too few blocks to fill the device; only if `multiprocessors` is known */
};

struct stint_kernel_launch {
    uint32_t compute_major;
    uint32_t compute_minor;
    uint32_t multiprocessors; /* 0: unknown */
    uint64_t blocks;          /* in the grid */
    uint64_t threads;         /* per block */
    uint32_t registers;       /* per thread */
    uint64_t shared_bytes;    /* per block, static and dynamic */
};

struct stint_occupancy {
    enum stint_occupancy_limit limit;
    uint32_t blocks; /* per multiprocessor */
    uint32_t warps;  /* per multiprocessor */
    uint32_t most;   /* warps that a multiprocessor has room for; 0: unknown */
};

/* With limit STINT_OCCUPANCY_UNKNOWN the rest is 0. A launch that does not fit at all has 0 blocks. */
struct stint_occupancy stint_occupancy_of(const struct stint_kernel_launch *launch);

/* Returns a word for what is the limit; "" if it is not known. */
const char *stint_occupancy_word(enum stint_occupancy_limit limit);

/* Fills in how the event's kernel was launched. Returns 0, or -1 if there are more blocks or threads than any device
 * takes. */
int stint_kernel_launch_of(struct stint_kernel_launch *launch, const struct stint_snapshot *snapshot,
                           const struct stint_gpu_event *kernel);

#endif
