/* Finds a snapshot's calling contexts by their parent, set and name, and its call chains by their caller and place. */
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

struct stint_chain_tree {
    struct stint_table rows;
};

/* Indexes the call chains of the snapshot, whose texts have to outlive the tree, as does the arena. Returns 0, or -1
 * without memory. */
int stint_chain_tree_begin(struct stint_chain_tree *tree, struct stint_arena *arena,
                           const struct stint_snapshot *snapshot);

/* Returns the position in sample_stacks of the place `address` in the module below the chain at `parent`, which is a
 * position, too, or STINT_SAMPLE_NO_STACK; STINT_SAMPLE_NO_STACK if there is none. Of a module, the file counts. */
size_t stint_chain_tree_find(const struct stint_chain_tree *tree, size_t parent,
                             const struct stint_sample_module *module, uint64_t address);

#endif
