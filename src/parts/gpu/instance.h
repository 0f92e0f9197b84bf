/* Which activation of a scope launched what, for a trace. An instance is one activation of one scope on one thread, and
 * refers to the instance around it. Only scopes that launch something, and those around them, are noted: other scopes
 * cost nothing, and a launch costs one look-up in a table if the innermost scope has launched before. */
#ifndef STINT_GPU_INSTANCE_H
#define STINT_GPU_INSTANCE_H

#include <stddef.h>
#include <stdint.h>

/* Makes room for `limit` instances. Returns 0, or -1 without memory. Later calls do nothing. */
int stint_instance_start(size_t limit);

struct stint_i_node;

/* On the launching thread, before the launch. `innermost` is the node that runs on it, or on the thread that waits for
 * it (record/adopt.h); NULL: none. Notes nothing before the start, outside all scopes, or without room. */
void stint_instance_note(uint32_t correlation, const struct stint_i_node *innermost);

/* Returns the number of the instance that launched; 0 if it is unknown or too long ago (gpu/correlate.h). */
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
