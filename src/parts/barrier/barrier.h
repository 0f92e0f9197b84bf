/* One barrier statistic: pure arithmetic on times that the caller passes. Not for two threads at once.
 *
 * A round is as many calls as there are participants. The first round after the beginning or a reset is counted and
 * otherwise discarded: it shows when the participants were started, not how they keep pace. */
#ifndef STINT_BARRIER_BARRIER_H
#define STINT_BARRIER_BARRIER_H

#include <stdint.h>

#include "stint/statset.h"

struct stint_barrier {
    struct stint_barrier_stat stat; /* as snapshots show it, except that `slowest` has a place for every participant */
    struct stint_barrier_part *parts; /* the same places */

    /* The round in progress. For arrivals: their times. */
    uint64_t first_ns;
    uint64_t second_ns;
    uint64_t middle_ns;
    uint64_t last_but_one_ns;
    /* For durations. */
    uint64_t least_ns;
    uint64_t greatest_ns;
    uint32_t slowest; /* the participant with the greatest */
    int warned;       /* a wrong call was logged */
};

/* Begins a statistic of at least three participants. `parts` are as many zeroed places, which it keeps. */
void stint_barrier_begin(struct stint_barrier *barrier, enum stint_barrier_kind kind, uint32_t participants,
                         struct stint_barrier_part *parts);

/* Participant `id` arrived at the time `ns`, or reports a duration of `ns`, according to the kind. Returns 1 if this
 * ended a round in which times did not rise, whose gaps below zero count as 0; otherwise 0. */
int stint_barrier_add(struct stint_barrier *barrier, uint32_t id, uint64_t ns);

/* Zeroes the numbers; STINT_RESET_ALL also drops the round in progress. */
void stint_barrier_zero(struct stint_barrier *barrier, enum stint_reset how);

#endif
