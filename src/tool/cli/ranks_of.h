/* Sums of recordings by rank. */
#ifndef STINT_CLI_RANKS_OF_H
#define STINT_CLI_RANKS_OF_H

#include <stddef.h>

#include "model/event.h"

/* A recording that was read. */
struct stint_rank_input {
    const struct stint_snapshot *snapshot;
    struct stint_event_source *events; /* NULL: there are none */
};

/* Adds up the recordings in files, which are read one after the other. Those of one rank are added up first. Sums by
 * rank may be among them. Recordings of processes without a rank are left out, which is said, unless there are no
 * others: then each is a rank. If they have events, the sum says since when a rank is slower than it was
 * (cli/event_history.h), and how long each rank waited in kernels of NCCL (cli/collective_waits.h). Returns the sum,
 * or NULL after saying what failed. */
struct stint_snapshot *stint_ranks_of_files(const char *const *paths, size_t count);

/* The same for recordings that were read. */
struct stint_snapshot *stint_ranks_of_inputs(const struct stint_rank_input *inputs, size_t count);

#endif
