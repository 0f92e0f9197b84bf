/* Calling contexts beyond scopes: their numbers, work that threads do for each other, calls of CUDA and of the C
 * library. */
#ifndef STINT_CONTEXTS_CONTEXTS_H
#define STINT_CONTEXTS_CONTEXTS_H

#include <stdint.h>

#include "record/thread.h"
#include "record/tree.h"
#include "stint/detail/record.h"
#include "stint/status.h"
#include "support/own_thread.h"

/* ----------------------------------------------------------------------------------------------------------- path.c */

/* Paths: process-wide numbers for calling contexts. A node lives in one thread's tree and disappears when the thread
 * exits; its path, which is the list of statistics from the root down, keeps its number until the process ends. Code
 * that has to name a scope later, or on another thread, remembers the path. */

/* Returns the path of the innermost scope that runs on the calling thread; calls of CUDA's API (contexts/contexts.h)
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

/* ---------------------------------------------------------------------------------------------------------- adopt.c */

/* Work of threads that help others: what a thread launches or enters while no scope runs on it is charged to the scope
 * that waits for it on another thread. It gets a context of its own below that scope, named STINT_ADOPTED, so that it
 * is told apart from what the scope's own thread did, and is counted once. */

extern enum stint_adopt_rule stint_adopted_work;

/* --------------------------------------------------------------------------------------------------------- launches */

/* To be called when the thread launches something: others may help threads that launch (contexts/contexts.h). */
static inline void stint_adopt_see_launch(void)
{
    struct stint_thread_record *record = stint_thread_self();
    if (record)
        STINT_I_STORE(&record->launches, 1);
}

/* Is told the innermost scope of the thread that waits, while that thread cannot exit. Must not take a lock. */
typedef void stint_adopt_note_fn(uint32_t correlation, const struct stint_i_node *waits);

/* Returns the path to charge for a launch of a thread on which no scope runs: STINT_PATH_ROOT if nobody is known to
 * wait for it. `note` may be NULL; it is called if somebody is. */
uint32_t stint_adopt_launch(uint32_t correlation, stint_adopt_note_fn *note);

/* ------------------------------------------------------------------------------------------------------- on request */

/* Begins to adopt the calling thread's work below that path. `node` receives what stint_adopt_leave needs: NULL if a
 * scope runs on the thread already, or recording is off. Statuses as stint_adopt_begin and stint_adopt_end (adopt.h).
 * */
enum stint_status stint_adopt_enter(uint32_t path, struct stint_i_node **node);
enum stint_status stint_adopt_leave(struct stint_i_node *node);

/* ------------------------------------------------------------------------------------------------------- api_call.c */

/* Calls of CUDA's API as nodes of the calling thread's tree. They are timed like scopes, but listeners are not told of
 * them, and paths skip them. */

/* Returns the id of the function's statistic in the set STINT_API_SET, 0 beyond a limit, which is counted. `name` is
 * copied. Callers should remember the id, because this function takes the lock. */
uint32_t stint_call_id(const char *name);

/* The same for a set of other calls, which is remembered at `at`, NULL at first. To be called inside the guard. */
uint32_t stint_call_id_in(const struct stint_statset **at, const char *set_name, const char *name);

/* Enters a call with that id; 0 does nothing. Returns its node, or NULL if recording is off or the call was dropped.
 * Where the fast path of scopes may run, this is as fast. */
struct stint_i_node *stint_call_enter(uint32_t id);

/* Leaves the call; NULL does nothing. Returns the span in ticks. */
uint64_t stint_call_leave(struct stint_i_node *node);

/* -------------------------------------------------------------------------------------------------------- os_call.c */

/* Calls of the C library in which a thread may wait, as scopes of the set STINT_OS_SET. Such a call is recorded when it
 * has returned: one that never returns, because its thread is cancelled or jumps out of it, leaves nothing behind. */

/* A call that is under way, on its thread's stack. */
struct stint_os_call {
    uint64_t start; /* ticks; 0: the call is not recorded */
    const struct stint_i_node
        *around;           /* the scope that was running when the call began; NULL: the thread had no tree */
    uint64_t around_start; /* ticks; tells that activation from later ones */
    uint64_t around_child; /* ticks spent in children of that activation so far */
    uint32_t generation;   /* of the registry */
};

/* Calls shorter than that are not recorded. */
void stint_os_calls_start(uint64_t least_ns);

/* Notes the beginning of a call. The call is not recorded if recording is off, or if stint itself makes it. Neither
 * this nor the next function changes errno. */
void stint_os_call_begin(struct stint_os_call *call);

/* Records the call, unless it was too short and not `always` worth recording, or everything was reset meanwhile. `id`
 * is the caller's, one for each name and 0 at first. */
void stint_os_call_end(const struct stint_os_call *call, uint32_t *id, const char *name, int always);

/* What libstint_inject_osrt.so offers to this part: a place for the functions that record the calls of its wrappers. */
struct stint_os_functions {
    void (*begin)(struct stint_os_call *call);
    void (*end)(const struct stint_os_call *call, uint32_t *id, const char *name, int always);
};
struct stint_os_offer {
    const struct stint_os_functions **functions;
};
int stint_os_calls_attach(const void *offer);

#endif
