/* The events of nvprof's traces. */
#ifndef STINT_FORMATS_NVPROF_TRACE_H
#define STINT_FORMATS_NVPROF_TRACE_H

#include "formats/nvprof.h"

enum stint_trace { STINT_TRACE_GPU, STINT_TRACE_API, STINT_TRACE_BOTH };

/* Writes the lines above the trace. Returns whether it has an event. */
int stint_trace_head(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_trace trace);

/* Returns the event at *next, or the first one after it that the trace shows, and advances *next; NULL after the
 * last. */
const struct stint_gpu_event *stint_trace_next(const struct stint_snapshot *snapshot, enum stint_trace trace,
                                               size_t *next);

/* Returns the start relative to the first event of the trace, whatever its kind. */
uint64_t stint_trace_start_ns(const struct stint_snapshot *snapshot, const struct stint_gpu_event *event);
uint64_t stint_trace_duration_ns(const struct stint_gpu_event *event);

#endif
