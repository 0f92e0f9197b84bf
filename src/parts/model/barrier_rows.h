/* What rows of barriers take to be added up. */
#ifndef STINT_MODEL_BARRIER_ROWS_H
#define STINT_MODEL_BARRIER_ROWS_H

#include "stint/statset.h"

/* Adds `from` to `into`, and takes over its participant. */
void stint_barrier_part_add(struct stint_barrier_part *into, const struct stint_barrier_part *from);

#endif
