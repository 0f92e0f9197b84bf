/* How long ranks waited for one another in collective calls of NCCL.
 *
 * The kernel of a collective call begins on each rank when that rank is there, and ends on all of them when the last
 * one has been there for as long as the exchange takes. So what it took where it was shortest is work, and what it took
 * longer elsewhere is waiting. No clocks are compared. */
#ifndef STINT_CLI_COLLECTIVE_WAITS_H
#define STINT_CLI_COLLECTIVE_WAITS_H

#include "base/arena.h"
#include "base/array.h"
#include "model/event.h"

/* A zeroed struct is of no ranks. */
struct stint_collective_waits {
    struct stint_arena arena;
    struct stint_array kernels; /* by name */
    int failed;
};

/* Adds an event of the rank that is being added. */
void stint_collective_waits_add(struct stint_collective_waits *waits, const struct stint_event *event);

/* Ends a rank. If not all of its events were there, nothing can be said. */
void stint_collective_waits_end_rank(struct stint_collective_waits *waits, int has_all);

/* Tells a sum of these ranks what its kernels took at least: of those that all of their ranks ran equally often, and
 * whose events are all known. */
void stint_collective_waits_tell(const struct stint_collective_waits *waits, struct stint_snapshot *sum);

void stint_collective_waits_free(struct stint_collective_waits *waits);

#endif
