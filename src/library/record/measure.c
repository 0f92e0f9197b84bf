/* What recording costs, measured where it happens. */
#include "base/clock.h"
#include "record/collect.h"
#include "record/count.h"
#include "record/cpu.h"
#include "record/tree.h"

enum { ROUNDS = 16, REPEATS = 64, STEPS = 32 };

static uint64_t time_clock_reads(void)
{
    uint64_t begin = stint_clock_ticks();

    for (int i = 0; i < REPEATS; i++)
        (void)stint_clock_ticks();
    return stint_clock_ticks() - begin;
}

/* Some tens of nanoseconds of work, which needs the result of the work before, so that in a loop without scopes no two
 * overlap. In an empty scope the two readings of the clock wait for each other, which in others they do not: the
 * processor begins with the work while it reads the clock. */
static uint64_t work(uint64_t value, int steps)
{
    for (int i = 0; i < steps; i++) {
        value *= value;
        __asm__ volatile("" : "+r"(value));
    }
    return value;
}

static uint64_t time_work(void)
{
    uint64_t begin = stint_clock_ticks(), value = 3;

    for (int i = 0; i < REPEATS; i++)
        value = work(value, STEPS);
    __asm__ volatile("" : : "r"(value));
    return stint_clock_ticks() - begin;
}

/* Id 0 belongs to no statistic: the node exists in this tree only. */
static void run_scopes(struct stint_i_tree *hot, int steps)
{
    uint64_t value = 3;

    for (int i = 0; i < REPEATS; i++) {
        stint_cpu_begin(hot->current);
        struct stint_i_node *node = stint_i_begin_child(hot, 0);

        if (!stint_clock_is_inline())
            STINT_I_STORE(&node->start, stint_clock_ticks());
        value = work(value, steps);
        uint64_t now = stint_clock_is_inline() ? stint_i_end_ticks(hot) : stint_clock_ticks();
        stint_end_unnoted(hot, node, now - node->start, 1);
        stint_cpu_end(hot->current);
    }
    __asm__ volatile("" : : "r"(value));
}

static uint64_t time_empty_scopes(struct stint_i_tree *hot)
{
    uint64_t begin = stint_clock_ticks();

    run_scopes(hot, 0);
    return stint_clock_ticks() - begin;
}

/* Returns the sum of their own times. */
static uint64_t time_in_scopes(struct stint_tree *tree)
{
    uint64_t before = tree->last->total;

    run_scopes(&tree->hot, STEPS);
    return tree->last->total - before;
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

static int s_left_in;

void stint_measure_leave_in(void)
{
    s_left_in = 1;
}

static uint64_t beyond(uint64_t ticks, uint64_t least)
{
    return ticks > least ? ticks - least : 0;
}

static struct stint_costs measure_on(struct stint_tree *tree)
{
    double ns_per_tick = stint_clock_ns_per_tick() / REPEATS;
    uint64_t read = UINT64_MAX, bare = UINT64_MAX, scope = UINT64_MAX, inside = UINT64_MAX;

    for (int i = 0; i < ROUNDS; i++) {
        read = least(read, time_clock_reads());
        bare = least(bare, time_work());
        scope = least(scope, time_empty_scopes(&tree->hot));
        inside = least(inside, time_in_scopes(tree));
    }
    return (struct stint_costs){whole_ps((double)read * ns_per_tick), whole_ps((double)scope * ns_per_tick),
                                s_left_in ? 0 : whole_ps((double)beyond(inside, bare) * ns_per_tick)};
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
