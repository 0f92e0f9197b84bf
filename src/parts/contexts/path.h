/* Paths: process-wide numbers for calling contexts. A node lives in one thread's tree and disappears when the thread
 * exits; its path, which is the list of statistics from the root down, keeps its number until the process ends. Code
 * that has to name a scope later, or on another thread, remembers the path. */
#ifndef STINT_CONTEXTS_PATH_H
#define STINT_CONTEXTS_PATH_H

#include <stdint.h>

#include "record/tree.h"

/* Returns the path of the innermost scope that runs on the calling thread; calls of CUDA's API (contexts/api_call.h)
 * are skipped. Costs one or two loads, except the first time in a node. May be called at any time; in a signal handler
 * that interrupted stint it may be STINT_PATH_NONE. */
uint32_t stint_path_current(void);

/* The same for a signal handler: it never waits, and returns STINT_PATH_NONE if the path is not known. Paths are known
 * after stint_paths_start. */
uint32_t stint_path_now(void);

/* From now on, each calling context has a path from its beginning. Inside the guard. */
void stint_paths_start(void);

/* Returns the path of the statistic below a running node of any thread, or STINT_PATH_NONE if there is no room. Under
 * the registry's lock, which keeps the thread from exiting. */
uint32_t stint_path_below(struct stint_i_node *node, uint32_t id);

/* What stint_path_at returns without a lock: the path whose child `path` is, and the statistic that `path` adds to it.
 * `path` must not be the root's. */
struct stint_path {
    uint32_t parent;
    uint32_t id; /* of the statistic: stint_registry_entry */
};

struct stint_path stint_path_at(uint32_t path);

/* Returns the last path. Paths are numbered from STINT_PATH_ROOT on; the number of a parent is less than those of its
 * children. */
uint32_t stint_path_last(void);

#endif
