/* Traces: a row for each event, in the layout of nsys stats. */
#include <string.h>

#include "formats/nsys.h"
#include "formats/nvprof_trace.h"
#include "report/gpu_sum.h"
#include "report/row_order.h"
#include "report/units.h"
#include "stat/gpu_words.h"

/* ----------------------------------------------------------------------------------------------------------- lists */

struct view {
    const struct stint_nsys *nsys;
    const struct stint_nsys_list *list;
    size_t shown;
    int csv;
    enum stint_time_unit unit;
};

static const void *row_at(const struct view *view, size_t position)
{
    return (const char *)view->nsys->list.items + position * view->list->row_size;
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct view *view = context;
    if (*next == view->shown)
        return 0;
    view->list->fill(view->nsys, row_at(view, (*next)++), view->csv, view->unit, sheet);
    return 1;
}

void stint_nsys_put_list(const struct stint_nsys_list *list, struct stint_nsys *nsys, int csv, struct stint_text *text,
                         const struct stint_layout *layout)
{
    enum { NAME_LEAST = 24 };
    size_t count = nsys->list.count;
    struct view view = {.nsys = nsys,
                        .list = list,
                        .shown = csv || stint_is_within(count, layout->top) ? count : layout->top,
                        .csv = csv,
                        .unit = stint_unit_wanted(layout->unit, STINT_UNIT_NS)};
    struct stint_layout in_unit = *layout;
    in_unit.unit = view.unit;
    struct stint_sheet sheet = {.columns = list->columns,
                                .count = list->count,
                                .next = next_row,
                                .context = &view,
                                .name_least = NAME_LEAST,
                                .ruled = 1};
    if (csv) {
        stint_sheet_put_csv(&sheet, text, &in_unit);
        return;
    }
    stint_sheet_fit(&sheet, &in_unit);
    stint_sheet_put(&sheet, text);
    struct stint_rest rest = {.rows = count - view.shown};
    for (size_t i = 0; i < count; i++) {
        uint64_t ns = list->time_of(row_at(&view, i));
        rest.whole += ns;
        rest.part += i < view.shown ? 0 : ns;
    }
    stint_rest_put(&rest, "the time", text, layout);
}

static int is_of(const struct stint_gpu_event *call, const struct stint_thread *thread)
{
    return thread->tid == call->tid && (!call->pid || thread->pid == call->pid);
}

const struct stint_thread *stint_nsys_thread_of(const struct stint_nsys *nsys, const struct stint_gpu_event *call,
                                                const struct stint_thread *like)
{
    if (like && is_of(call, like))
        return like;
    for (size_t i = 0; call->tid && i < nsys->snapshot->thread_count; i++)
        if (is_of(call, &nsys->snapshot->threads[i]))
            return &nsys->snapshot->threads[i];
    return NULL;
}

int64_t stint_nsys_pid_of(const struct stint_nsys *nsys, const struct stint_gpu_event *call,
                          const struct stint_thread *thread)
{
    if (call->pid)
        return call->pid;
    return thread ? thread->pid : nsys->snapshot->process.pid;
}

static void add(struct stint_nsys *nsys, const struct stint_nsys_event *event)
{
    struct stint_nsys_event *row = stint_array_add(&nsys->list, &nsys->arena, sizeof *row);
    nsys->failed |= !row;
    if (row)
        *row = *event;
}

static uint64_t event_ns(const void *row)
{
    return stint_trace_duration_ns(((const struct stint_nsys_event *)row)->event);
}

/* ------------------------------------------------------------------------------------------------------------- GPU */

enum gpu_column {
    GPU_START,
    GPU_DURATION,
    GPU_CORRELATION,
    GPU_GRID,
    GPU_BLOCK = GPU_GRID + 3,
    GPU_REGISTERS = GPU_BLOCK + 3,
    GPU_STATIC,
    GPU_DYNAMIC,
    GPU_BYTES,
    GPU_RATE,
    GPU_SOURCE,
    GPU_DESTINATION,
    GPU_DEVICE,
    GPU_CONTEXT,
    GPU_GREEN,
    GPU_STREAM,
    GPU_NAME,
    GPU_COLUMNS
};

#define COLUMN(name) .key = name, .title = name

