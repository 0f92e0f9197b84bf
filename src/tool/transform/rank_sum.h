/* Sums of recordings by rank. */
#ifndef STINT_TRANSFORM_RANK_SUM_H
#define STINT_TRANSFORM_RANK_SUM_H

#include "transform/align.h"

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
