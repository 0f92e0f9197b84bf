/* Numbers of a statistic to which durations are added one by one. */
#ifndef STINT_REPLAY_TALLY_H
#define STINT_REPLAY_TALLY_H

#include "base/array.h"
#include "stint/numbers.h"

/* Zero it to begin. */
struct stint_tally {
    struct stint_numbers numbers; /* without bins */
    struct stint_array durations; /* struct stint_bin: the different ones, and those that came since they were sorted */
    size_t most;                  /* sort them when there are so many */
};

/* Adds one duration; a recursive one (struct stint_numbers) is only counted. Returns 0, or -1 if there is no memory. */
int stint_tally_add(struct stint_tally *tally, struct stint_arena *arena, uint64_t ns, int is_recursive);

/* Returns the numbers, with bins in the arena, of which p50, p90 and p99 are exact. Without memory the bins are left
 * out. */
struct stint_numbers stint_tally_numbers(struct stint_tally *tally, struct stint_arena *arena);

#endif
