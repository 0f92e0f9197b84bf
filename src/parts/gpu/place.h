/* Puts an event of the trace on the common time axis of host and devices. */
#ifndef STINT_GPU_PLACE_H
#define STINT_GPU_PLACE_H

#include "gpu/event_slots.h"
#include "gpu/timeline.h"

/* Fills `event` from what was traced, with its times on the axis. An event that seems to begin before its launch is
 * moved to it. Returns 1 if it was moved further than the clocks' error explains, else 0. */
int stint_trace_place(const struct stint_timeline *timeline, const struct stint_trace_event *traced,
                      struct stint_gpu_event *event);

#endif
