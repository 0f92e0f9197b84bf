#include "formats/nvprof_trace.h"

/* ------------------------------------------------------------------------------------------------------------- lines */

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

/* ------------------------------------------------------------------------------------------------------------ events */

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

struct stint_trace_units stint_trace_choose_units(const struct stint_snapshot *snapshot, enum stint_trace trace,
                                                  enum stint_time_unit wanted, int always)
{
    uint64_t start_ns = 0, duration_ns = 0;
    const struct stint_gpu_event *event;
    for (size_t next = 0; (event = stint_trace_next(snapshot, trace, &next));) {
        uint64_t ns = stint_trace_duration_ns(event);
        start_ns = stint_trace_start_ns(snapshot, event); /* they are sorted */
        duration_ns = ns > duration_ns ? ns : duration_ns;
    }
    return (struct stint_trace_units){.start = stint_nvprof_column_unit(wanted, start_ns, always),
                                      .duration = stint_nvprof_column_unit(wanted, duration_ns, always)};
}

int stint_trace_has_peers(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_event_count; i++)
        if (snapshot->gpu_events[i].peer)
            return 1;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- parts */

int stint_trace_has_grid(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_KERNEL;
}

int stint_trace_has_size(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_COPY || event->kind == STINT_GPU_SET || event->kind == STINT_GPU_UNIFIED;
}

int stint_trace_is_fault(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_FAULT;
}

int stint_trace_has_stream(const struct stint_gpu_event *event)
{
    return !stint_trace_is_fault(event) && event->kind != STINT_GPU_UNIFIED;
}

const char *stint_trace_source(const struct stint_gpu_event *event)
{
    return stint_gpu_memory_name(event->kind == STINT_GPU_SET ? event->destination : event->source);
}

const char *stint_trace_destination(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_SET ? "" : stint_gpu_memory_name(event->destination);
}