static const struct stint_column s_gpu_columns[GPU_COLUMNS] = {
    [GPU_START] = {COLUMN("Start"), .unit = STINT_COLUMN_TIME},
    [GPU_DURATION] = {COLUMN("Duration"), .unit = STINT_COLUMN_TIME},
    [GPU_CORRELATION] = {COLUMN("CorrId"), .hide = 5},
    [GPU_GRID] = {COLUMN("GrdX"), .hide = 14},
    [GPU_GRID + 1] = {COLUMN("GrdY"), .hide = 13},
    [GPU_GRID + 2] = {COLUMN("GrdZ"), .hide = 12},
    [GPU_BLOCK] = {COLUMN("BlkX"), .hide = 11},
    [GPU_BLOCK + 1] = {COLUMN("BlkY"), .hide = 10},
    [GPU_BLOCK + 2] = {COLUMN("BlkZ"), .hide = 9},
    [GPU_REGISTERS] = {COLUMN("Reg/Trd"), .hide = 8},
    [GPU_STATIC] = {COLUMN("StcSMem (MB)"), .hide = 6},
    [GPU_DYNAMIC] = {COLUMN("DymSMem (MB)"), .hide = 7},
    [GPU_BYTES] = {COLUMN("Bytes (MB)"), .hide = 18},
    [GPU_RATE] = {COLUMN("Throughput (MB/s)"), .hide = 17},
    [GPU_SOURCE] = {COLUMN("SrcMemKd"), .left = 1, .hide = 3},
    [GPU_DESTINATION] = {COLUMN("DstMemKd"), .left = 1, .hide = 4},
    [GPU_DEVICE] = {COLUMN("Device"), .left = 1, .hide = 15},
    [GPU_CONTEXT] = {COLUMN("Ctx"), .hide = 2},
    [GPU_GREEN] = {COLUMN("GreenCtx"), .hide = 1},
    [GPU_STREAM] = {COLUMN("Strm"), .hide = 16},
    [GPU_NAME] = {COLUMN("Name"), .unit = STINT_COLUMN_NAME, .left = 1},
};

/* "NVIDIA H200 (0)" */
static const char *device_name(struct stint_nsys *nsys, uint32_t id)
{
    char number[STINT_NUMBER_SIZE];
    const char *name = "";
    for (size_t i = 0; i < nsys->snapshot->gpu_device_count; i++)
        if (nsys->snapshot->gpu_devices[i].id == id)
            name = nsys->snapshot->gpu_devices[i].name;
    stint_number_u64(number, id);
    return stint_nsys_join(nsys, (const char *const[]){name, *name ? " (" : "(", number, ")"}, 4);
}

static void put_event(const struct stint_gpu_event *event, int csv, enum stint_time_unit unit,
                      struct stint_sheet *sheet)
{
    stint_nsys_put_ns(stint_sheet_text(sheet, 0), event->start_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, 1), stint_trace_duration_ns(event), csv, unit);
}

static void put_kernel(const struct stint_gpu_event *event, int csv, struct stint_sheet *sheet)
{
    for (size_t i = 0; i < 3; i++) {
        stint_number_u64(stint_sheet_text(sheet, GPU_GRID + i), event->grid[i]);
        stint_number_u64(stint_sheet_text(sheet, GPU_BLOCK + i), event->block[i]);
    }
    stint_number_u64(stint_sheet_text(sheet, GPU_REGISTERS), event->registers);
    stint_nsys_put_fixed(stint_sheet_text(sheet, GPU_STATIC), event->static_shared * 1e-6, 3, csv);
    stint_nsys_put_fixed(stint_sheet_text(sheet, GPU_DYNAMIC), event->dynamic_shared * 1e-6, 3, csv);
}

static void put_memory(enum stint_gpu_memory_kind kind, enum gpu_column column, struct stint_sheet *sheet)
{
    const char *name = stint_gpu_memory_name(kind);
    if (*name)
        stint_sheet_string(sheet, column, name);
}

static void put_transfer(const struct stint_gpu_event *event, int csv, struct stint_sheet *sheet)
{
    uint64_t ns = stint_trace_duration_ns(event);
    int is_set = event->kind == STINT_GPU_SET;
    stint_nsys_put_fixed(stint_sheet_text(sheet, GPU_BYTES), (double)event->bytes * 1e-6, 3, csv);
    if (ns)
        stint_nsys_put_fixed(stint_sheet_text(sheet, GPU_RATE), (double)event->bytes * 1e3 / (double)ns, 3, csv);
    put_memory(is_set ? event->destination : event->source, GPU_SOURCE, sheet);
    if (!is_set)
        put_memory(event->destination, GPU_DESTINATION, sheet);
}

