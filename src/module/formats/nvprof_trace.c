/* nvprof --print-gpu-trace and --print-api-trace, alone and together. */
#include <string.h>

#include "base/index.h"
#include "formats/formats.h"
#include "formats/nvprof_trace.h"
#include "report/grid.h"

enum { CELL = 8, DEVICE = 15, DIGITS = 5 };

/* --------------------------------------------------------------------------------------------------------------- GPU */

/* "(64 1 1)" */
static void put_dimensions(struct stint_cells *cells, const uint32_t dimensions[3])
{
    char *cell = stint_cells_next(cells);
    size_t length = 0;
    for (size_t i = 0; i < 3; i++) {
        cell[length++] = i ? ' ' : '(';
        length += stint_number_u64(cell + length, dimensions[i]);
    }
    memcpy(cell + length, ")", 2);
}

static void put_none(struct stint_cells *cells, size_t times)
{
    for (; times; times--)
        stint_cells_string(cells, "-");
}

static void put_launch(struct stint_cells *cells, const struct stint_gpu_event *event)
{
    if (!stint_trace_has_grid(event)) {
        put_none(cells, 5);
        return;
    }
    put_dimensions(cells, event->grid);
    put_dimensions(cells, event->block);
    stint_cells_u64(cells, event->registers);
    stint_nvprof_size(stint_cells_next(cells), event->static_shared, DIGITS);
    stint_nvprof_size(stint_cells_next(cells), event->dynamic_shared, DIGITS);
}

static void put_transfer(struct stint_cells *cells, const struct stint_gpu_event *event)
{
    const char *source = stint_trace_source(event), *destination = stint_trace_destination(event);
    if (!stint_trace_has_size(event)) {
        put_none(cells, 4);
        return;
    }
    stint_nvprof_size(stint_cells_next(cells), event->bytes, DIGITS);
    stint_nvprof_rate(stint_cells_next(cells), event->bytes, stint_trace_duration_ns(event));
    stint_cells_string(cells, *source ? source : "-");
    stint_cells_string(cells, *destination ? destination : "-");
}

static void put_device(struct stint_cells *cells, const struct stint_snapshot *snapshot, uint32_t id)
{
    struct stint_gpu_device device = stint_gpu_device_of(snapshot, id);
    stint_nvprof_device(stint_cells_next(cells), &device, DEVICE);
}

static void put_place(struct stint_cells *cells, const struct stint_snapshot *snapshot,
                      const struct stint_gpu_event *event)
{
    if (stint_trace_is_fault(event))
        put_none(cells, 1);
    else
        put_device(cells, snapshot, event->device);
    if (!stint_trace_has_stream(event)) {
        put_none(cells, 2);
        return;
    }
    stint_cells_u64(cells, event->device_context);
    stint_cells_u64(cells, event->stream);
}

static void put_peers(struct stint_cells *cells, const struct stint_snapshot *snapshot,
                      const struct stint_gpu_event *event)
{
    if (!event->peer) {
        put_none(cells, 4);
        return;
    }
    put_device(cells, snapshot, event->device);
    stint_cells_u64(cells, event->device_context);
    put_device(cells, snapshot, event->peer_device);
    stint_cells_u64(cells, event->peer_context);
}

/* The first kernel of each launch. Without memory for it, launches do not say what they launched. */
struct kernels {
    const struct stint_gpu_event *events;
    struct stint_arena arena;
    struct stint_index index;
};

/* What a trace is written with. */
struct sheet {
    const struct stint_snapshot *snapshot;
    enum stint_trace trace;
    struct stint_trace_units units;
    int peers;
    struct kernels kernels;
    struct stint_grid grid;
};

