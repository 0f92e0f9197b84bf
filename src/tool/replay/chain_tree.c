#include "replay/chain_tree.h"

struct key {
    size_t parent;
    const struct stint_sample_module *module;
    uint64_t address;
};

static struct key key_at(const struct stint_snapshot *snapshot, size_t position)
{
    const struct stint_sample_stack *stack = &snapshot->sample_stacks[position];
    const struct stint_sample_frame *frame = &snapshot->sample_frames[stack->frame];
    return (struct key){stack->parent, &snapshot->sample_modules[frame->module], frame->address};
}

static uint64_t hash_of(const struct key *key)
{
    return stint_hash(key->module->path, strlen(key->module->path), stint_hash_mix(key->parent, key->address));
}

/* Code that is in no file is that of a process. */
static int is_file(const struct stint_sample_module *a, const struct stint_sample_module *b)
{
    return strcmp(a->path, b->path) == 0 && strcmp(a->build_id, b->build_id) == 0 && (*a->path || a->pid == b->pid);
}

static int is_same(const void *snapshot, size_t position, const void *key)
{
    const struct key *wanted = key, here = key_at(snapshot, position);
    return here.parent == wanted->parent && here.address == wanted->address && is_file(here.module, wanted->module);
}

int stint_chain_tree_begin(struct stint_chain_tree *tree, struct stint_arena *arena,
                           const struct stint_snapshot *snapshot)
{
    *tree = (struct stint_chain_tree){.snapshot = snapshot};
    for (size_t i = 0; i < snapshot->sample_stack_count; i++) {
        struct key key = key_at(snapshot, i);
        if (stint_index_add(&tree->index, arena, hash_of(&key), i))
            return -1;
    }
    return 0;
}

size_t stint_chain_tree_find(const struct stint_chain_tree *tree, size_t parent,
                             const struct stint_sample_module *module, uint64_t address)
{
    struct key key = {parent, module, address};
    size_t at = stint_index_find(&tree->index, hash_of(&key), is_same, tree->snapshot, &key);
    return at == STINT_INDEX_NONE ? STINT_SAMPLE_NO_STACK : at;
}
