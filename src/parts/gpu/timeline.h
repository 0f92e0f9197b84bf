/* One time axis for host and devices: ns since the process' start. A sample is a reading of CUPTI's clock between two
 * readings of stint's. Times between two samples are interpolated linearly; times before the first or after the last
 * sample use that sample's offset. */
#ifndef STINT_GPU_TIMELINE_H
#define STINT_GPU_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "model/recorder.h"

/* ---------------------------------------------------------------------------------------------------- event_slots.c */

/* The first events since the last reset, in a fixed number of slots. A slot is taken with an atomic addition, so that
 * calls of CUDA's API, which are traced on the calling thread, need no lock; it is written once, and then published. */

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

/* ------------------------------------------------------------------------------------------------------- timeline.c */

/* Keeps a sample. Under the ledger's lock. Of the samples within STINT_TIMELINE_NEAR_NS, the one with the closest
 * readings is kept; when room runs out, every other sample is dropped. A sample whose readings are in the wrong order
 * is ignored. */
void stint_timeline_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after);

enum { STINT_TIMELINE_NEAR_NS = 10000000 };

void stint_timeline_forget(void);

struct stint_timeline_clock stint_timeline_clock_now(void);

/* Under the lock. error_ns is half the width of the widest sample, plus how far any sample is from the line through its
 * neighbors; with two samples, how much they differ. */
void stint_timeline_make(struct stint_timeline *timeline, const struct stint_timeline_clock *clock);

/* ns since the process' start; negative: before that. */
int64_t stint_timeline_of_ticks(const struct stint_timeline *timeline, uint64_t ticks);
int64_t stint_timeline_of_cupti(const struct stint_timeline *timeline, uint64_t cupti_ns);

/* Puts an event of the trace on the common time axis of host and devices. */

/* Fills `event` from what was traced, with its times on the axis. An event that seems to begin before its launch is
 * moved to it. Returns 1 if it was moved further than the clocks' error explains, else 0. */
int stint_trace_place(const struct stint_timeline *timeline, const struct stint_trace_event *traced,
                      struct stint_gpu_event *event);

#endif
