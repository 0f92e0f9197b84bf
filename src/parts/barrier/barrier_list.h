/* The barrier statistics, found by set and name. They live until the process ends.
 *
 * One lock guards them all: a call holds it for some ten instructions, and barriers are met once per round, not once
 * per element. Before a fork it is taken first, then the registry's lock. No callback of the user runs with it held. */
#ifndef STINT_BARRIER_BARRIER_LIST_H
#define STINT_BARRIER_BARRIER_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "barrier/barrier.h"
#include "stat/builder.h"
#include "stint/status.h"

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
