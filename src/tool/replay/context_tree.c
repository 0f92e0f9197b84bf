/* Finds calling contexts by what they are called, and within which; and call chains by the place of the innermost call,
 * and the chain of its caller. */
#include "replay/replay.h"

struct context_row {
    size_t parent;
    const char *set, *name;
    size_t context;
};

static const struct stint_table_key s_context = STINT_TABLE_KEY(struct context_row, parent, set, name);

int stint_context_tree_begin(struct stint_context_tree *tree, struct stint_arena *arena,
                             const struct stint_snapshot *snapshot)
{
    *tree = (struct stint_context_tree){.rows = {.count = 0}};
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        const struct stint_stat *stat = &snapshot->stats[context->stat];
        if (!stint_table_take(&tree->rows, &s_context, arena,
                              &(struct context_row){context->parent, stat->set, stat->name, i}))
            return -1;
    }
    return 0;
}

size_t stint_context_tree_find(const struct stint_context_tree *tree, size_t parent, const char *set, const char *name)
{
    const struct context_row *row =
        stint_table_find(&tree->rows, &s_context, &(struct context_row){.parent = parent, .set = set, .name = name});
    return row ? row->context : STINT_GPU_UNATTRIBUTED;
}

/* ------------------------------------------------------------------------------------------------------ call chains */

struct chain_row {
    size_t parent;
    uint64_t address;
    const char *path, *build_id; /* of the module */
    int64_t pid;                 /* code that is in no file is that of a process; else 0 */
    size_t stack;
};

static const struct stint_table_key s_stack = STINT_TABLE_KEY(struct chain_row, parent, address, path, build_id, pid);

static struct chain_row chain_row_of(size_t parent, const struct stint_sample_module *module, uint64_t address)
{
    return (struct chain_row){.parent = parent,
                              .address = address,
                              .path = module->path,
                              .build_id = module->build_id,
                              .pid = *module->path ? 0 : module->pid};
}

int stint_chain_tree_begin(struct stint_chain_tree *tree, struct stint_arena *arena,
                           const struct stint_snapshot *snapshot)
{
    *tree = (struct stint_chain_tree){.rows = {.count = 0}};
    for (size_t i = 0; i < snapshot->sample_stack_count; i++) {
        const struct stint_sample_stack *stack = &snapshot->sample_stacks[i];
        const struct stint_sample_frame *frame = &snapshot->sample_frames[stack->frame];
        struct chain_row row = chain_row_of(stack->parent, &snapshot->sample_modules[frame->module], frame->address);
        row.stack = i;
        if (!stint_table_take(&tree->rows, &s_stack, arena, &row))
            return -1;
    }
    return 0;
}

size_t stint_chain_tree_find(const struct stint_chain_tree *tree, size_t parent,
                             const struct stint_sample_module *module, uint64_t address)
{
    struct chain_row like = chain_row_of(parent, module, address);
    const struct chain_row *row = stint_table_find(&tree->rows, &s_stack, &like);
    return row ? row->stack : STINT_SAMPLE_NO_STACK;
}
