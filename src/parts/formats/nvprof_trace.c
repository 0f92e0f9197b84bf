/* nvprof --print-gpu-trace and --print-api-trace, alone and together, for people and as CSV. */
#include <string.h>

#include "formats/nvprof.h"
#include "stat/numbers.h"
#include "support/keyed_table.h"
#include "verdict/verdict.h"

/* ----------------------------------------------------------------------------------------------------------- events */

/* Which events a trace shows. */
enum shown { SHOWN_GPU, SHOWN_API, SHOWN_BOTH };

/* Waits and overheads occupy threads, not devices. */
static int is_shown(const struct stint_gpu_event *event, enum shown shown)
{
    if (event->api)
        return shown != SHOWN_GPU;
    if (shown == SHOWN_API)
        return 0;
    return stint_gpu_occupies(event->kind) || event->kind == STINT_GPU_SPAN || event->kind == STINT_GPU_FAULT;
}

/* Returns the event at *next, or the first one after it that the trace shows, and advances *next; NULL after the
 * last. */
static const struct stint_gpu_event *next_event(const struct stint_snapshot *snapshot, enum shown shown, size_t *next)
{
    while (*next < snapshot->gpu_event_count) {
        const struct stint_gpu_event *event = &snapshot->gpu_events[(*next)++];
        if (is_shown(event, shown))
            return event;
    }
    return NULL;
}

/* From the first event of the trace on, whatever its kind. */
static uint64_t start_ns_of(const struct stint_snapshot *snapshot, const struct stint_gpu_event *event)
{
    return event->start_ns - snapshot->gpu_events[0].start_ns;
}

static uint64_t duration_ns_of(const struct stint_gpu_event *event)
{
    return event->end_ns > event->start_ns ? event->end_ns - event->start_ns : 0;
}

/* ------------------------------------------------------------------------------------------------------------ lines */

/* Writes the lines above the trace. Returns whether it has an event. */
static int has_trace(struct stint_text *text, const struct stint_snapshot *snapshot, enum shown shown)
{
    size_t next = 0;
    stint_nvprof_head(text, snapshot);
    if (!snapshot->gpu_event_count) {
        stint_nvprof_warn(text, snapshot);
        stint_text_string(text, "No trace was kept. Set STINT_GPU_TRACE=100000 to keep the first 100000 events.\n");
        return 0;
    }
    stint_nvprof_put_clock(text, snapshot);
    stint_nvprof_result(text, snapshot);
    if (next_event(snapshot, shown, &next))
        return 1;
    if (shown != SHOWN_API)
        stint_text_string(text, "No kernels were profiled.\n");
    if (shown != SHOWN_GPU)
        stint_text_string(text, "No API activities were profiled.\n");
    return 0;
}

/* ---------------------------------------------------------------------------------------------------------- columns */

enum {
    START,
    DURATION,
    GRID,
    GRID_X,
    GRID_Z = GRID_X + 2,
    BLOCK,
    BLOCK_X,
    BLOCK_Z = BLOCK_X + 2,
    REGISTERS,
    STATIC_SHARED,
    DYNAMIC_SHARED,
    SIZE,
    RATE,
    SOURCE,
    DESTINATION,
    DEVICE,
    CONTEXT,
    STREAM,
    FROM_DEVICE, /* of copies between devices, as are the next three */
    FROM_CONTEXT,
    TO_DEVICE,
    TO_CONTEXT,
    OCCUPANCY, /* this and the next are not nvprof's, so that in CSV they come last */
    LIMIT,
    NAME,
    CORRELATION,
    CSV_OCCUPANCY,
    CSV_LIMIT,
    COLUMNS
};

_Static_assert((int)COLUMNS <= (int)STINT_SHEET_COLUMNS, "a sheet has room for the columns");

enum { CELL = 8, WIDE = 15, DIGITS = 5 };

