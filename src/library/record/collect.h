/* Makes a snapshot from the threads' trees. */
#ifndef STINT_RECORD_COLLECT_H
#define STINT_RECORD_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "stint/statset.h"

struct stint_costs {
    double clock_read_ns;
    double scope_ns;
    double inside_ns; /* the part that is in the scope's own time; 0: it is not to be taken off */
};

/* Takes a snapshot; `costs` go into its process, and are taken off its times.
 *
 * `emergency` is for a signal handler that is about to end the process. No lock is then waited for longer than a
 * moment, because the interrupted thread may hold it; lists and nodes can be read without it. */
enum stint_status stint_collect(struct stint_snapshot **snapshot, const struct stint_costs *costs, int emergency);

/* Returns whether a statistic has samples since its last reset. Under the lock. */
int stint_collect_has_samples(uint32_t id);

/* Measures what a clock read and a scope cost at present: the minimum of a few short runs on a tree of their own. */
struct stint_costs stint_measure_costs(void);

/* Leaves costs in times from now on: stint_measure_costs returns no `inside_ns`. */
void stint_measure_leave_in(void);

struct stint_builder;

/* Returns the builder's place for a statistic that the registry knows by this id. */
size_t stint_collect_stat(struct stint_builder *builder, uint32_t id);

/* Adds to every snapshot what another stage knows. Called inside the guard, without the registry's lock. */
typedef void stint_collect_fn(struct stint_builder *builder, int emergency);

enum { STINT_COLLECT_ALSO = 4 };

/* Registers such a function, at start. There may be STINT_COLLECT_ALSO at most, each registered once; they are called
 * in the order of registration. NULL removes all. */
void stint_collect_also(stint_collect_fn *add);

/* Reads the rank of this process, which later snapshots have, from the environment: a signal handler must not. */
void stint_collect_learn_rank(void);

#endif
