/* Chooses and times the events of nvprof's traces, and writes the lines in front of them. */
#include "formats/nvprof.h"

/* ------------------------------------------------------------------------------------------------------------ lines */

static void put_clock(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    char number[STINT_NUMBER_SIZE];
    if (snapshot->gpu.clock_error_ns > 0) {
        stint_nvprof_begin(text, snapshot);
        stint_text_string(text, "Clock: times of host and GPUs are within ");
        stint_number_fixed(number, snapshot->gpu.clock_error_ns, 0);
        stint_text_string(text, number);
        stint_text_string(text, " ns of each other.\n");
    }
    if (snapshot->gpu.early) {
        stint_nvprof_warn(text, snapshot);
        stint_text_u64(text, snapshot->gpu.early);
        stint_text_string(text, " events seemed to begin before their launch, and were moved to it.\n");
    }
}

int stint_trace_head(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_trace trace)
{
    size_t next = 0;
    stint_nvprof_head(text, snapshot);
    if (!snapshot->gpu_event_count) {
        stint_nvprof_warn(text, snapshot);
        stint_text_string(text, "No trace was kept. Set STINT_GPU_TRACE=100000 to keep the first 100000 events.\n");
        return 0;
    }
    put_clock(text, snapshot);
    stint_nvprof_result(text, snapshot);
    if (stint_trace_next(snapshot, trace, &next))
        return 1;
    if (trace != STINT_TRACE_API)
        stint_text_string(text, "No kernels were profiled.\n");
    if (trace != STINT_TRACE_GPU)
        stint_text_string(text, "No API activities were profiled.\n");
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* Waits and overheads occupy threads, not devices. */
static int is_shown(const struct stint_gpu_event *event, enum stint_trace trace)
{
    if (event->api)
        return trace != STINT_TRACE_GPU;
    if (trace == STINT_TRACE_API)
        return 0;
    return stint_gpu_occupies(event->kind) || event->kind == STINT_GPU_SPAN || event->kind == STINT_GPU_FAULT;
}

const struct stint_gpu_event *stint_trace_next(const struct stint_snapshot *snapshot, enum stint_trace trace,
                                               size_t *next)
{
    while (*next < snapshot->gpu_event_count) {
        const struct stint_gpu_event *event = &snapshot->gpu_events[(*next)++];
        if (is_shown(event, trace))
            return event;
    }
    return NULL;
}

uint64_t stint_trace_start_ns(const struct stint_snapshot *snapshot, const struct stint_gpu_event *event)
{
    return event->start_ns - snapshot->gpu_events[0].start_ns;
}

uint64_t stint_trace_duration_ns(const struct stint_gpu_event *event)
{
    return event->end_ns > event->start_ns ? event->end_ns - event->start_ns : 0;
}
