/* Finds a snapshot's calling contexts by their parent, set and name. */
#ifndef STINT_REPLAY_CONTEXT_TREE_H
#define STINT_REPLAY_CONTEXT_TREE_H

#include "stint/snapshot.h"
#include "support/keyed_table.h"

struct stint_context_tree {
    struct stint_table rows;
};

/* Indexes the contexts of the snapshot, whose texts have to outlive the tree, as does the arena. Returns 0, or -1
 * without memory. */
int stint_context_tree_begin(struct stint_context_tree *tree, struct stint_arena *arena,
                             const struct stint_snapshot *snapshot);

/* Returns the position of the context; STINT_GPU_UNATTRIBUTED if there is none, as of contexts in which nothing was
 * counted. `parent` is a position, too, or STINT_NO_PARENT. */
size_t stint_context_tree_find(const struct stint_context_tree *tree, size_t parent, const char *set, const char *name);

#endif
