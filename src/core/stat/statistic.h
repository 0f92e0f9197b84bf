/* What a statistic is of: by which way its activations were recorded, and what one of them cost. */
#ifndef STINT_STAT_STATISTIC_H
#define STINT_STAT_STATISTIC_H

#include "stint/statset.h"

/* The ways in which activations are recorded. Each has a cost of its own. */
enum stint_cost_kind {
    STINT_COST_SCOPE,
    STINT_COST_FUNCTION, /* of -finstrument-functions */
    STINT_COST_RANGE,    /* of NVTX */
    STINT_COST_CALL,     /* of CUDA's API */
    STINT_COST_SAMPLE,   /* of stint_statset_add: no activation, and nothing is taken off it */
    STINT_COST_KINDS
};

/* Returns the way by which the activations of a statistic are recorded, by its set and call site: the call site of a
 * function has a name, but no line. Samples that were added are told apart by their number alone (struct
 * stint_process): they may be of the same statistic as scopes. */
enum stint_cost_kind stint_cost_kind_of(const char *set, const char *function, uint32_t line);

/* Returns what one activation, or sample, cost; that of a scope if it was not measured. */
struct stint_cost stint_recording_cost(const struct stint_process *process, enum stint_cost_kind way);

/* Returns whether a statistic is a call of CUDA's API. */
int stint_gpu_is_call(const struct stint_stat *stat);

#endif
