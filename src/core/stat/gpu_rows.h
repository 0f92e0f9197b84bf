/* What statistics and contexts had GPUs do, and which of them are calls. */
#ifndef STINT_STAT_GPU_ROWS_H
#define STINT_STAT_GPU_ROWS_H

#include "stat/builder.h"

/* Derives, from the charges and the calls of CUDA's API, what each of the snapshot's contexts and statistics had GPUs
 * do. Returns 0, or -1 if there is no memory. */
int stint_gpu_derive_use(struct stint_snapshot *snapshot, struct stint_builder *builder);

/* Whether activities of this kind occupy a device. */
static inline int stint_gpu_occupies(enum stint_gpu_kind kind)
{
    return kind <= STINT_GPU_UNIFIED;
}

/* Returns whether a statistic is a call of CUDA's API. */
int stint_gpu_is_call(const struct stint_stat *stat);

/* Returns whether a statistic is a call of the C library in which threads may wait. */
int stint_stat_is_os_call(const struct stint_stat *stat);

/* Returns whether a statistic is STINT_ADOPTED. */
int stint_stat_is_adopted(const struct stint_stat *stat);

/* Adds `from` to `into`. */
void stint_gpu_use_merge(struct stint_gpu_use *into, const struct stint_gpu_use *from);

/* Adds a charge of an activity of this kind to `use`. */
void stint_gpu_use_add(struct stint_gpu_use *use, enum stint_gpu_kind kind, const struct stint_gpu_charge *charge);

#endif
