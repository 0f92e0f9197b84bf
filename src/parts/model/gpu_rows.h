/* Rows of what GPUs did: adding and ordering them, and what statistics and contexts have of them. */
#ifndef STINT_MODEL_GPU_ROWS_H
#define STINT_MODEL_GPU_ROWS_H

#include "stat/order.h"
#include "stat/statistic.h"

/* Derives, from the charges and the calls of CUDA's API, what each of the snapshot's contexts and statistics had GPUs
 * do. Returns 0, or -1 if there is no memory. */
int stint_gpu_derive_use(struct stint_snapshot *snapshot, struct stint_builder *builder);

/* Whether activities of this kind occupy a device. */
static inline int stint_gpu_occupies(enum stint_gpu_kind kind)
{
    return kind <= STINT_GPU_UNIFIED;
}

/* Returns whether a statistic is a call of the C library in which threads may wait. */
int stint_stat_is_os_call(const struct stint_stat *stat);

/* Returns whether a statistic is STINT_ADOPTED. */
int stint_stat_is_adopted(const struct stint_stat *stat);

/* Adds `from` to `into`. */
void stint_gpu_use_merge(struct stint_gpu_use *into, const struct stint_gpu_use *from);

/* Adds a charge of an activity of this kind to `use`. */
void stint_gpu_use_add(struct stint_gpu_use *use, enum stint_gpu_kind kind, const struct stint_gpu_charge *charge);

/* What the tables name (gpu_order.c). */
stint_row_order_fn stint_order_activities, stint_order_events;

/* Returns the position of an activity, added without numbers if it is new. */
static inline size_t stint_builder_gpu_activity(struct stint_builder *builder, const struct stint_gpu_activity *like)
{
    return stint_builder_find(builder, STINT_ROWS_GPU_ACTIVITIES, like);
}

/* Adds to its numbers and bytes. */
static inline void stint_builder_add_gpu_activity(struct stint_builder *builder, size_t activity,
                                                  const struct stint_gpu_activity *like)
{
    if (!builder->failed && like->numbers.count)
        stint_builder_merge(builder, STINT_ROWS_GPU_ACTIVITIES,
                            stint_builder_row(builder, STINT_ROWS_GPU_ACTIVITIES, activity), like);
}

#endif
