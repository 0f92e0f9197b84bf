/* nvprof --csv --print-gpu-trace and --print-api-trace. What an event does not have is empty. */
#include "formats/formats.h"
#include "formats/nvprof_trace.h"

/* ------------------------------------------------------------------------------------------------- GPU, or GPU and API */

enum unit { START, DURATION, STATIC_SHARED, DYNAMIC_SHARED, SIZE, RATE, UNITS };

static double rate_of(const struct stint_gpu_event *event)
{
    uint64_t ns = stint_trace_duration_ns(event);
    return ns && stint_trace_has_size(event) ? (double)event->bytes / ((double)ns * 1e-9) : 0;
}

static double longer(double a, double b)
{
    return a > b ? a : b;
}

static void choose_units(const struct stint_snapshot *snapshot, enum stint_trace trace, enum stint_time_unit wanted,
                         struct stint_nvprof_unit units[UNITS])
{
    struct stint_trace_units times = stint_trace_choose_units(snapshot, trace, wanted, 1);
    double greatest[UNITS] = {0};
    const struct stint_gpu_event *event;
    for (size_t next = 0; (event = stint_trace_next(snapshot, trace, &next));) {
        greatest[STATIC_SHARED] = longer(greatest[STATIC_SHARED], event->static_shared);
        greatest[DYNAMIC_SHARED] = longer(greatest[DYNAMIC_SHARED], event->dynamic_shared);
        if (stint_trace_has_size(event))
            greatest[SIZE] = longer(greatest[SIZE], (double)event->bytes);
        greatest[RATE] = longer(greatest[RATE], rate_of(event));
    }
    units[START] = times.start;
    units[DURATION] = times.duration;
    for (enum unit i = STATIC_SHARED; i < UNITS; i++)
        units[i] = stint_nvprof_size_unit(greatest[i]);
}

static void put_u64(struct stint_text *text, uint64_t value)
{
    stint_text_string(text, ",");
    stint_text_u64(text, value);
}

static void put_quoted(struct stint_text *text, const char *string)
{
    stint_text_string(text, ",");
    if (*string)
        stint_nvprof_quoted(text, string);
}

static void put_quoted_u64(struct stint_text *text, uint64_t value)
{
    char number[STINT_NUMBER_SIZE];
    stint_number_u64(number, value);
    put_quoted(text, number);
}

static void put_device(struct stint_text *text, const struct stint_snapshot *snapshot, uint32_t id)
{
    struct stint_gpu_device device = stint_gpu_device_of(snapshot, id);
    stint_text_string(text, ",");
    stint_nvprof_quoted_device(text, &device);
}

static void put_times(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_gpu_event *event, const struct stint_nvprof_unit units[UNITS])
{
    stint_nvprof_value(text, (double)stint_trace_start_ns(snapshot, event), units[START]);
    if (!event->api && stint_trace_is_fault(event))
        stint_text_string(text, ",");
    else
        stint_nvprof_number(text, (double)stint_trace_duration_ns(event), units[DURATION]);
}

static void put_launch(struct stint_text *text, const struct stint_gpu_event *event,
                       const struct stint_nvprof_unit units[UNITS])
{
    if (!stint_trace_has_grid(event)) {
        stint_text_fill(text, ',', 9);
        return;
    }
    for (size_t i = 0; i < 3; i++)
        put_u64(text, event->grid[i]);
    for (size_t i = 0; i < 3; i++)
        put_u64(text, event->block[i]);
    put_u64(text, event->registers);
    stint_nvprof_number(text, event->static_shared, units[STATIC_SHARED]);
    stint_nvprof_number(text, event->dynamic_shared, units[DYNAMIC_SHARED]);
}

static void put_transfer(struct stint_text *text, const struct stint_gpu_event *event,
                         const struct stint_nvprof_unit units[UNITS])
{
    if (!stint_trace_has_size(event)) {
        stint_text_fill(text, ',', 4);
        return;
    }
    stint_nvprof_number(text, (double)event->bytes, units[SIZE]);
    if (stint_trace_duration_ns(event))
        stint_nvprof_number(text, rate_of(event), units[RATE]);
    else
        stint_text_string(text, ",");
    put_quoted(text, stint_trace_source(event));
    put_quoted(text, stint_trace_destination(event));
}

