/* Whether two sides can be compared, and what has to be said if they are. */
#ifndef STINT_DIFF_COMPARABLE_H
#define STINT_DIFF_COMPARABLE_H

#include "diff/diff.h"

enum { STINT_REFUSAL_SIZE = 512 };

/* Returns 0 if they can, else -1, and why not in `reason`. With `other_gpu` sides of different devices can. `names` are
 * the files', those of A first. */
int stint_diff_refuse(const struct stint_diff *diff, const char *const *names, int other_gpu, char *reason);

/* Adds what differs besides, as sentences, to `notes`, an array of const char *. Returns 0, or -1 without memory. */
int stint_diff_note(const struct stint_diff *diff, struct stint_array *notes, struct stint_arena *arena);

#endif
