/* The first events since the last reset, in a fixed number of slots. A slot is taken with an atomic addition, so that
 * calls of CUDA's API, which are traced on the calling thread, need no lock; it is written once, and then published. */
#ifndef STINT_GPU_EVENT_SLOTS_H
#define STINT_GPU_EVENT_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "model/event.h"

struct stint_trace_event {
    uint64_t state;    /* used by the trace alone */
    uint64_t launch;   /* for device work: ticks of its launch; 0: unknown */
    uint32_t instance; /* for device work: see gpu/instance.h; 0: unknown */
    int is_memory;     /* for a listener only: this is `memory`; of `event`, start_ns, tid and context are set */
    struct stint_event_memory memory;
    struct stint_gpu_event event; /* times are ticks for API calls, else ns of CUPTI's clock; context is a path,
                                     and its own instance means nothing */
};

/* Makes room for `events` events. Returns 0, or -1 without memory. Later calls do nothing. */
int stint_trace_start(size_t events);

/* Makes the trace call `tell` for every event as it happens, whether or not there is a slot for it: for a call of
 * CUDA's API on the calling thread, for device work under the ledger's lock. To be called before the collector
 * starts. */
void stint_trace_tell(void (*tell)(const struct stint_trace_event *event));

/* Whether there is a listener; it may still refer to what happened before a reset. */
int stint_trace_is_told(void);

/* Whether events are wanted. */
int stint_trace_is_on(void);

/* Passes an event to the listener, and keeps it if there is a free slot. The event's state is ignored. */
void stint_trace_put(const struct stint_trace_event *event);

/* Tells the listener, if there is one, that the calling thread allocates or frees memory now. */
void stint_trace_put_memory(const struct stint_event_memory *memory);

/* Takes a slot, to be filled and published; NULL if there is none, which is counted. `generation` receives what
 * publishing needs. */
struct stint_trace_event *stint_trace_take(uint64_t *generation);
void stint_trace_publish(struct stint_trace_event *event, uint64_t generation);

/* Copies the event in a slot. Returns 0 if there is none, it is still being written, or a reset has changed it
 * meanwhile. To be called under the ledger's lock, which keeps resets out. */
size_t stint_trace_slots(void); /* the number of slots taken */
int stint_trace_read(size_t slot, struct stint_trace_event *event);

/* Empties the slots. Under the ledger's lock. */
void stint_trace_forget(void);

#endif
