#include "nvtx/sample.h"

#include "base/clock.h"
#include "nvtx/state.h"
#include "record/count.h"
#include "record/note.h"
#include "record/scope.h"

uint64_t stint_nvtx_span(uint64_t start, uint64_t now)
{
    if (now >= start)
        return now - start;
    stint_count_dropped(&stint_dropped.negative);
    return 0;
}

static void add(struct stint_tree *tree, uint32_t id, uint64_t start, uint64_t ticks)
{
    struct stint_i_node *node = stint_tree_child(tree, tree->floating, id);

    if (!node)
        return;
    stint_count(node, ticks);
    STINT_I_ADD(&node->self, ticks);
    stint_note_floating(tree, node, start, ticks);
}

void stint_nvtx_sample(uint32_t id, uint64_t start, uint64_t ticks)
{
    int error;

    if (!id || !stint_nvtx_begin(&error))
        return;
    struct stint_thread_record *record = stint_thread_acquire();
    if (record) {
        stint_scope_catch_up(record);
        add(&record->tree, id, start, ticks);
    }
    stint_nvtx_end(error);
}

void stint_nvtx_mark(uint32_t id)
{
    stint_nvtx_sample(id, stint_clock_ticks(), 0);
}
