/* Whether two sides can be compared, and notes on how they differ. */
#ifndef STINT_DIFF_COMPARABLE_H
#define STINT_DIFF_COMPARABLE_H

#include "base/array.h"
#include "diff/diff.h"
#include "stint/snapshot.h"

enum { STINT_REFUSAL_SIZE = 512 };

/* Returns 0 if they can be compared, else -1, with the reason in `reason`. `other_gpu` allows sides of different
 * devices. `names` are those of the files, A's first. */
int stint_diff_refuse(const struct stint_diff *diff, const char *const *names, int other_gpu, char *reason);

/* Adds other differences as sentences to `notes`, an array of const char *. Returns 0, or -1 without memory. */
int stint_diff_note(const struct stint_diff *diff, struct stint_array *notes, struct stint_arena *arena);

/* Adds a copy of the text. Returns 0, or -1 without memory. */
int stint_diff_add_note(struct stint_array *notes, struct stint_arena *arena, const char *text);

/* Adds a sentence for each kernel whose verdict (docs/counters.md) is another one in B, unless one of both is only
 * perhaps true, to `notes`, an array of const char * in the arena. Returns 0, or -1 without memory. */
int stint_diff_note_verdicts(const struct stint_snapshot *a, const struct stint_snapshot *b, struct stint_array *notes,
                             struct stint_arena *arena);

#endif
