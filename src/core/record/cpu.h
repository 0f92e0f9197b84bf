/* CPU time of scopes, beside their time on the clock: what the scope's thread spent running, not waiting. Reading it is
 * a system call, so it is read only if it is asked for; then no scope takes the fast path. */
#ifndef STINT_RECORD_CPU_H
#define STINT_RECORD_CPU_H

#include "stint/detail/record.h"

extern int stint_cpu_is_on;

/* Reads it from now on. To be called at start, before any scope. */
void stint_cpu_start(void);

void stint_cpu_begin_slow(struct stint_i_node *node);
void stint_cpu_end_slow(struct stint_i_node *node);

/* To be called before an activation of the node begins, and after its end was read from the clock. */
static inline void stint_cpu_begin(struct stint_i_node *node)
{
    if (STINT_I_UNLIKELY(stint_cpu_is_on))
        stint_cpu_begin_slow(node);
}

static inline void stint_cpu_end(struct stint_i_node *node)
{
    if (STINT_I_UNLIKELY(stint_cpu_is_on))
        stint_cpu_end_slow(node);
}

#endif
