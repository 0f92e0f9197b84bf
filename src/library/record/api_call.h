/* Calls of CUDA's API as nodes of the calling thread's tree: what times a scope times them, too. They are told to no
 * listener, and paths pass over them. */
#ifndef STINT_RECORD_API_CALL_H
#define STINT_RECORD_API_CALL_H

#include <stdint.h>

#include "stint/detail/record.h"

/* Returns the id of the function's statistic in the set STINT_API_SET, 0 beyond a limit, which is counted. `name` is
 * copied. To be remembered: it takes the lock. */
uint32_t stint_call_id(const char *name);

/* Returns whether a statistic is that of a call. */
int stint_call_is(uint32_t id);

/* Enters a call with that id (0: nothing). Returns its node, or NULL if recording is off or the call was dropped. Where
 * the fast half of scopes may run, this is as fast. */
struct stint_i_node *stint_call_enter(uint32_t id);

/* Leaves it; NULL: nothing. Returns the span in ticks. */
uint64_t stint_call_leave(struct stint_i_node *node);

#endif