static const struct stint_column s_columns[COLUMNS] = {
    [START] = {.key = "Start", .title = "Start", .least = CELL},
    [DURATION] = {.key = "Duration", .title = "Duration"},
    [GRID] = {.title = "Grid Size", .least = 19},
    [GRID_X] = {.key = "Grid X"},
    [GRID_X + 1] = {.key = "Grid Y"},
    [GRID_Z] = {.key = "Grid Z"},
    [BLOCK] = {.title = "Block Size", .least = 14},
    [BLOCK_X] = {.key = "Block X"},
    [BLOCK_X + 1] = {.key = "Block Y"},
    [BLOCK_Z] = {.key = "Block Z"},
    [REGISTERS] = {.key = "Registers Per Thread", .title = "Regs*", .least = CELL},
    [STATIC_SHARED] = {.key = "Static SMem", .title = "SSMem*", .least = CELL},
    [DYNAMIC_SHARED] = {.key = "Dynamic SMem", .title = "DSMem*", .least = CELL},
    [SIZE] = {.key = "Size", .title = "Size", .least = CELL},
    [RATE] = {.key = "Throughput", .title = "Throughput", .unit = STINT_COLUMN_RATE},
    [SOURCE] = {.key = "SrcMemType", .title = "SrcMemType"},
    [DESTINATION] = {.key = "DstMemType", .title = "DstMemType"},
    [DEVICE] = {.key = "Device", .title = "Device", .least = WIDE},
    [CONTEXT] = {.key = "Context", .title = "Context", .least = CELL},
    [STREAM] = {.key = "Stream", .title = "Stream", .least = CELL},
    [FROM_DEVICE] = {.key = "Src Dev", .title = "Src Dev", .least = WIDE},
    [FROM_CONTEXT] = {.key = "Src Ctx", .title = "Src Ctx", .least = CELL},
    [TO_DEVICE] = {.key = "Dst Dev", .title = "Dst Dev", .least = WIDE},
    [TO_CONTEXT] = {.key = "Dst Ctx", .title = "Dst Ctx", .least = CELL},
    [OCCUPANCY] = {.title = "Occupancy"},
    [LIMIT] = {.title = "Limited By"},
    [NAME] = {.key = "Name", .title = "Name", .unit = STINT_COLUMN_NAME},
    [CORRELATION] = {.key = "Correlation_ID"},
    [CSV_OCCUPANCY] = {.key = "Occupancy"},
    [CSV_LIMIT] = {.key = "Limited By"},
};

/* Returns a bit for each column from the first to the last. */
static unsigned columns_from(unsigned first, unsigned last)
{
    return (1U << (last + 1)) - (1U << first);
}

/* ------------------------------------------------------------------------------------------------------------ cells */

/* Page faults of the host have neither a duration nor a device. */
static int is_host_fault(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_FAULT && event->start_ns == event->end_ns;
}

static int has_grid(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_KERNEL;
}

static int has_size(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_COPY || event->kind == STINT_GPU_SET || event->kind == STINT_GPU_UNIFIED;
}

static int has_stream(const struct stint_gpu_event *event)
{
    return event->kind != STINT_GPU_FAULT && event->kind != STINT_GPU_UNIFIED;
}

static const char *source_of(const struct stint_gpu_event *event)
{
    return stint_gpu_memory_name(event->kind == STINT_GPU_SET ? event->destination : event->source);
}

static const char *destination_of(const struct stint_gpu_event *event)
{
    return event->kind == STINT_GPU_SET ? "" : stint_gpu_memory_name(event->destination);
}

/* Every process counts its correlation ids from the same number, so that the process is a part of the key. */
struct launched {
    int64_t pid;
    uint64_t correlation;
    const struct stint_gpu_event *kernel;
};

static const struct stint_table_key s_launched = STINT_TABLE_KEY(struct launched, pid, correlation);

/* What a trace is written with. */
struct trace {
    const struct stint_snapshot *snapshot;
    enum shown which;
    size_t end; /* one past the last event that is shown */
    struct stint_nvprof_unit units[COLUMNS];
    struct stint_arena arena;
    struct stint_table kernels;          /* struct launched: the first kernel of each launch */
    const struct stint_gpu_event *event; /* the current row */
    struct stint_line device;
    struct stint_line peer_device;
};