static void fill_times(struct stint_cells *cells, const struct sheet *sheet, const struct stint_gpu_event *event)
{
    cells->count = 0;
    stint_nvprof_time_in(stint_cells_next(cells), stint_trace_start_ns(sheet->snapshot, event), DIGITS,
                         &sheet->units.start);
    if (!event->api && stint_trace_is_fault(event))
        put_none(cells, 1);
    else
        stint_nvprof_time_in(stint_cells_next(cells), stint_trace_duration_ns(event), DIGITS, &sheet->units.duration);
}

/* Of a call there are times alone. */
static void fill_cells(struct stint_cells *cells, const struct sheet *sheet, const struct stint_gpu_event *event)
{
    fill_times(cells, sheet, event);
    if (event->api) {
        while (cells->count < sheet->grid.count)
            stint_cells_string(cells, "");
        return;
    }
    put_launch(cells, event);
    put_transfer(cells, event);
    put_place(cells, sheet->snapshot, event);
    if (sheet->peers)
        put_peers(cells, sheet->snapshot, event);
}

static void begin_grid(struct stint_grid *grid, enum stint_trace trace, int peers)
{
    static const struct {
        const char *title;
        size_t width;
    } columns[] = {
        {"Start", CELL},   {"Duration", CELL},  {"Grid Size", 19}, {"Block Size", 14}, {"Regs*", CELL},
        {"SSMem*", CELL},  {"DSMem*", CELL},    {"Size", CELL},    {"Throughput", 0},  {"SrcMemType", 0},
        {"DstMemType", 0}, {"Device", DEVICE},  {"Context", CELL}, {"Stream", CELL},   {"Src Dev", DEVICE},
        {"Src Ctx", CELL}, {"Dst Dev", DEVICE}, {"Dst Ctx", CELL},
    };
    size_t count = trace == STINT_TRACE_API ? 2 : sizeof columns / sizeof columns[0] - (peers ? 0 : 4);
    for (size_t i = 0; i < count; i++)
        stint_grid_column(grid, columns[i].title, "", columns[i].width);
}

/* ------------------------------------------------------------------------------------------------------------ names */

static void put_correlation(struct stint_text *text, const struct stint_gpu_event *event)
{
    if (!event->correlation)
        return;
    stint_text_string(text, " [");
    stint_text_u64(text, event->correlation);
    stint_text_string(text, "]");
}

static uint64_t hash_of(uint64_t correlation)
{
    return stint_hash(&correlation, sizeof correlation, 0);
}

static int is_of(const void *events, size_t position, const void *correlation)
{
    return ((const struct stint_gpu_event *)events)[position].correlation == *(const uint64_t *)correlation;
}

static const struct stint_gpu_event *kernel_of(const struct kernels *kernels, uint64_t correlation)
{
    size_t position = stint_index_find(&kernels->index, hash_of(correlation), is_of, kernels->events, &correlation);
    return position == STINT_INDEX_NONE ? NULL : &kernels->events[position];
}

static void find_kernels(struct kernels *kernels, const struct stint_snapshot *snapshot)
{
    *kernels = (struct kernels){.events = snapshot->gpu_events};
    for (size_t i = 0; i < snapshot->gpu_event_count; i++) {
        const struct stint_gpu_event *event = &snapshot->gpu_events[i];
        if (event->api || event->kind != STINT_GPU_KERNEL || !event->correlation ||
            kernel_of(kernels, event->correlation))
            continue;
        if (stint_index_add(&kernels->index, &kernels->arena, hash_of(event->correlation), i))
            return;
    }
}

/* "cudaLaunchKernel (scale(float*, int) [130])" */
static void put_call(struct stint_text *text, const struct kernels *kernels, const struct stint_gpu_event *event)
{
    const struct stint_gpu_event *kernel = event->correlation ? kernel_of(kernels, event->correlation) : NULL;
    stint_nvprof_name(text, event->name);
    if (kernel) {
        stint_text_string(text, " (");
        stint_nvprof_name(text, kernel->name);
    }
    put_correlation(text, event);
    stint_text_string(text, kernel ? ")\n" : "\n");
}

