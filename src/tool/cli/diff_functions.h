/* What samples say about the functions of recordings that are compared. */
#ifndef STINT_CLI_DIFF_FUNCTIONS_H
#define STINT_CLI_DIFF_FUNCTIONS_H

#include "base/arena.h"
#include "diff/diff.h"

/* Looks up the functions that samples of a snapshot met; what it sets is in the arena. Returns 0, or -1 without
 * memory. */
int stint_diff_functions_read(struct stint_diff_functions *functions, const struct stint_snapshot *snapshot,
                              struct stint_arena *arena);

#endif
