/* Takes the cost of recording off the numbers of one node. Only averages of it are known, so the shortest and longest
 * activations, and the histogram, are corrected by what is plausible for each. */
#include "record/collect.h"

#include <stddef.h>

#include "record/registry.h"

static const double s_sure = 0.9;

struct spread {
    double own;
    double average; /* of `below`, per activation */
    double share;   /* of `below` in the time without `own` */
};

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double take(double value, double cost)
{
    return value > cost ? value - cost : 0;
}

double stint_own_cost(const struct stint_own_cost *cost, double mean)
{
    static const double steepness = 6;
    double hidden = steepness * take(mean, cost->empty);
    return cost->empty - lesser(hidden, cost->empty - cost->inside);
}

static uint64_t taken_off(uint64_t value, const struct spread *spread)
{
    double left = take(stint_real(value), spread->own);
    return stint_whole_ns(take(left, lesser(spread->average, left * spread->share)));
}

static size_t move_bins(const struct stint_numbers *numbers, const struct spread *spread, struct stint_bin *bins)
{
    size_t count = 0;
    for (size_t i = 0; i < numbers->bin_count; i++) {
        struct stint_bin bin = {taken_off(numbers->bins[i].ns, spread), numbers->bins[i].count};
        if (count && bins[count - 1].ns == bin.ns)
            bins[count - 1].count += bin.count;
        else
            bins[count++] = bin;
    }
    return count;
}

void stint_compensate(struct stint_numbers *numbers, const struct stint_cost_parts *parts, struct stint_bin *bins)
{
    double count = stint_real(numbers->count), total = stint_real(numbers->total_ns),
           self = stint_real(numbers->self_ns);
    if (!numbers->count || (parts->own <= 0 && parts->below <= 0))
        return;
    numbers->raw_min_ns = numbers->min_ns;
    numbers->raw_max_ns = numbers->max_ns;
    double left = take(total, parts->own * count);
    struct spread spread = {parts->own, parts->below / count, 1};
    if (spread.average > s_sure * take(stint_real(numbers->min_ns), parts->own))
        spread.share = left > 0 ? lesser(parts->below / left, 1) : 0;
    uint64_t total_left = stint_whole_ns(take(left, parts->below));
    uint64_t self_left = stint_whole_ns(lesser(take(self, parts->own * count + parts->beside), stint_real(total_left)));
    double mean = total / count, mean_left = stint_real(total_left) / count;

    numbers->square_ns2 = take(numbers->square_ns2, count * mean * mean) + count * mean_left * mean_left;
    numbers->overhead_ns = numbers->total_ns - total_left;
    numbers->self_overhead_ns = numbers->self_ns - self_left;
    numbers->total_ns = total_left;
    numbers->self_ns = self_left;
    numbers->min_ns = taken_off(numbers->min_ns, &spread);
    numbers->max_ns = taken_off(numbers->max_ns, &spread);
    if (numbers->max_ns > total_left) /* many activations seemed to take less than recording them does */
        numbers->max_ns = total_left;
    if (numbers->min_ns > numbers->max_ns)
        numbers->min_ns = numbers->max_ns;
    if (numbers->bin_count) {
        numbers->raw_bins = numbers->bins;
        numbers->raw_bin_count = numbers->bin_count;
        numbers->bin_count = move_bins(numbers, &spread, bins);
        numbers->bins = bins;
    }
}

/* ------------------------------------------------------------------------------------------------------------ trees */

/* Works out, from the leaves to the root, how much of each node's time is the cost of recording what is below it and
 * itself. */
__attribute__((cold)) struct stint_tree_costs stint_tree_costs_of(const struct stint_costs *costs, double ns_per_tick)
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
        tree.way[way] = (struct stint_own_cost){whole > empty ? whole - empty : 0, inside, empty,
                                                costs->thinned_ns[way] / ns_per_tick};
    }
    tree.added = tree.way[STINT_COST_SAMPLE].outside + tree.way[STINT_COST_SAMPLE].empty;
    return tree;
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
    double total = stint_real(STINT_I_LOAD(&charged->node->total)) + parts->estimate.total - activations * parts->own;
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
    uint64_t count = STINT_I_LOAD(&node->count), limit = (uint64_t)(2 * cost->empty);
    struct stint_short few = {0, 0};
    if (!count)
        return cost->inside;
    if (STINT_I_LOAD(&node->max) > limit) /* otherwise they are all as short */
        few = stint_node_short(node, limit);
    if (!few.count || few.count > count)
        few = (struct stint_short){count, stint_real(STINT_I_LOAD(&node->total))};
    double share = stint_real(few.count) / stint_real(count);
    return share * stint_own_cost(cost, few.ticks / stint_real(few.count)) + (1 - share) * cost->inside;
}

static void charge_node(const struct stint_tree_costs *costs, struct charged *nodes, struct stint_cost_parts *parts,
                        uint32_t index)
{
    struct charged *charged = &nodes[index];
    const struct stint_i_node *node = charged->node;
    const struct stint_own_cost *cost = &costs->way[stint_registry_entry(node->id)->way];
    double recorded = stint_real(STINT_I_LOAD(&node->count)), left_out = stint_real(parts[index].estimate.left_out);
    double beside = stint_real(STINT_I_LOAD(&node->passed)) * costs->left_out +
                    stint_real(STINT_I_LOAD(&node->added)) * costs->added;
    uint32_t parent = node->parent->index;
    parts[index].below += beside;
    parts[index].beside += beside;
    parts[index].own = charged->is_parent ? cost->empty : own_cost(cost, node);
    nodes[parent].is_parent = 1;
    nodes[parent].inner += limit(charged, &parts[index], recorded + left_out);
    parts[parent].below +=
        parts[index].below + recorded * (parts[index].own + cost->outside) + left_out * cost->left_out;
    parts[parent].beside += recorded * cost->outside + left_out * (cost->left_out - parts[index].own);
}

int stint_tree_cost_parts(const struct stint_tree_costs *costs, const struct stint_tree *tree, uint32_t count,
                          struct stint_arena *arena, struct stint_cost_parts **parts)
{
    struct charged *nodes;
    const struct stint_i_node *node = tree->root;
    *parts = NULL;
    if (costs->is_nothing && !stint_budget)
        return 0;
    *parts = stint_arena_alloc(arena, count * sizeof **parts);
    if (*parts && stint_budget)
        stint_budget->estimate(tree, count, *parts);
    if (*parts && costs->is_nothing)
        return 0;
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
