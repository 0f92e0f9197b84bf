/* The call chains of samples, as one tree in bounded memory. Signal handlers add to it; nothing in it is ever freed. A
 * chain begins with a node for the task (sample/sampling.h), below which there is one for the scope that ran, and then
 * one for each place in the code, the outermost first. A task's nodes are written by its thread's handler alone. */
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
    uint32_t module;            /* sample/walk.h, or as above */
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

/* ---------------------------------------------------------------------------------------------------- sample_ring.c */

/* The samples that wait to be written to a recording. Signal handlers of all threads add to them, and one thread takes
 * them, in that order. Their number is bounded. */

enum { STINT_SAMPLE_RING_MOST = 1 << 15 };

/* Reserves the memory. Returns 0, or -1. */
int stint_sample_ring_start(void);

/* Adds a sample. If there is no room, it is counted. Async-signal-safe. */
void stint_sample_ring_add(const struct stint_waiting_sample *sample);

/* As in struct stint_sampler. A sample that a handler is adding is not taken yet, nor are those after it. */
size_t stint_sample_ring_take(struct stint_waiting_sample *samples, size_t most, uint64_t *lost);
size_t stint_sample_ring_waiting(void);

/* In a forked child: forgets all. */
void stint_sample_ring_after_fork(void);

/* ------------------------------------------------------------------------------------------------- unsampled_time.c */

/* CPU time of ended threads that no sample covers: a thread ends between two ticks of the kernel's clock, a short one
 * often before its first, and ending it takes more CPU time after the thread last read its clock. The first samples of
 * later threads include all this time, each half of what is left, and in a snapshot the last of these includes the
 * rest. So all samples add up to the process' CPU time, and threads that live only shortly have their share. */

/* Sampling begins. `other_ns` of the process' CPU time is not of threads that are sampled from now on. */
void stint_unsampled_time_begin(uint64_t other_ns);

/* A thread ends. It has used `whole_ns` since its sampling began; `rest_ns` of these are in no sample. */
void stint_unsampled_time_end(uint64_t whole_ns, uint64_t rest_ns);

/* The process has used `process_ns` up to now; threads that still run have used `alive_ns` of these since their
 * sampling began. */
void stint_unsampled_time_compare(uint64_t process_ns, uint64_t alive_ns);

/* Takes half of what is in no sample. Async-signal-safe. */
uint64_t stint_unsampled_time_take(void);

/* The sample that includes what was taken ends with that node. Async-signal-safe. */
void stint_unsampled_time_goes_to(uint32_t node);

/* Returns what is in no sample, and the node to which it belongs until the next sample takes it; 0 if there is none. */
uint64_t stint_unsampled_time_left(uint32_t *node);

#endif
