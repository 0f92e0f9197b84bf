/* Numbers that grow by one duration after the other. */
#ifndef STINT_REPLAY_TALLY_H
#define STINT_REPLAY_TALLY_H

#include "base/array.h"
#include "stint/numbers.h"

/* Zeroed: nothing yet. */
struct stint_tally {
    struct stint_numbers numbers; /* but for bins */
    struct stint_array buckets;   /* of the histogram, those that are not empty, by rising duration */
};

/* Adds one duration; a recursive one (struct stint_numbers) only counts. Returns 0, or -1 without memory. */
int stint_tally_add(struct stint_tally *tally, struct stint_arena *arena, uint64_t ns, int is_recursive);

/* Returns the numbers; bins are in the arena. Without memory they are left out. */
struct stint_numbers stint_tally_numbers(const struct stint_tally *tally, struct stint_arena *arena);

#endif
