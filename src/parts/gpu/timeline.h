/* One time axis for host and devices: ns since the process' start. A sample is a reading of CUPTI's clock between two
 * readings of stint's. Times between two samples are interpolated linearly; times before the first or after the last
 * sample use that sample's offset. */
#ifndef STINT_GPU_TIMELINE_H
#define STINT_GPU_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/event_slots.h"

/* Keeps a sample. Under the ledger's lock. Of the samples within STINT_TIMELINE_NEAR_NS, the one with the closest
 * readings is kept; when room runs out, every other sample is dropped. A sample whose readings are in the wrong order
 * is ignored. */
void stint_timeline_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after);

enum { STINT_TIMELINE_SAMPLES = 128, STINT_TIMELINE_NEAR_NS = 10000000 };

void stint_timeline_forget(void);

/* The state of stint's clock when a timeline is made: at `ticks`, the process was `ns` old. */
struct stint_timeline_clock {
    uint64_t ticks;
    uint64_t ns;
    double ns_per_tick;
    uint64_t start_unix_ns; /* used if there is no sample: CUPTI's clock is then taken for the wall clock */
};

struct stint_timeline_clock stint_timeline_clock_now(void);

/* The samples, converted with that clock. */
struct stint_timeline {
    struct stint_timeline_clock clock;
    size_t count;
    double error_ns;
    uint64_t cupti_ns[STINT_TIMELINE_SAMPLES];
    int64_t distance[STINT_TIMELINE_SAMPLES]; /* cupti_ns minus the time on the axis */
};

/* Under the lock. error_ns is half the width of the widest sample, plus how far any sample is from the line through its
 * neighbours; with two samples, how much they differ. */
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
