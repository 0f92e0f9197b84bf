/* The first events since the last reset, in a fixed number of slots. A slot is taken by an atomic addition, so that
 * calls of CUDA's API, which are traced on the calling thread, need no lock; it is written once, and then published. */
#ifndef STINT_GPU_EVENT_SLOTS_H
#define STINT_GPU_EVENT_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/gpu_stats.h"

struct stint_trace_event {
    uint64_t state;               /* the trace's */
    uint64_t launch;              /* of what a device did: ticks; 0: unknown */
    uint32_t instance;            /* likewise (gpu/instance.h); 0: unknown */
    struct stint_gpu_event event; /* times are ticks for API calls, else ns of CUPTI's clock; context is a path,
                                     and its own instance means nothing */
};

/* Makes room for `events`. Returns 0, or -1 without memory. Once; later calls do nothing. */
int stint_trace_start(size_t events);

/* Has `tell` told of every event, whether or not there is room for it, where it happens: of a call of CUDA's API on its
 * thread, of what a device did under the ledger's lock. Before the collector starts. */
void stint_trace_tell(void (*tell)(const struct stint_trace_event *event));

/* Whether somebody is told, who may go on naming what happened before a reset. */
int stint_trace_is_told(void);

/* Whether events are wanted. */
int stint_trace_is_on(void);

/* An event happened: tells of it, and keeps it if there are slots. Its state means nothing. */
void stint_trace_put(const struct stint_trace_event *event);

/* Takes a slot, to be filled and published; NULL: there is none, which is counted. `generation` is for publishing. */
struct stint_trace_event *stint_trace_take(uint64_t *generation);
void stint_trace_publish(struct stint_trace_event *event, uint64_t generation);

/* Copies the event in a slot. Returns 0 if there is none, or it is still being written. Under the ledger's lock, or a
 * reset might let it change meanwhile; then 0, too. */
size_t stint_trace_slots(void); /* that were taken */
int stint_trace_read(size_t slot, struct stint_trace_event *event);

/* Begins anew. Under the ledger's lock. */
void stint_trace_forget(void);

#endif
