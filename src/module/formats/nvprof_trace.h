/* What nvprof's traces have in common, printed and as CSV. */
#ifndef STINT_FORMATS_NVPROF_TRACE_H
#define STINT_FORMATS_NVPROF_TRACE_H

#include "formats/nvprof.h"

enum stint_trace { STINT_TRACE_GPU, STINT_TRACE_API, STINT_TRACE_BOTH };

/* Writes the lines above the trace. Returns whether it has an event. */
int stint_trace_head(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_trace trace);

/* Returns the event at *next or the first after it that the trace shows, and moves on; NULL after the last. */
const struct stint_gpu_event *stint_trace_next(const struct stint_snapshot *snapshot, enum stint_trace trace,
                                               size_t *next);

/* Times of a trace begin with its first event, whatever that is. */
uint64_t stint_trace_start_ns(const struct stint_snapshot *snapshot, const struct stint_gpu_event *event);
uint64_t stint_trace_duration_ns(const struct stint_gpu_event *event);

/* The units of the columns of times, as stint_nvprof_column_unit chooses them. */
struct stint_trace_units {
    struct stint_nvprof_unit start;
    struct stint_nvprof_unit duration;
};

struct stint_trace_units stint_trace_choose_units(const struct stint_snapshot *snapshot, enum stint_trace trace,
                                                  enum stint_time_unit wanted, int always);

/* Whether some copy was between two devices: four columns more. */
int stint_trace_has_peers(const struct stint_snapshot *snapshot);

/* What an event of its kind has. */
int stint_trace_has_grid(const struct stint_gpu_event *event);
int stint_trace_has_size(const struct stint_gpu_event *event);
int stint_trace_has_stream(const struct stint_gpu_event *event);

/* Whether it is a page fault, which has neither a duration nor a device. */
int stint_trace_is_fault(const struct stint_gpu_event *event);

/* "Pageable"; "" if there is none, or unknown. What is set counts as a source. */
const char *stint_trace_source(const struct stint_gpu_event *event);
const char *stint_trace_destination(const struct stint_gpu_event *event);

#endif
