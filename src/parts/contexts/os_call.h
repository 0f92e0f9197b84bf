/* Calls of the C library in which a thread may wait, as scopes of the set STINT_OS_SET. Such a call is recorded when it
 * has returned: one that never returns, because its thread is cancelled or jumps out of it, leaves nothing behind. */
#ifndef STINT_CONTEXTS_OS_CALL_H
#define STINT_CONTEXTS_OS_CALL_H

#include <stdint.h>

#include "stint/detail/record.h"

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
