/* Launches of kernels: the call, the time that the kernel waited in its queue, and the kernel. A kernel and the call
 * that launched it have the same correlation id. */
#include <string.h>

#include "base/exact.h"
#include "formats/launch_ids.h"
#include "formats/nsys.h"
#include "formats/nvprof_trace.h"

/* -------------------------------------------------------------------------------------------------------- launches */

typedef void found_fn(struct stint_nsys *nsys, void *context, const struct stint_gpu_event *kernel,
                      const struct stint_gpu_event *call);

/* Reports each kernel of the trace whose call is in the trace, too, in the order of the kernels' starts. */
static void find_launches(struct stint_nsys *nsys, found_fn *found, void *context)
{
    const struct stint_gpu_event *events = nsys->snapshot->gpu_events;
    size_t count = nsys->snapshot->gpu_event_count;
    struct stint_launch_ids calls = {.events = events};
    for (size_t i = 0; i < count && !nsys->failed; i++)
        if (events[i].api)
            nsys->failed |= stint_launch_ids_add(&calls, &nsys->arena, i) != 0;
    for (size_t i = 0; i < count && !nsys->failed; i++) {
        int is_kernel = !events[i].api && events[i].kind == STINT_GPU_KERNEL;
        const struct stint_gpu_event *call = is_kernel ? stint_launch_ids_find(&calls, &events[i]) : NULL;
        if (call)
            found(nsys, context, &events[i], call);
    }
}

/* 0 if the kernel began before the call returned. */
static uint64_t queue_ns(const struct stint_gpu_event *kernel, const struct stint_gpu_event *call)
{
    return kernel->start_ns > call->end_ns ? kernel->start_ns - call->end_ns : 0;
}

static uint64_t total_ns(const struct stint_gpu_event *kernel, const struct stint_gpu_event *call)
{
    uint64_t end = kernel->end_ns > call->end_ns ? kernel->end_ns : call->end_ns;
    return end > call->start_ns ? end - call->start_ns : 0;
}

#define COLUMN(name) .key = name, .title = name

/* ----------------------------------------------------------------------------------------------------------- trace */

enum trace_column {
    TRACE_API_START,
    TRACE_API,
    TRACE_QUEUE_START,
    TRACE_QUEUE,
    TRACE_KERNEL_START,
    TRACE_KERNEL,
    TRACE_TOTAL,
    TRACE_PID,
    TRACE_TID,
    TRACE_DEVICE,
    TRACE_FUNCTION,
    TRACE_GRID,
    TRACE_BLOCK,
    TRACE_NAME,
    TRACE_COLUMNS
};

static const struct stint_column s_trace_columns[TRACE_COLUMNS] = {
    [TRACE_API_START] = {COLUMN("API Start"), .unit = STINT_COLUMN_TIME},
    [TRACE_API] = {COLUMN("API Dur"), .unit = STINT_COLUMN_TIME, .hide = 9},
    [TRACE_QUEUE_START] = {COLUMN("Queue Start"), .unit = STINT_COLUMN_TIME, .hide = 1},
    [TRACE_QUEUE] = {COLUMN("Queue Dur"), .unit = STINT_COLUMN_TIME, .hide = 10},
    [TRACE_KERNEL_START] = {COLUMN("Kernel Start"), .unit = STINT_COLUMN_TIME, .hide = 2},
    [TRACE_KERNEL] = {COLUMN("Kernel Dur"), .unit = STINT_COLUMN_TIME},
    [TRACE_TOTAL] = {COLUMN("Total Dur"), .unit = STINT_COLUMN_TIME, .hide = 11},
    [TRACE_PID] = {COLUMN("PID"), .hide = 5},
    [TRACE_TID] = {COLUMN("TID"), .hide = 6},
    [TRACE_DEVICE] = {COLUMN("DevId"), .hide = 7},
    [TRACE_FUNCTION] = {COLUMN("API Function"), .left = 1, .hide = 8},
    [TRACE_GRID] = {COLUMN("GridXYZ"), .left = 1, .hide = 4},
    [TRACE_BLOCK] = {COLUMN("BlockXYZ"), .left = 1, .hide = 3},
    [TRACE_NAME] = {COLUMN("Kernel Name"), .unit = STINT_COLUMN_NAME, .left = 1},
};