static void put_name(struct stint_text *text, const struct sheet *sheet, const struct stint_gpu_event *event)
{
    if (event->api) {
        put_call(text, &sheet->kernels, event);
        return;
    }
    stint_nvprof_name(text, event->name);
    if (event->kind == STINT_GPU_KERNEL)
        put_correlation(text, event);
    stint_text_string(text, "\n");
}

/* ------------------------------------------------------------------------------------------------------------ whole */

static void put_legend(struct stint_text *text)
{
    stint_text_string(
        text, "\nRegs: Number of registers used per CUDA thread. This number includes registers used internally "
              "by the CUDA driver and/or tools and can be more than what the compiler shows.\n"
              "SSMem: Static shared memory allocated per CUDA block.\n"
              "DSMem: Dynamic shared memory allocated per CUDA block.\n"
              "SrcMemType: The type of source memory accessed by memory operation/copy\n"
              "DstMemType: The type of destination memory accessed by memory operation/copy\n");
}

/* Returns the rows beyond those that are shown, of which durations add up to the whole. */
static struct stint_rest rest_of(const struct stint_snapshot *snapshot, enum stint_trace trace, unsigned top)
{
    struct stint_rest rest = {0};
    const struct stint_gpu_event *event;
    size_t rows = 0;
    for (size_t next = 0; (event = stint_trace_next(snapshot, trace, &next)); rows++) {
        uint64_t ns = stint_trace_duration_ns(event);
        rest.whole += ns;
        if (stint_is_within(rows, top))
            continue;
        rest.rows++;
        rest.part += ns;
    }
    return rest;
}

static void measure(struct sheet *sheet)
{
    const struct stint_gpu_event *event;
    struct stint_cells cells;
    begin_grid(&sheet->grid, sheet->trace, sheet->peers);
    for (size_t next = 0; (event = stint_trace_next(sheet->snapshot, sheet->trace, &next));) {
        fill_cells(&cells, sheet, event);
        stint_grid_measure(&sheet->grid, &cells);
    }
}

static void put_rows(struct stint_text *text, const struct sheet *sheet, unsigned top)
{
    const struct stint_gpu_event *event;
    struct stint_cells cells;
    size_t rows = 0;
    stint_grid_header(&sheet->grid, text, "Name\n");
    for (size_t next = 0;
         stint_is_within(rows, top) && (event = stint_trace_next(sheet->snapshot, sheet->trace, &next)); rows++) {
        fill_cells(&cells, sheet, event);
        stint_grid_row(&sheet->grid, text, &cells);
        put_name(text, sheet, event);
    }
}

static void put_trace(struct stint_text *text, const struct stint_snapshot *snapshot, enum stint_trace trace,
                      const struct stint_layout *layout)
{
    struct sheet sheet = {.snapshot = snapshot,
                          .trace = trace,
                          .units = stint_trace_choose_units(snapshot, trace, layout->unit, 0),
                          .peers = stint_trace_has_peers(snapshot)};
    const struct stint_rest rest = rest_of(snapshot, trace, layout->top);
    if (!stint_trace_head(text, snapshot, trace))
        return;
    if (trace != STINT_TRACE_GPU)
        find_kernels(&sheet.kernels, snapshot);
    measure(&sheet);
    put_rows(text, &sheet, layout->top);
    stint_rest_put(&rest, "the time", text, layout);
    if (trace != STINT_TRACE_API)
        put_legend(text);
    stint_arena_free(&sheet.kernels.arena);
}

void stint_report_gpu_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout)
{
    put_trace(text, snapshot, STINT_TRACE_GPU, layout);
}

void stint_report_api_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                            const struct stint_layout *layout)
{
    put_trace(text, snapshot, STINT_TRACE_API, layout);
}

void stint_report_gpu_api_trace(struct stint_text *text, const struct stint_snapshot *snapshot,
                                const struct stint_layout *layout)
{
    put_trace(text, snapshot, STINT_TRACE_BOTH, layout);
}