static void fill_gpu(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                     struct stint_sheet *sheet)
{
    const struct stint_nsys_event *of = row;
    (void)nsys;
    put_event(of->event, csv, unit, sheet);
    if (of->event->correlation)
        stint_number_u64(stint_sheet_text(sheet, GPU_CORRELATION), of->event->correlation);
    if (of->event->kind == STINT_GPU_KERNEL)
        put_kernel(of->event, csv, sheet);
    else
        put_transfer(of->event, csv, sheet);
    stint_sheet_string(sheet, GPU_DEVICE, of->device);
    stint_number_u64(stint_sheet_text(sheet, GPU_CONTEXT), of->event->device_context);
    stint_number_u64(stint_sheet_text(sheet, GPU_STREAM), of->event->stream);
    stint_sheet_string(sheet, GPU_NAME, of->name);
}

const struct stint_nsys_list stint_nsys_gpu_trace = {.columns = s_gpu_columns,
                                                     .count = GPU_COLUMNS,
                                                     .row_size = sizeof(struct stint_nsys_event),
                                                     .fill = fill_gpu,
                                                     .time_of = event_ns};

/* Texts are made once for each device and direction. */
void stint_nsys_collect_gpu_trace(struct stint_nsys *nsys)
{
    const char *names[2][STINT_GPU_DIRECTIONS] = {{NULL}};
    struct stint_nsys_event row = {0};
    for (size_t i = 0; i < nsys->snapshot->gpu_event_count && !nsys->failed; i++) {
        const struct stint_gpu_event *event = &nsys->snapshot->gpu_events[i];
        if (event->api || !stint_gpu_occupies(event->kind))
            continue;
        if (!row.event || row.event->device != event->device)
            row.device = device_name(nsys, event->device);
        row.event = event;
        row.name = event->name;
        if (event->direction) {
            const char **name = &names[event->kind == STINT_GPU_UNIFIED][event->direction];
            if (!*name)
                *name = stint_nsys_operation(nsys, event->kind, event->direction, event->name);
            row.name = *name;
        }
        add(nsys, &row);
    }
}

/* ------------------------------------------------------------------------------------------------------------- API */

enum api_column {
    API_START,
    API_DURATION,
    API_NAME,
    API_RESULT,
    API_CORRELATION,
    API_PID,
    API_TID,
    API_PRIORITY,
    API_THREAD,
    API_COLUMNS
};

/* What calls returned and the priorities of threads are not recorded. */
static const struct stint_column s_api_columns[API_COLUMNS] = {
    [API_START] = {COLUMN("Start"), .unit = STINT_COLUMN_TIME},
    [API_DURATION] = {COLUMN("Duration"), .unit = STINT_COLUMN_TIME},
    [API_NAME] = {COLUMN("Name"), .unit = STINT_COLUMN_NAME, .left = 1},
    [API_RESULT] = {COLUMN("Result"), .hide = 1},
    [API_CORRELATION] = {COLUMN("CorrID"), .hide = 3},
    [API_PID] = {COLUMN("Pid"), .hide = 4},
    [API_TID] = {COLUMN("Tid"), .hide = 6},
    [API_PRIORITY] = {COLUMN("T-Pri"), .hide = 2},
    [API_THREAD] = {COLUMN("Thread Name"), .left = 1, .hide = 5},
};

static void fill_api(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                     struct stint_sheet *sheet)
{
    const struct stint_nsys_event *of = row;
    int64_t pid = stint_nsys_pid_of(nsys, of->event, of->thread);
    put_event(of->event, csv, unit, sheet);
    stint_sheet_string(sheet, API_NAME, of->event->name);
    if (of->event->correlation)
        stint_number_u64(stint_sheet_text(sheet, API_CORRELATION), of->event->correlation);
    if (pid)
        stint_number_i64(stint_sheet_text(sheet, API_PID), pid);
    if (of->event->tid)
        stint_number_i64(stint_sheet_text(sheet, API_TID), of->event->tid);
    if (of->thread)
        stint_sheet_string(sheet, API_THREAD, of->thread->name);
}

const struct stint_nsys_list stint_nsys_api_trace = {.columns = s_api_columns,
                                                     .count = API_COLUMNS,
                                                     .row_size = sizeof(struct stint_nsys_event),
                                                     .fill = fill_api,
                                                     .time_of = event_ns};

void stint_nsys_collect_api_trace(struct stint_nsys *nsys)
{
    struct stint_nsys_event row = {0};
    for (size_t i = 0; i < nsys->snapshot->gpu_event_count && !nsys->failed; i++) {
        row.event = &nsys->snapshot->gpu_events[i];
        row.thread = stint_nsys_thread_of(nsys, row.event, row.thread);
        if (row.event->api)
            add(nsys, &row);
    }
}