static void put_place(const struct stint_nsys *nsys, const struct stint_thread *thread,
                      const struct stint_gpu_event *call, const struct stint_gpu_event *kernel, size_t column,
                      struct stint_sheet *sheet)
{
    int64_t pid = stint_nsys_pid_of(nsys, call, thread);
    if (pid)
        stint_number_i64(stint_sheet_text(sheet, column), pid);
    if (call->tid)
        stint_number_i64(stint_sheet_text(sheet, column + 1), call->tid);
    stint_number_u64(stint_sheet_text(sheet, column + 2), kernel->device);
}

static void fill_trace(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                       struct stint_sheet *sheet)
{
    const struct stint_nsys_event *of = row;
    uint64_t queue = queue_ns(of->event, of->call);
    stint_nsys_put_ns(stint_sheet_text(sheet, TRACE_API_START), of->call->start_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, TRACE_API), stint_trace_duration_ns(of->call), csv, unit);
    if (queue) {
        stint_nsys_put_ns(stint_sheet_text(sheet, TRACE_QUEUE_START), of->call->end_ns, csv, unit);
        stint_nsys_put_ns(stint_sheet_text(sheet, TRACE_QUEUE), queue, csv, unit);
    }
    stint_nsys_put_ns(stint_sheet_text(sheet, TRACE_KERNEL_START), of->event->start_ns, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, TRACE_KERNEL), stint_trace_duration_ns(of->event), csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, TRACE_TOTAL), total_ns(of->event, of->call), csv, unit);
    put_place(nsys, of->thread, of->call, of->event, TRACE_PID, sheet);
    stint_sheet_string(sheet, TRACE_FUNCTION, of->call->name);
    stint_nsys_put_dimensions(stint_sheet_text(sheet, TRACE_GRID), of->event->grid);
    stint_nsys_put_dimensions(stint_sheet_text(sheet, TRACE_BLOCK), of->event->block);
    stint_sheet_string(sheet, TRACE_NAME, of->event->name);
}

static uint64_t launch_ns(const void *row)
{
    const struct stint_nsys_event *of = row;
    return total_ns(of->event, of->call);
}

const struct stint_nsys_list stint_nsys_exec_trace = {.columns = s_trace_columns,
                                                      .count = TRACE_COLUMNS,
                                                      .row_size = sizeof(struct stint_nsys_event),
                                                      .fill = fill_trace,
                                                      .time_of = launch_ns};

static void add_launch(struct stint_nsys *nsys, void *context, const struct stint_gpu_event *kernel,
                       const struct stint_gpu_event *call)
{
    const struct stint_thread **thread = context;
    struct stint_nsys_event *row = stint_array_add(&nsys->list, &nsys->arena, sizeof *row);
    nsys->failed |= !row;
    *thread = stint_nsys_thread_of(nsys, call, *thread);
    if (row)
        *row = (struct stint_nsys_event){.event = kernel, .call = call, .thread = *thread};
}

void stint_nsys_collect_exec_trace(struct stint_nsys *nsys)
{
    const struct stint_thread *thread = NULL;
    find_launches(nsys, add_launch, &thread);
}

/* ------------------------------------------------------------------------------------------------------------- sum */

enum { TOTAL, API, QUEUE, KERNEL, PHASES };

enum sum_column { SUM_PID, SUM_TID, SUM_DEVICE, SUM_COUNT, SUM_QUEUED, SUM_PHASES, SUM_COLUMNS = SUM_PHASES + 22 };

