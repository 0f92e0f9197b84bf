/* Takes what recording costs off numbers, in ticks or in ns. A scope's own time contains a part of its cost; the rest
 * is in its parent's. So a parent's time contains the whole cost of all scopes below it. */
#ifndef STINT_RECORD_COMPENSATE_H
#define STINT_RECORD_COMPENSATE_H

#include "base/arena.h"
#include "record/collect.h"
#include "record/tree.h"
#include "stint/numbers.h"

/* What one activation costs. */
struct stint_own_cost {
    double outside; /* in the time of what is around it */
    double inside;  /* in its own time */
    double empty;   /* the same if it does nothing, so that two readings of the clock wait for each other */
};

/* Returns what activations that took `mean` contain of their own cost: `empty` if they took no longer than that. A
 * processor does about as much work as `empty` and `inside` differ while it reads the clock, so that little more than
 * `empty` means that much work. */
double stint_own_cost(const struct stint_own_cost *cost, double mean);

/* What all activations together contain. */
struct stint_cost_parts {
    double own;    /* of their own scopes' cost, per activation */
    double below;  /* the cost of the scopes below */
    double beside; /* the part of that which is in self time */
};

/* Takes the parts off total, self, minimum, maximum, square and bins; new bins are written to `bins`, which has room
 * for as many, and the old ones stay as raw_bins. What a single
 * activation contains of `below` is not known. If even the shortest is longer than the average of it, as where each
 * activation has as many scopes below, the average is assumed; otherwise its part of the time, but no more than the
 * average. */
void stint_compensate(struct stint_numbers *numbers, const struct stint_cost_parts *parts, struct stint_bin *bins);

/* ------------------------------------------------------------------------------------------------------------ trees */

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
