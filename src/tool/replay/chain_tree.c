/* Finds call chains by the place of the innermost call, and the chain of its caller. */
#include "replay/chain_tree.h"

struct row {
    size_t parent;
    uint64_t address;
    const char *path, *build_id; /* of the module */
    int64_t pid;                 /* code that is in no file is that of a process; else 0 */
    size_t stack;
};

static const struct stint_table_key s_stack = STINT_TABLE_KEY(struct row, parent, address, path, build_id, pid);

static struct row row_of(size_t parent, const struct stint_sample_module *module, uint64_t address)
{
    return (struct row){.parent = parent,
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
        struct row row = row_of(stack->parent, &snapshot->sample_modules[frame->module], frame->address);
        row.stack = i;
        if (!stint_table_take(&tree->rows, &s_stack, arena, &row))
            return -1;
    }
    return 0;
}

size_t stint_chain_tree_find(const struct stint_chain_tree *tree, size_t parent,
                             const struct stint_sample_module *module, uint64_t address)
{
    struct row like = row_of(parent, module, address);
    const struct row *row = stint_table_find(&tree->rows, &s_stack, &like);
    return row ? row->stack : STINT_SAMPLE_NO_STACK;
}
