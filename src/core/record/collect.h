/* Makes a snapshot from the threads' trees. */
#ifndef STINT_RECORD_COLLECT_H
#define STINT_RECORD_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "stat/statistic.h"

struct stint_costs {
    double clock_read_ns;
    struct stint_cost way[STINT_COST_KINDS]; /* inside_ns of a scope 0: nothing is to be taken off */
    double empty_ns[STINT_COST_KINDS];       /* what an empty activation shows; 0: inside_ns */
    double left_out_ns;                      /* of the call of a function that is left out */
};

/* Takes a snapshot; `costs` go into its process, and are taken off its times.
 *
 * `emergency` is for a signal handler that is about to end the process. No lock is then waited for longer than a
 * moment, because the interrupted thread may hold it; lists and nodes can be read without it. */
enum stint_status stint_collect(struct stint_snapshot **snapshot, const struct stint_costs *costs, int emergency);

/* Returns whether a statistic has samples since its last reset. Under the lock. */
int stint_collect_has_samples(uint32_t id);

struct stint_builder;

/* Returns the builder's place for a statistic that the registry knows by this id. */
size_t stint_collect_stat(struct stint_builder *builder, uint32_t id);

/* Reads the rank of this process, which later snapshots have, from the environment: a signal handler must not. */
void stint_collect_learn_rank(void);

#endif
