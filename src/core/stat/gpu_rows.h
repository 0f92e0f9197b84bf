/* The rows about GPUs in a snapshot, for builder.c, canonical.c and reports. */
#ifndef STINT_STAT_GPU_ROWS_H
#define STINT_STAT_GPU_ROWS_H

#include "stat/builder.h"

/* Marks the contexts that a charge or an event names: these are kept, whether they ran or not. */
void stint_gpu_mark_contexts(const struct stint_builder *builder, char *needed);

/* Fills the snapshot's gpu_ arrays from the builder's rows, in the order that gpu_stats.h documents. `contexts` has the
 * new position of each of the builder's contexts. Returns 0, or -1 if there is no memory. */
int stint_gpu_order(struct stint_snapshot *snapshot, struct stint_builder *builder, const size_t *contexts);

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
