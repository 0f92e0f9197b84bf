/* Several recordings as one: clocks of several hosts on one timeline, sums of recordings, and sums by rank. */
#ifndef STINT_TRANSFORM_TRANSFORM_H
#define STINT_TRANSFORM_TRANSFORM_H

#include "base/arena.h"
#include "model/event.h"
#include "ranks/ranks.h"
#include "replay/open.h"
#include "replay/replay.h"

/* ---------------------------------------------------------------------------------------------------------- align.c */

/* Clocks of several hosts on one timeline. */

/* A recording that is put together with others. */
struct stint_recorded {
    struct stint_snapshot *snapshot;
    struct stint_event_source *events; /* NULL: none */
};

/* What was found out about a clock. */
struct stint_alignment {
    const char *host, *first; /* whose it is, and with whose it is compared */
    const char *by; /* what ends together: "kernels of NCCL"; NULL: nothing, and the clock is taken as it is */
    size_t ends;
    int64_t later_ns; /* by how much it is, and was set back */
    uint64_t within_ns;
};

typedef void stint_alignment_fn(const struct stint_alignment *alignment);

/* Recordings of one host have its clock in common. Those of others are aligned with the first one's host by what ends
 * on all ranks at about the same time: collective calls of MPI, or kernels of NCCL, which have to be the same in the
 * same order. Moves the beginnings of these recordings, and tells by how much, and how well the ends then agree; or
 * that clocks are taken as they are. Recordings without events stay as they are. */
void stint_align(const struct stint_recorded *parts, size_t count, stint_alignment_fn *tell);

/* -------------------------------------------------------------------------------------------------------- combine.c */

/* Several recordings as one: the sum of their snapshots, and the events of all. */

/* Zeroed, it is of none. */
struct stint_combined {
    struct stint_snapshot *sum;
    struct stint_joined_events events;
    struct stint_joined_input *inputs;
    char command[4096];
};

/* Adds recordings up, of which there is at least one, with clocks aligned. Puts the one that began first in front. A
 * process that has the number of an earlier one, as in another container, gets a number from STINT_COMBINED_PID on,
 * which Linux gives to no process, so that the two stay apart. The parts have to outlive the sum. Returns 0, or -1
 * without memory; to be freed in either case. */
int stint_combine(struct stint_combined *combined, struct stint_recorded *parts, size_t count,
                  stint_alignment_fn *tell);

enum { STINT_COMBINED_PID = 1 << 22 };

void stint_combined_free(struct stint_combined *combined);

/* Recordings, one of which is open at a time. */
struct stint_rank_files {
    size_t count;
    int (*open)(void *context, size_t at, struct stint_recorded *file); /* returns 0, or -1: there is no sum then */
    int (*look)(void *context, size_t at, struct stint_recorded *file); /* the same, but only the process is needed */
    void (*close)(void *context, size_t at);
    void *context;
    size_t left_out; /* set: how many are of processes without a rank, while others have one */
    int is_unread;   /* set: one could not be opened */
};

/* The same without events, in memory for the sum and for one recording, each of which is looked at before. Returns 1 if
 * they are of several hosts, whose clocks have to be aligned. */
int stint_combine_files(struct stint_combined *combined, const struct stint_rank_files *files);

/* ------------------------------------------------------------------------------------------------------- rank_sum.c */

/* Sums of recordings by rank. */

/* Adds the recordings up. Those of one rank are added up first. Sums by rank may be among them. Recordings of processes
 * without a rank are left out, unless there are no others: then each is a rank. If they have events, the sum says since
 * when a rank is slower than it was, and how long each rank waited in kernels of NCCL (transform/transform.h).
 * Returns the sum; NULL if one cannot be opened, or without memory. */
struct stint_snapshot *stint_rank_sum(struct stint_rank_files *files);

/* ---------------------------------------------------------------------------------------------------- rank_events.c */

/* What the events of recordings say about ranks, where nobody took notes while they ran. */

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

/* Returns the history of a rank that began at `start_unix_ns`; NULL if there were no activations of scopes, or if some
 * could not be opened: times of those around would be wrong. */
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
