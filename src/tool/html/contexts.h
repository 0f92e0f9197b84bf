/* The calling contexts that a page shows: all, or as many of the most expensive ones as fit. */
#ifndef STINT_HTML_CONTEXTS_H
#define STINT_HTML_CONTEXTS_H

#include "base/arena.h"
#include "stint/snapshot.h"

struct stint_html_contexts {
    size_t *shown; /* positions in the snapshot; a parent before its children */
    size_t count;
    size_t *place; /* of each of the snapshot's: its own position in `shown`, or that of the nearest one around it */
};

enum { STINT_HTML_CONTEXTS_MOST = 10000 };

/* Chooses them. Returns 0, or -1 without memory. */
int stint_html_contexts_choose(struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot, size_t most,
                               struct stint_arena *arena);

/* Returns what a page stores for an event's context: a position in `shown`, -1: no scope, -2: unknown. */
int64_t stint_html_context(const struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot,
                           size_t context);

#endif