#define PHASE(letter, column, first)                                                                                   \
    [column] = {COLUMN(letter "Avg"), .unit = STINT_COLUMN_TIME, .hide = (first) ? 0 : 21},                            \
    [(column) + 1] = {COLUMN(letter "Med"), .unit = STINT_COLUMN_TIME, .hide = 16 - (column) / 5},                     \
    [(column) + 2] = {COLUMN(letter "Min"), .unit = STINT_COLUMN_TIME, .hide = 11 - (column) / 5},                     \
    [(column) + 3] = {COLUMN(letter "Max"), .unit = STINT_COLUMN_TIME, .hide = 20 - (column) / 5},                     \
    [(column) + 4] = {COLUMN(letter "StdDev"), .unit = STINT_COLUMN_TIME, .hide = 6 - (column) / 5}

/* On a narrow screen the deviations go first, then the least times, the medians and the greatest. */
static const struct stint_column s_sum_columns[SUM_COLUMNS] = {
    [SUM_PID] = {COLUMN("PID"), .hide = 17},
    [SUM_TID] = {COLUMN("TID"), .hide = 18},
    [SUM_DEVICE] = {COLUMN("DevId"), .hide = 20},
    [SUM_COUNT] = {COLUMN("Count")},
    [SUM_QUEUED] = {COLUMN("QCount"), .hide = 19},
    PHASE("T", SUM_PHASES, 1),
    PHASE("A", SUM_PHASES + 5, 0),
    PHASE("Q", SUM_PHASES + 10, 0),
    PHASE("K", SUM_PHASES + 15, 1),
    [SUM_PHASES + 20] = {COLUMN("API Name"), .left = 1, .hide = 22},
    [SUM_PHASES + 21] = {COLUMN("Kernel Name"), .unit = STINT_COLUMN_NAME, .left = 1},
};

struct group {
    const struct stint_gpu_event *call, *kernel; /* the first of them */
    const struct stint_thread *thread;
    struct stint_nsys_spread phases[PHASES];
};

static void put_spread(const struct stint_nsys_spread *spread, size_t column, int csv, enum stint_time_unit unit,
                       struct stint_sheet *sheet)
{
    if (!spread->count)
        return;
    stint_nsys_put_average(stint_sheet_text(sheet, column), (double)spread->total / (double)spread->count, csv, unit);
    stint_nsys_put_average(stint_sheet_text(sheet, column + 1), spread->median, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, column + 2), spread->min, csv, unit);
    stint_nsys_put_ns(stint_sheet_text(sheet, column + 3), spread->max, csv, unit);
    stint_nsys_put_average(stint_sheet_text(sheet, column + 4), spread->deviation, csv, unit);
}

static void fill_sum(const struct stint_nsys *nsys, const void *row, int csv, enum stint_time_unit unit,
                     struct stint_sheet *sheet)
{
    const struct group *group = row;
    put_place(nsys, group->thread, group->call, group->kernel, SUM_PID, sheet);
    stint_nsys_put_u64(stint_sheet_text(sheet, SUM_COUNT), group->phases[TOTAL].count, csv);
    stint_nsys_put_u64(stint_sheet_text(sheet, SUM_QUEUED), group->phases[QUEUE].count, csv);
    for (size_t i = 0; i < PHASES; i++)
        put_spread(&group->phases[i], SUM_PHASES + 5 * i, csv, unit, sheet);
    stint_sheet_string(sheet, SUM_PHASES + 20, group->call->name);
    stint_sheet_string(sheet, SUM_PHASES + 21, group->kernel->name);
}

static uint64_t group_ns(const void *row)
{
    return ((const struct group *)row)->phases[TOTAL].total;
}

const struct stint_nsys_list stint_nsys_exec_sum = {.columns = s_sum_columns,
                                                    .count = SUM_COLUMNS,
                                                    .row_size = sizeof(struct group),
                                                    .fill = fill_sum,
                                                    .time_of = group_ns};

