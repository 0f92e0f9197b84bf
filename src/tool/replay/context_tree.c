/* Finds calling contexts by what they are called, and within which. */
#include "replay/context_tree.h"

struct row {
    size_t parent;
    const char *set, *name;
    size_t context;
};

static const struct stint_table_key s_context = STINT_TABLE_KEY(struct row, parent, set, name);

int stint_context_tree_begin(struct stint_context_tree *tree, struct stint_arena *arena,
                             const struct stint_snapshot *snapshot)
{
    *tree = (struct stint_context_tree){.rows = {.count = 0}};
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        const struct stint_stat *stat = &snapshot->stats[context->stat];
        if (!stint_table_take(&tree->rows, &s_context, arena, &(struct row){context->parent, stat->set, stat->name, i}))
            return -1;
    }
    return 0;
}

size_t stint_context_tree_find(const struct stint_context_tree *tree, size_t parent, const char *set, const char *name)
{
    const struct row *row =
        stint_table_find(&tree->rows, &s_context, &(struct row){.parent = parent, .set = set, .name = name});
    return row ? row->context : STINT_GPU_UNATTRIBUTED;
}