/* "(64 1 1)" */
static void put_dimensions(char *out, const uint32_t dimensions[3])
{
    for (size_t i = 0; i < 3; i++) {
        *out++ = i ? ' ' : '(';
        out += stint_number_u64(out, dimensions[i]);
    }
    memcpy(out, ")", 2);
}

/* In quotation marks in CSV, because it is a name, not a quantity. */
static void put_id(struct stint_sheet *sheet, size_t column, uint64_t id)
{
    char *text = stint_sheet_text(sheet, column);
    stint_number_u64(text, id);
    if (sheet->csv)
        stint_sheet_string(sheet, column, text);
}

static void put_word(struct stint_sheet *sheet, size_t column, const char *word)
{
    if (*word)
        stint_sheet_string(sheet, column, word);
}

static struct stint_occupancy occupancy_of(const struct stint_snapshot *snapshot, const struct stint_gpu_event *event)
{
    struct stint_kernel_launch launch;
    if (!has_grid(event) || stint_kernel_launch_of(&launch, snapshot, event))
        return (struct stint_occupancy){STINT_OCCUPANCY_UNKNOWN, 0, 0, 0};
    return stint_occupancy_of(&launch);
}

static void put_launch(struct trace *trace, struct stint_sheet *sheet)
{
    const struct stint_gpu_event *event = trace->event;
    if (!has_grid(event))
        return;
    put_dimensions(stint_sheet_text(sheet, GRID), event->grid);
    put_dimensions(stint_sheet_text(sheet, BLOCK), event->block);
    for (size_t i = 0; i < 3; i++) {
        stint_sheet_value(sheet, GRID_X + i, event->grid[i]);
        stint_sheet_value(sheet, BLOCK_X + i, event->block[i]);
    }
    stint_sheet_value(sheet, REGISTERS, event->registers);
    stint_nvprof_put_size(sheet, STATIC_SHARED, event->static_shared, DIGITS, &trace->units[STATIC_SHARED]);
    stint_nvprof_put_size(sheet, DYNAMIC_SHARED, event->dynamic_shared, DIGITS, &trace->units[DYNAMIC_SHARED]);
    struct stint_occupancy occupancy = occupancy_of(trace->snapshot, event);
    if (occupancy.limit == STINT_OCCUPANCY_UNKNOWN)
        return;
    stint_nvprof_put_share(sheet, sheet->csv ? CSV_OCCUPANCY : OCCUPANCY, occupancy.warps, occupancy.most);
    stint_sheet_string(sheet, sheet->csv ? CSV_LIMIT : LIMIT, stint_occupancy_word(occupancy.limit));
}

static double rate_of(const struct stint_gpu_event *event)
{
    uint64_t ns = duration_ns_of(event);
    return ns && has_size(event) ? (double)event->bytes / ((double)ns * 1e-9) : 0;
}

static void put_transfer(struct trace *trace, struct stint_sheet *sheet)
{
    const struct stint_gpu_event *event = trace->event;
    if (!has_size(event))
        return;
    stint_nvprof_put_size(sheet, SIZE, event->bytes, DIGITS, &trace->units[SIZE]);
    stint_nvprof_put_rate(sheet, RATE, event->bytes, duration_ns_of(event), &trace->units[RATE]);
    put_word(sheet, SOURCE, source_of(event));
    put_word(sheet, DESTINATION, destination_of(event));
}

static void put_place(struct trace *trace, struct stint_sheet *sheet)
{
    const struct stint_gpu_event *event = trace->event;
    if (!is_host_fault(event))
        stint_nvprof_put_device(sheet, DEVICE, trace->snapshot, event->device, &trace->device);
    if (has_stream(event)) {
        put_id(sheet, CONTEXT, event->device_context);
        put_id(sheet, STREAM, event->stream);
    }
    if (event->peer) {
        stint_nvprof_put_device(sheet, FROM_DEVICE, trace->snapshot, event->device, &trace->device);
        put_id(sheet, FROM_CONTEXT, event->device_context);
        stint_nvprof_put_device(sheet, TO_DEVICE, trace->snapshot, event->peer_device, &trace->peer_device);
        put_id(sheet, TO_CONTEXT, event->peer_context);
    }
}