struct sums {
    struct stint_index index; /* of groups */
    struct stint_nsys_samples samples;
    const struct stint_thread *thread;
};

struct launch {
    const struct stint_gpu_event *call, *kernel;
};

static int is_like(const void *groups, size_t position, const void *key)
{
    const struct group *group = (const struct group *)groups + position;
    const struct launch *like = key;
    return group->call->tid == like->call->tid && group->call->pid == like->call->pid &&
           group->kernel->device == like->kernel->device && strcmp(group->call->name, like->call->name) == 0 &&
           strcmp(group->kernel->name, like->kernel->name) == 0;
}

static size_t group_of(struct stint_nsys *nsys, struct sums *sums, const struct launch *like)
{
    uint64_t hash = stint_hash(like->kernel->name, strlen(like->kernel->name), (uint64_t)like->call->tid);
    hash = stint_hash(like->call->name, strlen(like->call->name), hash ^ like->kernel->device);
    size_t at = stint_index_find(&sums->index, hash, is_like, nsys->list.items, like);
    if (at != STINT_INDEX_NONE)
        return at;
    struct group *group = stint_array_add(&nsys->list, &nsys->arena, sizeof *group);
    if (!group || stint_index_add(&sums->index, &nsys->arena, hash, nsys->list.count - 1)) {
        nsys->failed = 1;
        return STINT_INDEX_NONE;
    }
    sums->thread = stint_nsys_thread_of(nsys, like->call, sums->thread);
    *group = (struct group){.call = like->call, .kernel = like->kernel, .thread = sums->thread};
    for (size_t i = 0; i < PHASES; i++)
        (void)stint_nsys_add_row(nsys);
    return nsys->list.count - 1;
}

/* Each phase of a group has a row of its own until the medians are known. */
static void add_time(struct stint_nsys *nsys, struct sums *sums, size_t row, uint64_t ns)
{
    stint_nsys_add_sample(&stint_nsys_row_at(nsys, row)->spread, ns);
    stint_nsys_sample(nsys, &sums->samples, row, ns);
}

static void add_to_sum(struct stint_nsys *nsys, void *context, const struct stint_gpu_event *kernel,
                       const struct stint_gpu_event *call)
{
    struct sums *sums = context;
    size_t at = group_of(nsys, sums, &(struct launch){call, kernel});
    uint64_t queue = queue_ns(kernel, call);
    if (nsys->failed)
        return;
    add_time(nsys, sums, PHASES * at + TOTAL, total_ns(kernel, call));
    add_time(nsys, sums, PHASES * at + API, stint_trace_duration_ns(call));
    add_time(nsys, sums, PHASES * at + KERNEL, stint_trace_duration_ns(kernel));
    if (queue)
        add_time(nsys, sums, PHASES * at + QUEUE, queue);
}

static int group_before(const void *array, size_t a, size_t b)
{
    uint64_t x = group_ns((const struct group *)array + a), y = group_ns((const struct group *)array + b);
    return x != y ? x > y : a < b;
}

/* By falling total time. */
static void sort_groups(struct stint_nsys *nsys)
{
    stint_nsys_reorder(nsys, &nsys->list, sizeof(struct group), stint_nsys_order(nsys, &nsys->list, group_before));
}

void stint_nsys_collect_exec_sum(struct stint_nsys *nsys)
{
    struct sums sums = {0};
    find_launches(nsys, add_to_sum, &sums);
    if (!nsys->failed)
        stint_nsys_settle(nsys, &sums.samples);
    for (size_t i = 0; i < PHASES * nsys->list.count && !nsys->failed; i++) {
        struct stint_nsys_spread *spread = &((struct group *)nsys->list.items)[i / PHASES].phases[i % PHASES];
        *spread = stint_nsys_row_at(nsys, i)->spread;
        (void)stint_nsys_spread_simple(spread);
    }
    nsys->rows = (struct stint_array){0};
    sort_groups(nsys);
}
