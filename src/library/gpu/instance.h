/* Which activation of a scope launched what, for a trace: an instance is one activation of one scope on one thread, and
 * knows the instance around it. Only those that launch something, and those around them, are ever noted, so that scopes
 * cost nothing, and a launch, where the innermost scope has launched before, one look into a table. */
#ifndef STINT_GPU_INSTANCE_H
#define STINT_GPU_INSTANCE_H

#include <stddef.h>
#include <stdint.h>

/* Makes room for `limit` instances. Returns 0, or -1 without memory. Once; later calls do nothing. */
int stint_instance_start(size_t limit);

/* On the launching thread, in front of the launch. Nothing before the start, outside all scopes, and where there is no
 * room. */
void stint_instance_note(uint32_t correlation);

/* Returns the number of the instance that launched; 0: unknown, or too long ago (gpu/correlate.h). */
uint32_t stint_instance_of(uint32_t correlation);

struct stint_instance {
    uint32_t path;
    uint32_t parent; /* less than its own number; 0: none */
};

/* Numbers run from 1 to the last, inclusive; of another the path is STINT_PATH_NONE. */
struct stint_instance stint_instance_at(uint32_t number);
uint32_t stint_instance_last(void);

/* Begins anew. A launch at the same moment may be taken for that of another scope. */
void stint_instance_forget(void);

#endif
