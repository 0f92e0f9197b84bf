#include "replay/context_tree.h"

struct key {
    size_t parent;
    const char *set;
    const char *name;
};

static struct key key_at(const struct stint_snapshot *snapshot, size_t position)
{
    const struct stint_context *context = &snapshot->contexts[position];
    const struct stint_stat *stat = &snapshot->stats[context->stat];
    return (struct key){context->parent, stat->set, stat->name};
}

static uint64_t hash_of(const struct key *key)
{
    return stint_hash(key->name, strlen(key->name), stint_hash(key->set, strlen(key->set), key->parent));
}

static int is_same(const void *snapshot, size_t position, const void *key)
{
    const struct key *wanted = key, here = key_at(snapshot, position);
    return here.parent == wanted->parent && strcmp(here.name, wanted->name) == 0 && strcmp(here.set, wanted->set) == 0;
}

int stint_context_tree_begin(struct stint_context_tree *tree, struct stint_arena *arena,
                             const struct stint_snapshot *snapshot)
{
    *tree = (struct stint_context_tree){.snapshot = snapshot};
    for (size_t i = 0; i < snapshot->context_count; i++) {
        struct key key = key_at(snapshot, i);
        if (stint_index_add(&tree->index, arena, hash_of(&key), i))
            return -1;
    }
    return 0;
}

size_t stint_context_tree_find(const struct stint_context_tree *tree, size_t parent, const char *set, const char *name)
{
    struct key key = {parent, set, name};
    size_t at = stint_index_find(&tree->index, hash_of(&key), is_same, tree->snapshot, &key);
    return at == STINT_INDEX_NONE ? STINT_GPU_UNATTRIBUTED : at;
}
