/* Works out, from the leaves to the root, how much of each node's time is the cost of recording what is below it and
 * itself. */
#include "record/tree_cost.h"

#include "record/registry.h"

struct stint_tree_costs stint_tree_costs_of(const struct stint_costs *costs, double ns_per_tick)
{
    struct stint_tree_costs tree = {.left_out = costs->left_out_ns / ns_per_tick,
                                    .is_nothing = costs->way[STINT_COST_SCOPE].inside_ns <= 0};

    for (int way = 0; way < STINT_COST_KINDS; way++) {
        int measured = costs->way[way].whole_ns > 0 ? way : STINT_COST_SCOPE;
        double whole = costs->way[measured].whole_ns / ns_per_tick;
        double inside = costs->way[measured].inside_ns / ns_per_tick;
        double empty = costs->empty_ns[measured] / ns_per_tick;

        if (empty < inside)
            empty = inside;
        tree.way[way] = (struct stint_own_cost){whole > empty ? whole - empty : 0, inside, empty};
    }
    tree.added = tree.way[STINT_COST_SAMPLE].outside + tree.way[STINT_COST_SAMPLE].empty;
    return tree;
}

static const struct stint_own_cost *cost_of(const struct stint_tree_costs *costs, const struct stint_i_node *node)
{
    const struct stint_entry *entry = stint_registry_entry(node->id);

    return &costs->way[stint_cost_kind_of(entry->set->name, entry->function, entry->line)];
}

/* A node while what its tree cost is added up. */
struct charged {
    const struct stint_i_node *node;
    double inner; /* ticks of the nodes directly below, without what recording cost */
    int is_running;
    int is_parent;
};

static double not_less(double a, double least)
{
    return a > least ? a : least;
}

/* Where scopes cost less than was measured, a node keeps at least what is left of those below. What is below a running
 * activation is not in the total. Returns what is left of the node. */
static double limit(const struct charged *charged, struct stint_cost_parts *parts, double activations)
{
    double total = (double)STINT_I_LOAD(&charged->node->total) - activations * parts->own;
    double excess = parts->below - not_less(total - charged->inner, 0);

    if (excess > 0 && !charged->is_running) {
        parts->below -= excess;
        parts->beside -= excess;
    }
    return not_less(total - parts->below, 0);
}

/* What a leaf's activations contain of their own cost, on average. Those which are not much longer than empty ones are
 * looked at together, because a counter may advance in steps that are as long. */
static double own_cost(const struct stint_own_cost *cost, const struct stint_i_node *node)
{
    uint64_t count = STINT_I_LOAD(&node->count);
    struct stint_short few = stint_node_short(node, (uint64_t)(2 * cost->empty));

    if (!count)
        return cost->inside;
    if (!few.count || few.count > count)
        return stint_own_cost(cost, (double)STINT_I_LOAD(&node->total) / (double)count);
    double share = (double)few.count / (double)count;
    return share * stint_own_cost(cost, few.ticks / (double)few.count) + (1 - share) * cost->inside;
}

static void charge_node(const struct stint_tree_costs *costs, struct charged *nodes, struct stint_cost_parts *parts,
                        uint32_t index)
{
    struct charged *charged = &nodes[index];
    const struct stint_i_node *node = charged->node;
    const struct stint_own_cost *cost = cost_of(costs, node);
    double activations = (double)STINT_I_LOAD(&node->count);
    double beside =
        (double)STINT_I_LOAD(&node->passed) * costs->left_out + (double)STINT_I_LOAD(&node->added) * costs->added;
    uint32_t parent = node->parent->index;

    parts[index].below += beside;
    parts[index].beside += beside;
    parts[index].own = charged->is_parent ? cost->empty : own_cost(cost, node);
    nodes[parent].is_parent = 1;
    nodes[parent].inner += limit(charged, &parts[index], activations);
    parts[parent].below += parts[index].below + activations * (parts[index].own + cost->outside);
    parts[parent].beside += activations * cost->outside;
}

int stint_tree_cost_parts(const struct stint_tree_costs *costs, const struct stint_tree *tree, uint32_t count,
                          struct stint_arena *arena, struct stint_cost_parts **parts)
{
    struct charged *nodes;
    const struct stint_i_node *node = tree->root;

    *parts = NULL;
    if (costs->is_nothing)
        return 0;
    *parts = stint_arena_alloc(arena, count * sizeof **parts);
    nodes = *parts ? stint_arena_alloc(arena, count * sizeof *nodes) : NULL;
    if (!nodes) {
        *parts = NULL;
        return -1;
    }
    while ((node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE)) && node->index < count)
        nodes[node->index].node = node;
    for (const struct stint_i_node *at = __atomic_load_n(&tree->hot.current, __ATOMIC_ACQUIRE); at; at = at->parent)
        if (at->index < count)
            nodes[at->index].is_running = 1;
    for (uint32_t i = count; i-- > 1;) {
        node = nodes[i].node;
        if (!node || node->parent == tree->exact || stint_node_is_stale(node))
            continue;
        nodes[i].is_running |= tree->kind == STINT_TREE_SUM && node->start;
        charge_node(costs, nodes, *parts, i);
    }
    return 0;
}