static void put_place(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_gpu_event *event, int peers)
{
    if (stint_trace_is_fault(event))
        stint_text_string(text, ",");
    else
        put_device(text, snapshot, event->device);
    if (stint_trace_has_stream(event)) {
        put_quoted_u64(text, event->device_context);
        put_quoted_u64(text, event->stream);
    } else {
        stint_text_fill(text, ',', 2);
    }
    if (peers && event->peer) {
        put_device(text, snapshot, event->device);
        put_quoted_u64(text, event->device_context);
        put_device(text, snapshot, event->peer_device);
        put_quoted_u64(text, event->peer_context);
    } else if (peers) {
        stint_text_fill(text, ',', 4);
    }
}

static void put_name(struct stint_text *text, const struct stint_gpu_event *event)
{
    put_quoted(text, event->name);
    stint_text_string(text, ",");
    if (event->correlation)
        stint_text_u64(text, event->correlation);
    stint_text_string(text, "\n");
}

static void put_header(struct stint_text *text, const struct stint_nvprof_unit units[UNITS], int peers)
{
    stint_text_string(text,
                      "\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\",\"Block Z\","
                      "\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\",\"Throughput\","
                      "\"SrcMemType\",\"DstMemType\",\"Device\",\"Context\",\"Stream\",");
    stint_text_string(text, peers ? "\"Src Dev\",\"Src Ctx\",\"Dst Dev\",\"Dst Ctx\"," : "");
    stint_text_string(text, "\"Name\",\"Correlation_ID\"\n");
    for (enum unit i = START; i < UNITS; i++) {
        stint_text_string(text, units[i].name);
        stint_text_fill(text, ',', i == DURATION ? 8 : i < RATE ? 1 : 0);
    }
    stint_text_string(text, "/s,,,,,,,");
    stint_text_string(text, peers ? ",,,,\n" : "\n");
}

/* Of a call there are times and the name alone. */
static void put_event(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_gpu_event *event, const struct stint_nvprof_unit units[UNITS], int peers)
{
    put_times(text, snapshot, event, units);
    if (event->api) {
        stint_text_fill(text, ',', peers ? 20 : 16);
    } else {
        put_launch(text, event, units);
        put_transfer(text, event, units);
        put_place(text, snapshot, event, peers);
    }
    put_name(text, event);
}

static void put_trace(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_trace trace,
                      const struct stint_layout *layout)
{
    int peers = stint_trace_has_peers(snapshot);
    const struct stint_gpu_event *event;
    struct stint_nvprof_unit units[UNITS];
    if (!stint_trace_head(text, snapshot, trace))
        return;
    choose_units(snapshot, trace, layout->unit, units);
    put_header(text, units, peers);
    for (size_t next = 0; (event = stint_trace_next(snapshot, trace, &next));)
        put_event(text, snapshot, event, units, peers);
}

void stint_report_gpu_trace_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout)
{
    put_trace(text, snapshot, STINT_TRACE_GPU, layout);
}

void stint_report_gpu_api_trace_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                    const struct stint_layout *layout)
{
    put_trace(text, snapshot, STINT_TRACE_BOTH, layout);
}

/* --------------------------------------------------------------------------------------------------------------- API */

void stint_report_api_trace_csv(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout)
{
    const struct stint_gpu_event *event;
    struct stint_nvprof_unit units[UNITS];
    if (!stint_trace_head(text, snapshot, STINT_TRACE_API))
        return;
    choose_units(snapshot, STINT_TRACE_API, layout->unit, units);
    stint_text_string(text, "\"Start\",\"Duration\",\"Name\",\"Correlation_ID\"\n");
    stint_text_string(text, units[START].name);
    stint_text_string(text, ",");
    stint_text_string(text, units[DURATION].name);
    stint_text_string(text, ",,\n");
    for (size_t next = 0; (event = stint_trace_next(snapshot, STINT_TRACE_API, &next));) {
        put_times(text, snapshot, event, units);
        put_name(text, event);
    }
}
