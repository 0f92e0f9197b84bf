/* One calling-context tree: written by its thread alone, read by anybody. Merging adds one tree to another, which is
 * how exited threads are folded away and how a snapshot adds threads up. */
#ifndef STINT_RECORD_TREE_H
#define STINT_RECORD_TREE_H

#include <stdint.h>

#include "base/arena.h"
#include "stint/detail/record.h"

/* Values of a node's path, a process-wide number (contexts/contexts.h). */
enum {
    STINT_PATH_NONE = 0,         /* not known yet, or no room for it: beyond STINT_MAX_NODES, or no memory */
    STINT_PATH_ROOT = 1,         /* no scope runs */
    STINT_PATH_HELD = 0x7FFFFFFF /* recording is held back (record/suspend.h); no path's number is as large */
};

enum stint_tree_kind {
    STINT_TREE_THREAD, /* a thread's: nodes have a histogram if percentiles are switched on */
    STINT_TREE_EXITED, /* the exited threads' */
    STINT_TREE_PROBE,  /* of no thread, to measure costs: as a thread's, but without limit */
    STINT_TREE_SUM     /* a snapshot's, short-lived: no limit; `start` is the number of activations that run, `child`
                          their ticks so far */
};

struct stint_tree;
struct stint_cost_parts;
struct stint_costs;
struct stint_estimate;
struct stint_numbers;

/* What leaves activations out to keep a budget (src/parts/budget), of trees of threads. Set before they begin; NULL:
 * every activation is recorded. */
struct stint_budget {
    /* Whether activations of a statistic may be left out: of a scope or a function. */
    int (*may_thin)(uint32_t id);
    /* An activation of a thinned node is about to be recorded, inside the guard: says which one is the next. */
    void (*sample)(struct stint_tree *tree, struct stint_i_node *node);
    /* The numbers of a node are zeroed, or added to those of another. */
    void (*zero)(struct stint_i_node *node);
    void (*merge)(struct stint_i_node *into, const struct stint_i_node *from);
    /* Sets the estimates of `parts` (record/collect.h), by index, of the first `count` nodes of a tree. */
    void (*estimate)(const struct stint_tree *tree, uint32_t count, struct stint_cost_parts *parts);
    void (*add)(struct stint_numbers *numbers, const struct stint_estimate *estimate); /* in ticks */
    /* Puts in what activations cost that are recorded, or left out. */
    void (*costs)(struct stint_costs *costs);
    double share; /* of each thread's time that recording may cost */
};
extern const struct stint_budget *stint_budget;

static inline int stint_node_is_thinned(const struct stint_i_node *node)
{
    return node->key != node->id;
}

struct stint_tree {
    struct stint_i_tree hot; /* first: what stint_i_self points to */
    enum stint_tree_kind kind;
    struct stint_i_node *root;
    struct stint_i_node *floating; /* parent of samples that no scope encloses; merged as the root. They have nodes of
                                      their own, because a signal handler may add a sample while a scope of that name
                                      ends */
    struct stint_i_node *exact; /* parent of samples in ns that the program measured itself, merged with its like: their
                                      numbers are ns, not ticks, so that they remain exact */
    struct stint_i_node *last;  /* the node created last; root->next is the first */
    uint32_t node_count;        /* root included; also the next index */
    uint32_t generation;        /* seen when last refreshed */
    struct stint_arena arena;   /* nodes and slots */
    struct stint_spending
        *spending; /* what recording costs the thread (src/parts/budget), in the arena; NULL: not known */
};

/* Returns 0, or -1 if there is no memory. The tree then is empty, and stint_tree_end is harmless. */
int stint_tree_begin(struct stint_tree *tree, enum stint_tree_kind kind);

/* Frees the tree's memory. */
void stint_tree_end(struct stint_tree *tree);

/* Empties the tree of a thread that ended; its memory stays mapped, for stint_tree_begin_again. */
void stint_tree_empty(struct stint_tree *tree);

/* Does what stint_tree_begin does, for an emptied tree. */
int stint_tree_begin_again(struct stint_tree *tree);

/* Is told each new node of a thread's tree, if it is not NULL, inside the guard. */
extern void (*stint_tree_tell_child)(struct stint_i_node *node);

/* Returns whether `parent` has a child with this id. */
int stint_tree_has_child(const struct stint_tree *tree, const struct stint_i_node *parent, uint32_t id);

/* Returns the child of `parent` with this id, made if missing; NULL beyond a limit, which is counted. */
struct stint_i_node *stint_tree_child(struct stint_tree *tree, struct stint_i_node *parent, uint32_t id);

/* Catches up with resets: zeroes the numbers of stale nodes, and moves the start of running ones. */
void stint_tree_refresh(struct stint_tree *tree);

/* Moves the start of the running `node` back by `ticks`, but not before its statistic's last reset, and without
 * charging its parent for the time before. */
void stint_tree_begin_earlier(struct stint_i_node *node, uint64_t ticks);

/* Pops the innermost running scope without counting it. Its time is its parent's, but for that of the scopes that ended
 * in it. */
void stint_tree_abandon(struct stint_tree *tree);

/* Returns whether a node's numbers are from before its statistic's last reset. */
int stint_node_is_stale(const struct stint_i_node *node);

/* Activations of a node that took `limit` ticks at most, as far as it has a histogram. */
struct stint_short {
    uint64_t count;
    double ticks;
};
struct stint_short stint_node_short(const struct stint_i_node *node, uint64_t limit);

/* Returns when the activation of a running node began, as far as it counts; 0: not running. */
uint64_t stint_node_start(const struct stint_i_node *node);

/* The counterparts of a tree's nodes in the tree that it was merged into, by index. */
struct stint_merged {
    struct stint_i_node **nodes; /* NULL: there was no memory */
    uint32_t count;              /* nodes that appeared later are not in it */
};

/* Adds the numbers of `from` to `into`. The result lives in `scratch`. In a snapshot's tree, nodes are missing only if
 * there was no memory. In others, nodes beyond a limit are NULL, and their samples are counted as dropped. */
struct stint_merged stint_tree_merge(struct stint_tree *into, const struct stint_tree *from,
                                     struct stint_arena *scratch);

/* Sets whether new nodes of threads' trees have a histogram. */
void stint_tree_set_percentiles(int enabled);

#endif