/* Calls have only times and a name. */
static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct trace *trace = context;
    const struct stint_gpu_event *event =
        sheet->is_measuring || *next < trace->end ? next_event(trace->snapshot, trace->which, next) : NULL;
    if (!event)
        return 0;
    trace->event = event;
    for (size_t i = GRID; i < COLUMNS && event->api; i++)
        *stint_sheet_text(sheet, i) = '\0';
    stint_nvprof_put_time(sheet, START, start_ns_of(trace->snapshot, event), DIGITS, &trace->units[START]);
    if (event->api || !is_host_fault(event))
        stint_nvprof_put_time(sheet, DURATION, duration_ns_of(event), DIGITS, &trace->units[DURATION]);
    if (!event->api) {
        put_launch(trace, sheet);
        put_transfer(trace, sheet);
        put_place(trace, sheet);
    }
    put_word(sheet, NAME, event->name);
    if (event->correlation)
        stint_sheet_value(sheet, CORRELATION, event->correlation);
    return 1;
}

/* ------------------------------------------------------------------------------------------------------------ names */

static void put_correlation(struct stint_text *text, const struct stint_gpu_event *event)
{
    if (!event->correlation)
        return;
    stint_text_say(text, " [%ju]", event->correlation);
}

/* Without memory for them, launches are shown without their kernels. */
static void find_kernels(struct trace *trace)
{
    for (size_t i = 0; i < trace->snapshot->gpu_event_count; i++) {
        const struct stint_gpu_event *event = &trace->snapshot->gpu_events[i];
        if (!event->api && event->kind == STINT_GPU_KERNEL && event->correlation &&
            !stint_table_take(&trace->kernels, &s_launched, &trace->arena,
                              &(struct launched){event->pid, event->correlation, event}))
            return;
    }
}

/* "cudaLaunchKernel (scale(float*, int) [130])" */
static void put_call(struct stint_text *text, const struct stint_table *kernels, const struct stint_gpu_event *event)
{
    const struct launched *launched =
        stint_table_find(kernels, &s_launched, &(struct launched){event->pid, event->correlation, NULL});
    stint_nvprof_name(text, event->name);
    if (launched) {
        stint_text_string(text, " (");
        stint_nvprof_name(text, launched->kernel->name);
    }
    put_correlation(text, event);
    stint_text_string(text, launched ? ")" : "");
}

static void put_name(void *context, struct stint_text *text, size_t room)
{
    struct trace *trace = context;
    (void)room;
    if (trace->event->api) {
        put_call(text, &trace->kernels, trace->event);
        return;
    }
    stint_nvprof_name(text, trace->event->name);
    if (trace->event->kind == STINT_GPU_KERNEL)
        put_correlation(text, trace->event);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static void put_legend(struct stint_text *text, int has_occupancy)
{
    stint_text_string(
        text, "\nRegs: Number of registers used per CUDA thread. This number includes registers used internally "
              "by the CUDA driver and/or tools and can be more than what the compiler shows.\n"
              "SSMem: Static shared memory allocated per CUDA block.\n"
              "DSMem: Dynamic shared memory allocated per CUDA block.\n"
              "SrcMemType: The type of source memory accessed by memory operation/copy\n"
              "DstMemType: The type of destination memory accessed by memory operation/copy\n");
    if (has_occupancy)
        stint_text_string(text, "Occupancy: Warps that fit on a multiprocessor at a time, as a part of the most that "
                                "it can hold.\nLimited By: What prevents more.\n");
}

/* Whether it is known of any kernel. */
static int has_occupancies(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_event_count; i++)
        if (!snapshot->gpu_events[i].api && occupancy_of(snapshot, &snapshot->gpu_events[i]).limit)
            return 1;
    return 0;
}

