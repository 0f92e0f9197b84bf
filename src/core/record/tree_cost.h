/* How much of the times of a tree is the cost of recording them. */
#ifndef STINT_RECORD_TREE_COST_H
#define STINT_RECORD_TREE_COST_H

#include "base/arena.h"
#include "record/collect.h"
#include "record/compensate.h"
#include "record/tree.h"

/* In ticks. */
struct stint_tree_costs {
    struct stint_own_cost way[STINT_COST_KINDS];
    double left_out; /* the cost of a call of a function that is left out */
    double added;    /* the same of stint_statset_add */
    int is_nothing;  /* nothing is to be taken off */
};

struct stint_tree_costs stint_tree_costs_of(const struct stint_costs *costs, double ns_per_tick);

/* Sets `parts` to what each of the tree's first `count` nodes contains of what recording cost, by index, or to NULL if
 * nothing is to be taken off. Memory comes from the arena. Returns 0, or -1 without memory. */
int stint_tree_cost_parts(const struct stint_tree_costs *costs, const struct stint_tree *tree, uint32_t count,
                          struct stint_arena *arena, struct stint_cost_parts **parts);

#endif
