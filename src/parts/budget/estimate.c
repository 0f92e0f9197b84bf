/* From what was sampled to what was: the estimates of all nodes of a tree.
 *
 * What a node's samples took that is not in a sample below counts as self time, that of children that were left out
 * included. So the total of a node is what was recorded at it and below it, and the self time that it misses; and
 * its own self time is that without the totals of its children. Where a child takes long but rarely, all of its
 * activations are recorded, also those in activations that are left out, and the total has them. */
#include "budget/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stat/numbers.h"

__attribute__((visibility("default"))) stint_budget_fn stint_budget_open;

/* While children are added up. */
struct known {
    const struct stint_i_node *node;
    double recorded; /* of the children, and below them */
    double total;    /* of the children, with what was left out */
    double square;
};

/* What a sample contains of its own cost is known within about one reading of the clock. That is the same in each, so
 * that many samples do not help. */
static double variance_of(const struct stint_missed *missed, const struct stint_i_node *node)
{
    double activations = missed->left_out ? (double)(missed->left_out + STINT_I_LOAD(&node->count)) : 0;
    double unknown = activations * stint_probe_reading() / STINT_STANDARD_ERRORS_95;
    return missed->square + unknown * unknown;
}

static void estimate_node(const struct stint_i_node *node, struct known *known, struct stint_estimate *estimate,
                          struct known *around)
{
    struct stint_missed missed = stint_thinning_missed(node);
    double self = (double)(int64_t)STINT_I_LOAD(&node->self), total = (double)STINT_I_LOAD(&node->total);
    double recorded = self + known->recorded;
    double whole = missed.left_out ? recorded + missed.self : total, square = variance_of(&missed, node);
    *estimate = (struct stint_estimate){.left_out = missed.left_out,
                                        .total = whole - total,
                                        .self = missed.self - (known->total - known->recorded),
                                        .total_square = square,
                                        .self_square = square + known->square};
    around->recorded += missed.left_out ? recorded : total;
    around->total += whole;
    around->square += square;
}

static void estimate_tree(const struct stint_tree *tree, uint32_t count, struct stint_cost_parts *parts)
{
    struct stint_arena scratch = {0};
    struct known *known = stint_arena_alloc(&scratch, count * sizeof *known);
    const struct stint_i_node *node = tree->root;
    if (!known)
        return;
    while ((node = __atomic_load_n(&node->next, __ATOMIC_ACQUIRE)) && node->index < count)
        known[node->index].node = node;
    for (uint32_t i = count; i-- > 1;)
        if (known[i].node && known[i].node->parent != tree->exact)
            estimate_node(known[i].node, &known[i], &parts[i].estimate, &known[known[i].node->parent->index]);
    stint_arena_free(&scratch);
}

static uint64_t plus(uint64_t ticks, double more)
{
    double sum = (double)ticks + more;
    return sum > 0 ? (uint64_t)(sum + 0.5) : 0;
}

/* The deviation of those that were sampled is that of all. */
static void add(struct stint_numbers *numbers, const struct stint_estimate *estimate)
{
    double sampled = (double)numbers->count, mean = (double)numbers->total_ns / sampled;
    numbers->count += estimate->left_out;
    numbers->left_out = estimate->left_out;
    numbers->total_ns = plus(numbers->total_ns, estimate->total);
    numbers->self_ns = plus(numbers->self_ns, estimate->self);
    numbers->error_ns = STINT_STANDARD_ERRORS_95 * sqrt(estimate->total_square);
    numbers->self_error_ns = STINT_STANDARD_ERRORS_95 * sqrt(estimate->self_square);
    if (sampled > 0 && estimate->left_out) {
        double count = (double)numbers->count, total = (double)numbers->total_ns;
        numbers->square_ns2 = count * (numbers->square_ns2 / sampled - mean * mean) + total * total / count;
    }
}

/* One that is recorded goes through the slow path. Of a function that is left out, the hooks remain, which do half as
 * much again as for one that is never recorded. */
static void put_costs(struct stint_costs *costs)
{
    struct stint_budget_costs ns = stint_spending_ns();
    struct stint_cost *way = costs->way;
    double more = ns.sampled - way[STINT_COST_SCOPE].whole_ns;
    for (int i = 0; i <= STINT_COST_FUNCTION; i++)
        if (way[i].whole_ns > 0)
            way[i].whole_ns += more > 0 ? more : 0;
    costs->thinned_ns[STINT_COST_SCOPE] = ns.left_out;
    costs->thinned_ns[STINT_COST_FUNCTION] =
        ns.left_out + (costs->left_out_ns > 0 ? 1.5 * costs->left_out_ns : HOOKS_NS);
}

/* Returns the share that a text such as "2%" means; 0: none. */
static double share_of(const char *text)
{
    char *end;
    double percent = strtod(text, &end);
    return end != text && percent > 0 && percent <= 100 && (!*end || strcmp(end, "%") == 0) ? percent / 100 : 0;
}

const struct stint_budget *stint_budget_open(struct stint_budget_host *host, const char *text, const char **reason)
{
    static struct stint_budget s_budget = {stint_spending_may_thin,
                                           stint_thinning_sample,
                                           stint_thinning_zero,
                                           stint_thinning_merge,
                                           estimate_tree,
                                           add,
                                           put_costs,
                                           0};
    *reason = "libstint_module.so is of another version";
    if (host->version != STINT_BUDGET_VERSION)
        return NULL;
    host->share = s_budget.share = share_of(text);
    *reason = "expected a share of the time, such as 2%";
    if (host->share <= 0)
        return NULL;
    *reason = "STINT_TRACE, STINT_CPU and STINT_NVTX need all activations";
    if (host->needs_all)
        return NULL;
    stint_spending_start(host);
    return &s_budget;
}
