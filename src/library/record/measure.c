/* What recording costs, measured where it happens. */
#include "base/clock.h"
#include "record/collect.h"
#include "record/count.h"
#include "record/cpu.h"
#include "record/tree.h"

enum { ROUNDS = 16, REPEATS = 64 };

static uint64_t time_clock_reads(void)
{
    uint64_t begin = stint_clock_ticks();

    for (int i = 0; i < REPEATS; i++)
        (void)stint_clock_ticks();
    return stint_clock_ticks() - begin;
}

/* Id 0 belongs to no statistic: the node exists in this tree only. */
static uint64_t time_scopes(struct stint_i_tree *hot)
{
    uint64_t begin = stint_clock_ticks();

    for (int i = 0; i < REPEATS; i++) {
        stint_cpu_begin(hot->current);
        struct stint_i_node *node = stint_i_begin_child(hot, 0);

        if (!stint_clock_is_inline())
            STINT_I_STORE(&node->start, stint_clock_ticks());
        stint_end_unnoted(hot, node, stint_clock_ticks() - node->start, 1);
        stint_cpu_end(hot->current);
    }
    return stint_clock_ticks() - begin;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Rounds to whole picoseconds, as reports do, so that the same number is read back from a report. */
static double whole_ps(double ns)
{
    return (double)(uint64_t)(ns * 1000 + 0.5) / 1000;
}

static struct stint_costs measure_on(struct stint_tree *tree)
{
    double ns_per_tick = stint_clock_ns_per_tick() / REPEATS;
    uint64_t read = UINT64_MAX, scope = UINT64_MAX;

    for (int i = 0; i < ROUNDS; i++) {
        read = least(read, time_clock_reads());
        scope = least(scope, time_scopes(&tree->hot));
    }
    return (struct stint_costs){whole_ps((double)read * ns_per_tick), whole_ps((double)scope * ns_per_tick)};
}

struct stint_costs stint_measure_costs(void)
{
    struct stint_costs costs = {0};
    struct stint_tree tree;

    if (!stint_tree_begin(&tree, STINT_TREE_SUM) && stint_tree_child(&tree, tree.root, 0))
        costs = measure_on(&tree);
    stint_tree_end(&tree);
    return costs;
}
