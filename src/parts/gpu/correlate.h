/* Which scope a record belongs to, as launching threads note it for the threads that handle records: tables without
 * locks. */
#ifndef STINT_GPU_CORRELATE_H
#define STINT_GPU_CORRELATE_H

#include <stddef.h>
#include <stdint.h>

/* Added to the path of a launch that leaves a record when it has run. */
#define STINT_CORRELATE_LAUNCH (UINT32_C(1) << 31)

/* Correlation ids: a direct-mapped table. An entry stays until another launch takes its slot, 2^20 launches later; a
 * launch that is looked up after that is unattributed. */

/* Makes the table; with `times`, ticks are kept, too (for a trace). Returns 0, or -1 without memory. The table is made
 * once; later calls can only add times. */
int stint_correlate_start(int times);

/* On the launching thread, before the launch. Does nothing before the start. */
void stint_correlate_put(uint32_t correlation, uint32_t path, uint64_t ticks);

/* For a record: returns the path, or STINT_PATH_NONE if the launch was not seen or is too long ago. `ticks` (may be
 * NULL) receives 0 if they are unknown. */
uint32_t stint_correlate_get(uint32_t correlation, uint64_t *ticks);

/* Calls `visit` with the path of each launch in the table for which no record has come, once. */
__attribute__((cold)) void stint_correlate_missing(void (*visit)(uint32_t path));

/* In a forked child, and when all numbers are reset: forgets everything. */
void stint_correlate_forget(void);

/* Which call made a node of a CUDA graph: work that a graph launches has the correlation id of the graph's launch only,
 * and it says more which launch was captured. */

/* Allocates the table, once. Returns 0, or -1 without memory; then nothing is noted. */
int stint_graph_nodes_start(void);

/* A node was created by that call, or as a copy of a node. 0 is neither a node nor a call. Without room in the table it
 * is not noted. */
void stint_graph_node_created(uint64_t node, uint32_t correlation);
void stint_graph_node_cloned(uint64_t node, uint64_t original);

/* Returns the correlation id of the call that made the node, or the one that it was copied of; 0: it is not known. */
uint32_t stint_graph_node_call(uint64_t node);

/* When recording was held back (record/suspend.h). The correlation of a launch tells whether it was held
 * back; these functions are for activities without a launch, such as the moves of unified memory. */

/* Notes that recording is held back from now on, or no longer. At first it is not. */
void stint_pause_note(int held);

/* Tells how CUPTI's clock relates to stint's; the last call counts. Under the ledger's lock, like stint_pause_at. */
void stint_pause_align(uint64_t ticks, uint64_t cupti_ns);

/* Whether recording was held back at a time of CUPTI's clock. Only the last STINT_PAUSES changes are known; before the
 * first of them, the state is taken to be the one that it ended. */
int stint_pause_at(uint64_t cupti_ns);

enum { STINT_PAUSES = 256 };

/* ------------------------------------------------------------------------------------------------------- instance.c */

/* Which activation of a scope launched what, for a trace. An instance is one activation of one scope on one thread, and
 * refers to the instance around it. Only scopes that launch something, and those around them, are noted: other scopes
 * cost nothing, and a launch costs one look-up in a table if the innermost scope has launched before. */

/* Makes room for `limit` instances. Returns 0, or -1 without memory. Later calls do nothing. */
int stint_instance_start(size_t limit);

struct stint_i_node;

/* On the launching thread, before the launch. `innermost` is the node that runs on it, or on the thread that waits for
 * it (contexts/contexts.h); NULL: none. Notes nothing before the start, outside all scopes, or without room. */
void stint_instance_note(uint32_t correlation, const struct stint_i_node *innermost);

/* Returns the number of the instance that launched; 0 if it is unknown or too long ago (stint_correlate_get). */
uint32_t stint_instance_of(uint32_t correlation);

struct stint_instance {
    uint32_t path;
    uint32_t parent; /* less than its own number; 0: none */
};

/* Numbers run from 1 to the last, inclusive; for any other number the path is STINT_PATH_NONE. */
struct stint_instance stint_instance_at(uint32_t number);
uint32_t stint_instance_last(void);

/* Empties the tables. A launch at the same moment may be attributed to another scope. */
void stint_instance_forget(void);

#endif