/* Whether any copy was between two devices: then there are four more columns. */
static int has_peers(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < snapshot->gpu_event_count; i++)
        if (snapshot->gpu_events[i].peer)
            return 1;
    return 0;
}

/* Finds the end of the events that are shown. Returns number and time of the others, and the time of all. */
static struct stint_rest find_end(struct trace *trace, unsigned top)
{
    struct stint_rest rest = {0};
    const struct stint_gpu_event *event;
    size_t rows = 0;
    for (size_t next = 0; (event = next_event(trace->snapshot, trace->which, &next)); rows++) {
        uint64_t ns = duration_ns_of(event);
        stint_sum_up(&rest.whole, ns);
        if (stint_is_within(rows, top)) {
            trace->end = next;
            continue;
        }
        rest.rows++;
        stint_sum_up(&rest.part, ns);
    }
    return rest;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* In tables, sizes have units of their own. */
static void choose_units(struct trace *trace, enum stint_time_unit wanted, int csv)
{
    double greatest[COLUMNS] = {0};
    uint64_t start_ns = 0, duration_ns = 0;
    const struct stint_gpu_event *event;
    for (size_t next = 0; (event = next_event(trace->snapshot, trace->which, &next));) {
        uint64_t ns = duration_ns_of(event);
        start_ns = start_ns_of(trace->snapshot, event); /* events are sorted by start */
        duration_ns = ns > duration_ns ? ns : duration_ns;
        greatest[STATIC_SHARED] = greater(greatest[STATIC_SHARED], event->static_shared);
        greatest[DYNAMIC_SHARED] = greater(greatest[DYNAMIC_SHARED], event->dynamic_shared);
        greatest[SIZE] = greater(greatest[SIZE], has_size(event) ? (double)event->bytes : 0);
        greatest[RATE] = greater(greatest[RATE], rate_of(event));
    }
    trace->units[START] = stint_nvprof_column_unit(wanted, start_ns, csv);
    trace->units[DURATION] = stint_nvprof_column_unit(wanted, duration_ns, csv);
    trace->units[CSV_OCCUPANCY].name = "%";
    for (size_t i = STATIC_SHARED; i <= RATE; i++)
        trace->units[i] = stint_nvprof_size_unit(greatest[i]);
}

static void put_trace(struct stint_text *text, const struct stint_snapshot *snapshot, enum shown which,
                      const struct stint_layout *layout, int csv)
{
    struct trace trace = {.snapshot = snapshot, .which = which};
    struct stint_sheet sheet = {
        .columns = s_columns, .count = COLUMNS, .next = next_row, .context = &trace, .put_name = put_name};
    if (!has_trace(text, snapshot, which))
        return;
    int has_occupancy = which != SHOWN_API && has_occupancies(snapshot);
    if (which == SHOWN_API)
        sheet.hidden = columns_from(GRID, TO_CONTEXT);
    else if (!has_peers(snapshot))
        sheet.hidden = columns_from(FROM_DEVICE, TO_CONTEXT);
    if (!has_occupancy)
        sheet.hidden |= columns_from(OCCUPANCY, LIMIT) | columns_from(CSV_OCCUPANCY, CSV_LIMIT);
    choose_units(&trace, layout->unit, csv);
    if (which != SHOWN_GPU && !csv)
        find_kernels(&trace);
    struct stint_rest rest = find_end(&trace, csv ? 0 : layout->top);
    stint_nvprof_put_sheet(&sheet, text, csv, trace.units);
    stint_rest_put(&rest, "the time", text, layout);
    if (which != SHOWN_API && !csv)
        put_legend(text, has_occupancy);
    stint_arena_free(&trace.arena);
}

void stint_report_gpu_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, int csv)
{
    put_trace(text, snapshot, SHOWN_GPU, layout, csv);
}

void stint_report_api_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout, int csv)
{
    put_trace(text, snapshot, SHOWN_API, layout, csv);
}

void stint_report_gpu_api_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout, int csv)
{
    put_trace(text, snapshot, SHOWN_BOTH, layout, csv);
}
