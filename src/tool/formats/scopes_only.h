/* The calling contexts of a snapshot without calls of CUDA's API and of the C library. */
#ifndef STINT_FORMATS_SCOPES_ONLY_H
#define STINT_FORMATS_SCOPES_ONLY_H

#include "base/arena.h"
#include "stint/snapshot.h"

/* Returns a snapshot whose contexts are scopes and ranges only, for a tree; all else, and its texts, are the given
 * one's. The time of a call belongs to the self time of the scope that made it. Siblings may be out of order. Without
 * memory, contexts are as given. */
struct stint_snapshot stint_scopes_only(const struct stint_snapshot *snapshot, struct stint_arena *arena);

#endif
