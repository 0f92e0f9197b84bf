/* Kernels that are bound by something else than before. */
#ifndef STINT_DIFF_VERDICT_NOTES_H
#define STINT_DIFF_VERDICT_NOTES_H

#include "base/array.h"
#include "stint/snapshot.h"

/* Adds a sentence for each kernel whose verdict (docs/counters.md) is another one in B, unless one of both is only
 * perhaps true, to `notes`, an array of const char * in the arena. Returns 0, or -1 without memory. */
int stint_diff_note_verdicts(const struct stint_snapshot *a, const struct stint_snapshot *b, struct stint_array *notes,
                             struct stint_arena *arena);

#endif
