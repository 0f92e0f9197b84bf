/* What the events of recordings say about ranks, where nobody took notes while they ran. */
#ifndef STINT_TRANSFORM_RANK_EVENTS_H
#define STINT_TRANSFORM_RANK_EVENTS_H

#include "base/arena.h"
#include "base/array.h"
#include "model/event.h"
#include "ranks/ranks.h"
#include "replay/open.h"

/* ---------------------------------------------------------------------------------------------------------- history */

/* The history of a rank. A zeroed struct is of no process. */
struct stint_event_history {
    struct stint_history history;
    struct stint_open_threads open; /* activations: `cell` is the series, `instance` the number in it */
    uint64_t begin_unix_ns;         /* when the process began */
    int is_over;                    /* what follows is of another process */
};

/* Begins with the events of a process. Of a rank's processes only the first one that has scopes has a history. */
void stint_event_history_begin(struct stint_event_history *events, const struct stint_snapshot *process);

/* Adds an event of that process. To be called in the order of their starts. */
void stint_event_history_add(struct stint_event_history *events, const struct stint_event *event);

/* Returns the history of a rank that began at `start_unix_ns`; NULL if there were no activations of scopes. */
const struct stint_history *stint_event_history_end(struct stint_event_history *events, uint64_t start_unix_ns);

void stint_event_history_free(struct stint_event_history *events);

/* ------------------------------------------------------------------------------------------------------------ waits */

/* How long ranks waited for one another in collective calls of NCCL.
 *
 * The kernel of a collective call begins on each rank when that rank is there, and ends on all of them when the last
 * one has been there for as long as the exchange takes. So what it took where it was shortest is work, and what it took
 * longer elsewhere is waiting. No clocks are compared.
 *
 * A zeroed struct is of no ranks. */
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
