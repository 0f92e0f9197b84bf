/* Paths: process-wide numbers for calling contexts. A node lives in one thread's tree and goes when the thread exits;
 * the path it stands on - the statistics from the root down - keeps its number until the process ends. Whoever has to
 * name a scope later, or on another thread, remembers the path. */
#ifndef STINT_RECORD_PATH_H
#define STINT_RECORD_PATH_H

#include <stdint.h>

struct stint_i_node;

enum {
    STINT_PATH_NONE = 0,         /* no room for it: beyond STINT_MAX_NODES, or no memory */
    STINT_PATH_ROOT = 1,         /* no scope runs */
    STINT_PATH_HELD = 0x7FFFFFFF /* no path: recording is held back (record/hold.h). There are fewer paths. */
};

/* Returns the path of the innermost scope that runs on the calling thread; calls of CUDA's API (record/api_call.h) are
 * passed over. One or two loads, but for the first time in a node. Any time; in a signal handler that interrupted stint
 * it may be STINT_PATH_NONE. */
uint32_t stint_path_current(void);

/* Gives a node of the calling thread its path, so that node->path is not 0 from now on; if there is no room, it is none
 * that stint_path_at knows. Inside the guard. */
void stint_path_learn(struct stint_i_node *node);

/* The path that `path`, other than the root's, is a child of, and the statistic it adds. Needs no lock. */
struct stint_path {
    uint32_t parent;
    uint32_t id; /* of the statistic: stint_registry_entry */
};

struct stint_path stint_path_at(uint32_t path);

/* Paths run from STINT_PATH_ROOT to this, inclusive; a parent is less than its children. */
uint32_t stint_path_last(void);

#endif
