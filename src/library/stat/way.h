/* The ways in which activations are recorded. Each has a cost of its own. */
#ifndef STINT_STAT_WAY_H
#define STINT_STAT_WAY_H

#include "stint/statset.h"

enum stint_way {
    STINT_WAY_SCOPE,
    STINT_WAY_FUNCTION, /* of -finstrument-functions */
    STINT_WAY_RANGE,    /* of NVTX */
    STINT_WAY_CALL,     /* of CUDA's API */
    STINT_WAYS
};

/* Returns the way by which the activations of a statistic are recorded, by its set and call site: the call site of a
 * function has a name, but no line. */
enum stint_way stint_way_of(const char *set, const char *function, uint32_t line);

/* Returns what one activation cost; that of a scope if it was not measured. */
struct stint_cost stint_way_cost(const struct stint_process *process, enum stint_way way);

#endif
