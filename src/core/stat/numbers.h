/* Arithmetic on struct stint_numbers. */
#ifndef STINT_STAT_NUMBERS_H
#define STINT_STAT_NUMBERS_H

#include "base/arena.h"
#include "stint/statset.h"

/* Adds `from` to `into`. New bins come from the arena. Returns 0, or -1 if there was no memory; `into` then lacks the
 * bins of `from`. */
int stint_numbers_add(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena);

/* The same, if no one else uses the bins of `into`, which may change then. */
int stint_numbers_add_own(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena);

/* Clocks with slightly different rates give slightly different bins. Whether two bins are to be merged: they differ by
 * at most 1/2048 of their value, which is small compared with the 1/64 that a bin spans. */
static inline int stint_bin_is_same(const struct stint_bin *a, const struct stint_bin *b)
{
    enum { SAME_BIN = 2048 };
    uint64_t low = a->ns < b->ns ? a->ns : b->ns;
    uint64_t high = a->ns < b->ns ? b->ns : a->ns;

    return high - low <= low / SAME_BIN;
}

#endif
