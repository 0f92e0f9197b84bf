/* Keeps what recording costs each thread below a share of its time (STINT_BUDGET). Activations of the most frequent
 * calling contexts are left out, and estimated from a sample of them. */
#ifndef STINT_BUDGET_BUDGET_H
#define STINT_BUDGET_BUDGET_H

#include <stdint.h>

#include "model/budget_host.h"
#include "record/collect.h"
#include "record/tree.h"

static inline struct stint_i_thinning *stint_thinning_of(const struct stint_i_node *node)
{
    return stint_i_thinning_of((struct stint_i_node *)(uintptr_t)node);
}

/* Numbers that other threads read. */
static inline double stint_budget_load(const double *at)
{
    double value;
    __atomic_load(at, &value, __ATOMIC_ACQUIRE);
    return value;
}

static inline void stint_budget_store(double *at, double value)
{
    __atomic_store(at, &value, __ATOMIC_RELEASE);
}

/* In ticks or in ns. */
struct stint_budget_costs {
    double sampled;  /* of an activation that is recorded */
    double left_out; /* of one that is left out */
};

/* ------------------------------------------------------------------------------------------------------ spending.c */

enum { COMPARISONS = 15 };

/* What recording costs a thread, and what follows from it. */
struct stint_spending {
    uint64_t random;
    uint64_t decided;         /* when the last decision was made, in ticks, */
    uint64_t decided_cpu;     /* and in ticks for which the thread had run */
    uint64_t window;          /* ticks until the next one */
    double ran;               /* ticks for which the thread ran, up to the last decision, */
    double spent;             /* and those of them that recording took */
    double each;              /* ticks that an activation took in the last window, with what is around it, */
    double share;             /* and which share of them was sampled */
    double sample;            /* ticks that a sample costs in this thread; 0: not known */
    double cost[COMPARISONS]; /* the last results of comparing */
    uint32_t compared;
    uint32_t decisions;
    uint32_t unseen;  /* samples since the clock was last looked at */
    uint32_t samples; /* since the last decision */
};

/* Counts a sample of the thread; from time to time decides anew, for all nodes of its tree, how many activations are
 * left out. */
void stint_spending_count(struct stint_tree *tree, struct stint_spending *spending);

/* Calls of CUDA and of the C library, and ranges have fast paths of their own, which leave nothing out. */
int stint_spending_may_thin(uint32_t id);

/* Returns what activations of scopes cost so far, in ns. */
struct stint_budget_costs stint_spending_ns(void);

/* What the hooks of a function cost that is left out, where that is not measured. */
enum { HOOKS_NS = 10 };

/* Sets the host, and measures costs. */
void stint_spending_start(struct stint_budget_host *host);

uint64_t stint_budget_ticks(void);

/* --------------------------------------------------------------------------------------------------- call_probe.c */

/* Measures what activations cost. Returns the ticks of one that is recorded by the fast path. */
double stint_probe_start(void);

/* The same, of those that are left out, unless that was done not long ago. */
void stint_probe_again(void);

/* Returns the ticks that reading the clock takes, as measured at the start. */
double stint_probe_reading(void);

/* Returns the ticks that an activation costs that is left out, if one takes `each`, with what is around it. */
double stint_probe_left_out(double each);

/* ------------------------------------------------------------------------------------------------------ thinning.c */

/* Begins a thinned node's sample. */
void stint_thinning_sample(struct stint_tree *tree, struct stint_i_node *node);

/* From now on `gap` activations of a node are left out between two samples, on average. */
void stint_thinning_set_gap(struct stint_i_node *node, uint32_t gap, struct stint_spending *spending);

void stint_thinning_zero(struct stint_i_node *node);
void stint_thinning_merge(struct stint_i_node *into, const struct stint_i_node *from);

/* What is missing in a node's self time, as its activations were left out: an estimate, and its variance. */
struct stint_missed {
    uint64_t left_out;
    double self;
    double square;
};
struct stint_missed stint_thinning_missed(const struct stint_i_node *node);

#endif
