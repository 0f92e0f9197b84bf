/* Adds samples up to a tree of calls. */
#include "base/sort.h"
#include "cpu/cpu_profile.h"

/* The nodes of a tree. A child is found by its parent and its function. */
struct tree {
    struct stint_cpu_profile *profile;
    struct stint_table *nodes;
};

static const struct stint_table_key s_child = STINT_TABLE_KEY(struct stint_cpu_node, parent, function);

static struct stint_cpu_node *node_at(const struct stint_table *nodes, size_t at)
{
    return (struct stint_cpu_node *)nodes->items + at;
}

/* Finds or adds a child. Returns 0, the root, without memory. */
static size_t child_of(struct tree *tree, size_t parent, size_t function)
{
    struct stint_cpu_node like = {.function = function, .parent = parent, .next = node_at(tree->nodes, parent)->child};
    size_t known = tree->nodes->count;
    void *child = stint_table_take(tree->nodes, &s_child, &tree->profile->arena, &like);
    if (!child) {
        tree->profile->failed = 1;
        return 0;
    }
    size_t at = stint_table_position(tree->nodes, &s_child, child);
    if (at == known)
        node_at(tree->nodes, parent)->child = at;
    return at;
}

static void add_sample(struct tree *tree, const struct stint_sample_count *count, int bottom_up)
{
    size_t chain[STINT_CPU_DEEPEST], length = stint_cpu_profile_chain(tree->profile, count, chain), at = 0;
    node_at(tree->nodes, 0)->total_ns += count->time_ns;
    node_at(tree->nodes, 0)->samples += count->samples;
    for (size_t i = 0; i < length && !tree->profile->failed; i++) {
        at = child_of(tree, at, chain[bottom_up ? i : length - 1 - i]);
        node_at(tree->nodes, at)->total_ns += count->time_ns;
        node_at(tree->nodes, at)->samples += count->samples;
    }
    node_at(tree->nodes, at)->self_ns += count->time_ns;
}

/* ------------------------------------------------------------------------------------------------------------ order */

static int is_before(const void *array, size_t a, size_t b)
{
    const struct stint_cpu_node *nodes = array;
    return nodes[a].total_ns != nodes[b].total_ns ? nodes[a].total_ns > nodes[b].total_ns
                                                  : nodes[a].function < nodes[b].function;
}

/* Links the children of a node anew; `list` has room for all nodes. */
static void sort_children(const struct stint_table *nodes, size_t parent, size_t *list)
{
    size_t count = 0;
    for (size_t at = node_at(nodes, parent)->child; at; at = node_at(nodes, at)->next)
        list[count++] = at;
    stint_sort(list, count, is_before, nodes->items);
    for (size_t i = 0; i < count; i++)
        node_at(nodes, list[i])->next = i + 1 < count ? list[i + 1] : 0;
    if (count)
        node_at(nodes, parent)->child = list[0];
}

int stint_cpu_tree_make(struct stint_cpu_profile *profile, int bottom_up, struct stint_table *nodes)
{
    const struct stint_snapshot *snapshot = profile->snapshot;
    struct tree tree = {.profile = profile, .nodes = nodes};
    struct stint_cpu_node *root = stint_array_add(&nodes->array, &profile->arena, sizeof *root);
    if (!root)
        return -1;
    root->function = STINT_CPU_ROOT;
    root->parent = STINT_CPU_ROOT;
    for (size_t i = 0; i < snapshot->sample_count_count && !profile->failed; i++)
        if (stint_cpu_profile_wants(profile, &snapshot->sample_counts[i]))
            add_sample(&tree, &snapshot->sample_counts[i], bottom_up);
    size_t *list = stint_arena_alloc(&profile->arena, nodes->count * sizeof *list);
    for (size_t i = 0; list && i < nodes->count; i++)
        sort_children(nodes, i, list);
    return profile->failed || !list ? -1 : 0;
}
