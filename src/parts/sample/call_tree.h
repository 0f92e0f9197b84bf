/* The call chains of samples, as one tree in bounded memory. Signal handlers add to it; nothing in it is ever freed. A
 * chain begins with a node for the task (sample/task.h), below which there is one for the scope that ran, and then one
 * for each place in the code, the outermost first. A task's nodes are written by its thread's handler alone. */
#ifndef STINT_SAMPLE_CALL_TREE_H
#define STINT_SAMPLE_CALL_TREE_H

#include <stdint.h>

#include "model/sampler.h"

/* Values of `module` that are not a place in the code. */
#define STINT_CALL_TASK UINT32_MAX
#define STINT_CALL_SCOPE (UINT32_MAX - 1)

/* Counted with atomic additions, because a reset may come between. */
struct stint_call_sum {
    uint64_t samples;
    uint64_t time_ns;
};

struct stint_call_node {
    uint64_t address;           /* within the module; the number of a task, or the path of a scope */
    uint32_t module;            /* sample/loaded.h, or as above */
    uint32_t parent;            /* its number is less than this node's; 0: none */
    uint32_t sibling;           /* the task's node before this one; 0: none */
    uint32_t ready;             /* 1: all of the above is valid */
    struct stint_call_sum now;  /* of the task's present thread */
    struct stint_call_sum past; /* of those that have exited */
};

enum { STINT_CALL_NODES = STINT_SAMPLER_CHAINS };

/* Reserves the memory. Returns 0, or -1. */
int stint_call_tree_start(void);

/* Returns the number of the node below `parent` for that place, which is added if it is missing; 0: there is no room.
 * `latest` is the task's node that was added last. Async-signal-safe. */
uint32_t stint_call_tree_child(uint32_t parent, uint32_t module, uint64_t address, uint32_t *latest);

/* Adds to the samples of a node. */
void stint_call_tree_count(uint32_t node, uint64_t samples, uint64_t time_ns);

struct stint_call_node *stint_call_tree_at(uint32_t node);

/* Nodes are numbered from 1 to this, inclusive; those that are not ready are to be skipped. */
uint32_t stint_call_tree_last(void);

/* The thread of the task whose nodes end with `latest` has exited: its samples become those of the past. */
void stint_call_tree_retire(uint32_t latest);

/* Forgets all samples. */
void stint_call_tree_reset(void);

#endif
