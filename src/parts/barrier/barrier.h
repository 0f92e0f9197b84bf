/* One barrier statistic: pure arithmetic on times that the caller passes. Not for two threads at once.
 *
 * A round is as many calls as there are participants. The first round after the beginning or a reset is counted and
 * otherwise discarded: it shows when the participants were started, not how they keep pace. */
#ifndef STINT_BARRIER_BARRIER_H
#define STINT_BARRIER_BARRIER_H

#include <stddef.h>
#include <stdint.h>

#include "stat/builder.h"
#include "stint/statset.h"
#include "stint/status.h"

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

/* --------------------------------------------------------------------------------------------------- barrier_list.c */

/* The barrier statistics, found by set and name. They live until the process ends.
 *
 * One lock guards them all: a call holds it for some ten instructions, and barriers are met once per round, not once
 * per element. Before a fork it is taken first, then the registry's lock. No callback of the user runs with it held. */

enum { STINT_MAX_BARRIERS = 1024, STINT_MAX_PARTICIPANTS = 65535 };

void stint_barriers_lock(void);
void stint_barriers_unlock(void);
void stint_barriers_reset_lock(void); /* in a forked child, where its holder may be gone */

/* The key of a statistic. Texts of the set live forever; the name is copied. */
struct stint_barrier_key {
    const void *set; /* any pointer that identifies the set */
    const char *set_name;
    const char *name;
    size_t length; /* of the name */
    uint64_t hash; /* of set and name */
};

/* The functions below need the lock. */

/* Returns the statistic, or NULL. */
struct stint_barrier *stint_barriers_find(const struct stint_barrier_key *key);

/* Adds a statistic that does not exist yet.
 *
 * Returns STINT_OK; STINT_ERROR_LIMIT: there are STINT_MAX_BARRIERS, or participants are not 3 to
 * STINT_MAX_PARTICIPANTS; STINT_ERROR_NO_MEMORY. */
enum stint_status stint_barriers_add(const struct stint_barrier_key *key, enum stint_barrier_kind kind,
                                     int64_t participants, struct stint_barrier **barrier);

/* Zeroes the statistics of a set, or all if `set` is NULL. */
void stint_barriers_zero(const void *set, enum stint_reset how);

/* Drops all rounds in progress, because recording was switched and some of their calls are missing. */
void stint_barriers_drop_rounds(void);

/* Takes the lock itself and adds all to a snapshot. `emergency`: waits for the lock no longer than a moment, and then
 * reads without it. */
void stint_barriers_collect(struct stint_builder *builder, int emergency);

#endif
