/* Makes a snapshot from the threads' trees. */
#ifndef STINT_RECORD_COLLECT_H
#define STINT_RECORD_COLLECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "record/tree.h"
#include "stat/numbers.h"
#include "stint/detail/record.h"
#include "stint/numbers.h"

struct stint_costs {
    double clock_read_ns;
    struct stint_cost way[STINT_COST_KINDS]; /* inside_ns of a scope 0: nothing is to be taken off */
    double empty_ns[STINT_COST_KINDS];       /* what an empty activation shows; 0: inside_ns */
    double left_out_ns;                      /* of the call of a function that is left out */
    double thinned_ns[STINT_COST_KINDS];     /* of an activation that is left out to keep a budget */
};

/* Takes a snapshot; `costs` go into its process, and are taken off its times.
 *
 * `emergency` is for a signal handler that is about to end the process. No lock is then waited for longer than a
 * moment, because the interrupted thread may hold it; lists and nodes can be read without it. */
enum stint_status stint_collect(struct stint_snapshot **snapshot, const struct stint_costs *costs, int emergency);

/* Returns whether a statistic has samples since its last reset. Under the lock. */
int stint_collect_has_samples(uint32_t id);

struct stint_builder;

/* Returns the builder's place for a statistic that the registry knows by this id. */
size_t stint_collect_stat(struct stint_builder *builder, uint32_t id);

/* Reads the rank of this process, which later snapshots have, from the environment: a signal handler must not. */
void stint_collect_learn_rank(void);

/* -------------------------------------------------------------------------------------------------------- measure.c */

/* What recording costs, measured where it happens, at the moment when a report is made. */

/* Measures what a clock read costs at present, and an activation by each way, in a few short runs on a tree of their
 * own. Outside the guard. */
struct stint_costs stint_measure_costs(void);

/* From now on activations by this way are measured with `run`, which makes `repeats` of them on the calling thread, by
 * the very functions that programs call, each around work(), or around nothing if that is NULL. They have to be
 * children of the thread's running scope, all of one statistic. Without such a function, they are taken to cost what a
 * scope does. */
void stint_measure_with(enum stint_cost_kind way, stint_i_probe_fn *run);

/* Takes the probes of functions, and their counts of what is left out. */
void stint_measure_functions(const struct stint_i_functions *functions);

/* Returns what has been left out so far. Takes no lock. */
struct stint_i_left_out stint_measure_left_out(void);

/* As stint_i_measure_function. */
int stint_measure_function(struct stint_i_function_cost *cost);

/* Leaves costs in times from now on: stint_measure_costs returns no `inside_ns`. */
void stint_measure_leave_in(void);

/* ----------------------------------------------------------------------------------------------------- compensate.c */

/* Takes what recording costs off numbers, in ticks or in ns. A scope's own time contains a part of its cost; the rest
 * is in its parent's. So a parent's time contains the whole cost of all scopes below it. */

/* What one activation costs. */
struct stint_own_cost {
    double outside;  /* in the time of what is around it */
    double inside;   /* in its own time */
    double empty;    /* the same if it does nothing, so that two readings of the clock wait for each other */
    double left_out; /* what one costs that is left out to keep a budget */
};

/* Returns what activations that took `mean` contain of their own cost: `empty` if they took no longer than that. A
 * processor does about as much work as `empty` and `inside` differ while it reads the clock, so that little more than
 * `empty` means that much work. */
double stint_own_cost(const struct stint_own_cost *cost, double mean);

/* What a node's numbers lack of the activations that were left out (src/parts/budget), in ticks. */
struct stint_estimate {
    uint64_t left_out;
    double total;
    double self;
    double total_square; /* variances */
    double self_square;
};

/* What all activations together contain. */
struct stint_cost_parts {
    struct stint_estimate estimate;
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
