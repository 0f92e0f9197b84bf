/* Calls of CUDA's API as nodes of the calling thread's tree. They are timed like scopes, but listeners are not told of
 * them, and paths skip them. */
#ifndef STINT_CONTEXTS_API_CALL_H
#define STINT_CONTEXTS_API_CALL_H

#include <stdint.h>

#include "stint/detail/record.h"

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

#endif
