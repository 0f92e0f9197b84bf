/* Clocks of several hosts on one timeline. */
#ifndef STINT_TRANSFORM_ALIGN_H
#define STINT_TRANSFORM_ALIGN_H

#include "model/event.h"

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

#endif
