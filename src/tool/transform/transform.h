/* Several recordings as one: clocks of several hosts on one timeline, sums of recordings, and sums by rank. */
#ifndef STINT_TRANSFORM_TRANSFORM_H
#define STINT_TRANSFORM_TRANSFORM_H

#include "model/event.h"
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

/* ------------------------------------------------------------------------------------------------------- rank_sum.c */

/* Sums of recordings by rank. */

/* Recordings, one of which is open at a time. */
struct stint_rank_files {
    size_t count;
    int (*open)(void *context, size_t at, struct stint_recorded *file); /* returns 0, or -1: there is no sum then */
    void (*close)(void *context, size_t at);
    void *context;
    size_t left_out; /* set: how many are of processes without a rank, while others have one */
    int is_unread;   /* set: one could not be opened */
};

/* Adds the recordings up. Those of one rank are added up first. Sums by rank may be among them. Recordings of processes
 * without a rank are left out, unless there are no others: then each is a rank. If they have events, the sum says since
 * when a rank is slower than it was, and how long each rank waited in kernels of NCCL (transform/rank_events.h).
 * Returns the sum; NULL if one cannot be opened, or without memory. */
struct stint_snapshot *stint_rank_sum(struct stint_rank_files *files);

#endif
