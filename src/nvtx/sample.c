#include "nvtx/sample.h"

#include "nvtx/state.h"

void stint_nvtx_catch_up(struct stint_tree *tree)
{
    stint_tree_refresh(tree);
    tree->hot.state = tree->generation;
}

uint64_t stint_nvtx_span(uint64_t start, uint64_t now)
{
    if (now >= start)
        return now - start;
    stint_count_dropped(&stint_dropped.negative);
    return 0;
}

static void add(struct stint_tree *tree, uint32_t id, uint64_t ticks)
{
    struct stint_i_node *node = stint_tree_child(tree, tree->floating, id);

    if (!node)
        return;
    stint_i_count(node, ticks);
    STINT_I_ADD(&node->self, ticks);
}

void stint_nvtx_sample(uint32_t id, uint64_t ticks)
{
    struct stint_thread_record *record;
    int error;

    if (!id || !stint_nvtx_begin(&error))
        return;
    record = stint_thread_acquire();
    if (record) {
        stint_nvtx_catch_up(&record->tree);
        add(&record->tree, id, ticks);
    }
    stint_nvtx_end(error);
}
