/* Arithmetic on struct stint_numbers. */
#ifndef STINT_STAT_NUMBERS_H
#define STINT_STAT_NUMBERS_H

#include "base/arena.h"
#include "stint/statset.h"

/* Adds `from` to `into`. New bins come from the arena. Returns 0, or -1 if there was no memory; `into` then lacks the
 * bins of `from`. */
int stint_numbers_add(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena);

/* Adds `from` to `into`, and takes over its participant. */
void stint_barrier_part_add(struct stint_barrier_part *into, const struct stint_barrier_part *from);

#endif
