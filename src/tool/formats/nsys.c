/* nsys stats' reports: their columns, and the text around their tables. */
#include "formats/nsys.h"

#include <string.h>

#include "report/frame.h"
#include "report/gpu_sum.h"
#include "report/line.h"
#include "report/row_order.h"
#include "stint/gpu.h"

/* ---------------------------------------------------------------------------------------------------------- reports */

enum needs {
    CALLS = 1,
    KERNELS = 2,
    OPERATIONS = 4,
    RANGES = 8,
    VALUES = 16,
    EVENTS = 32,
    UNIFIED = 64,
    OS_CALLS = 128
};

struct report {
    int needs;        /* a sum of enum needs */
    unsigned unknown; /* the note for rows without a median */
    void (*collect)(struct stint_nsys *nsys);
    stint_before_fn *before;
    struct stint_nsys_table table;
    const struct stint_nsys_list *list; /* NULL: the table is what the report shows */
};

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : 0;
}

/* By falling total, rising count, then name. */
static int total_before(const void *array, size_t a, size_t b)
{
    const struct stint_nsys_row *rows = array;
    const struct stint_nsys_row *x = &rows[a], *y = &rows[b];
    int name = compare_texts(x->name, y->name);
    if (x->spread.total != y->spread.total)
        return x->spread.total > y->spread.total;
    if (x->spread.count != y->spread.count)
        return x->spread.count < y->spread.count;
    name = name ? name : compare_texts(x->range, y->range);
    return name ? name < 0 : a < b;
}

static int range_before(const void *array, size_t a, size_t b)
{
    const struct stint_nsys_row *rows = array;
    const struct stint_nsys_row *x = &rows[a], *y = &rows[b];
    int name = compare_texts(x->range, y->range);
    if (name)
        return name < 0;
    if (x->pid != y->pid)
        return x->pid < y->pid;
    return x->tid != y->tid ? x->tid < y->tid : total_before(array, a, b);
}

/* Ranges whose projection is not known come last, sorted by the time of their work. */
static int projection_before(const void *array, size_t a, size_t b)
{
    const struct stint_nsys_row *rows = array;
    const struct stint_nsys_row *x = &rows[a], *y = &rows[b];
    if (x->spread.total != y->spread.total || x->operation_ns == y->operation_ns)
        return total_before(array, a, b);
    return x->operation_ns > y->operation_ns;
}

/* All fields of one range are adjacent. */
static int value_before(const void *array, size_t a, size_t b)
{
    const struct stint_nsys_row *rows = array;
    const struct stint_nsys_row *x = &rows[a], *y = &rows[b];
    int order = compare_texts(x->domain, y->domain);
    order = order ? order : compare_texts(x->range, y->range);
    order = order ? order : compare_texts(x->style, y->style);
    order = order ? order : compare_texts(x->field, y->field);
    return order ? order < 0 : a < b;
}

/* clang-format off */
#define SPREAD(unit)                                                                                                   \
    {STINT_NSYS_AVG, "Avg" unit}, {STINT_NSYS_MED, "Med" unit}, {STINT_NSYS_MIN, "Min" unit},                          \
    {STINT_NSYS_MAX, "Max" unit}, {STINT_NSYS_STDDEV, "StdDev" unit}
#define TIMES(count)                                                                                                   \
    {STINT_NSYS_SHARE, "Time"}, {STINT_NSYS_TOTAL, "Total Time"}, {STINT_NSYS_COUNT, count}, SPREAD("")

#define AT(id) [STINT_REPORT_##id - STINT_REPORT_NSYS] =

static const struct report s_reports[] = {
    AT(NVTX_SUM) {RANGES, STINT_NSYS_NO_HISTOGRAM, stint_nsys_collect_ranges, total_before,
     {0, 10, {TIMES("Instances"), {STINT_NSYS_STYLE, "Style"}, {STINT_NSYS_RANGE, "Range"}}}},
    AT(NVTX_PUSHPOP_SUM) {RANGES, STINT_NSYS_NO_HISTOGRAM, stint_nsys_collect_push_pop,
     total_before, {0, 9, {TIMES("Instances"), {STINT_NSYS_RANGE, "Range"}}}},
    AT(NVTX_STARTEND_SUM) {RANGES, STINT_NSYS_NO_HISTOGRAM,
     stint_nsys_collect_start_end, total_before, {0, 9, {TIMES("Instances"), {STINT_NSYS_RANGE, "Range"}}}},
    AT(NVTX_PUSHPOP_TRACE) {RANGES | EVENTS, .collect = stint_nsys_collect_push_pop_trace,
     .list = &stint_nsys_push_pop_trace},
    AT(NVTX_STARTEND_TRACE) {RANGES | EVENTS, .collect = stint_nsys_collect_start_end_trace,
     .list = &stint_nsys_start_end_trace},
    AT(NVTX_GPU_PROJ_SUM) {RANGES | OPERATIONS, 0, stint_nsys_collect_projections,
     projection_before,
     {0, 14, {{STINT_NSYS_RANGE, "Range"}, {STINT_NSYS_STYLE, "Style"}, {STINT_NSYS_TOTAL, "Total Proj Time"},
              {STINT_NSYS_RANGE_TIME, "Total Range Time"}, {STINT_NSYS_INSTANCES, "Range Instances"},
              {STINT_NSYS_AVG, "Proj Avg"}, {STINT_NSYS_MED, "Proj Med"}, {STINT_NSYS_MIN, "Proj Min"},
              {STINT_NSYS_MAX, "Proj Max"}, {STINT_NSYS_STDDEV, "Proj StdDev"},
              {STINT_NSYS_OPERATIONS, "Total GPU Ops"}, {STINT_NSYS_AVG_OPERATIONS, "Avg GPU Ops"},
              {STINT_NSYS_LEVEL, "Avg Range Lvl"}, {STINT_NSYS_CHILDREN, "Avg Num Child"}}}},
    AT(NVTX_GPU_PROJ_TRACE) {RANGES | OPERATIONS | EVENTS, .collect = stint_nsys_collect_proj_trace,
     .list = &stint_nsys_proj_trace},
    AT(NVTX_KERN_SUM) {RANGES | KERNELS, STINT_NSYS_NO_TRACE_OF_KERNELS,
     stint_nsys_collect_range_kernels, range_before,
     {0, 13, {{STINT_NSYS_RANGE, "NVTX Range"}, {STINT_NSYS_STYLE, "Style"}, {STINT_NSYS_PID, "PID"},
              {STINT_NSYS_TID, "TID"}, {STINT_NSYS_INSTANCES, "NVTX Inst"}, {STINT_NSYS_KERNELS, "Kern Inst"},
              {STINT_NSYS_TOTAL, "Total Time"}, SPREAD(""), {STINT_NSYS_NAME, "Kernel Name"}}}},
    AT(NVTX_VALUES) {VALUES, 0, stint_nsys_collect_values, value_before,
     {0, 9, {{STINT_NSYS_RANGE, "Range or counter"}, {STINT_NSYS_DOMAIN, "Domain"}, {STINT_NSYS_STYLE, "Style"},
             {STINT_NSYS_FIELD, "Field"}, {STINT_NSYS_COUNT, "Count"}, {STINT_NSYS_VALUE_SUM, "Sum"},
             {STINT_NSYS_VALUE_AVG, "Avg"}, {STINT_NSYS_VALUE_MIN, "Min"}, {STINT_NSYS_VALUE_MAX, "Max"}}}},
    AT(CUDA_GPU_KERN_SUM) {KERNELS, STINT_NSYS_NO_HISTOGRAM, stint_nsys_collect_kernels,
     total_before, {0, 9, {TIMES("Instances"), {STINT_NSYS_NAME, "Name"}}}},
    AT(CUDA_GPU_KERN_GB_SUM) {KERNELS, STINT_NSYS_NO_HISTOGRAM,
     stint_nsys_collect_grids, total_before,
     {0, 11, {TIMES("Instances"), {STINT_NSYS_GRID, "GridXYZ"}, {STINT_NSYS_BLOCK, "BlockXYZ"},
              {STINT_NSYS_NAME, "Name"}}}},
    AT(CUDA_GPU_MEM_TIME_SUM) {OPERATIONS, STINT_NSYS_NO_HISTOGRAM,
     stint_nsys_collect_memory_times, total_before, {0, 9, {TIMES("Count"), {STINT_NSYS_NAME, "Operation"}}}},
    AT(CUDA_GPU_MEM_SIZE_SUM) {OPERATIONS, STINT_NSYS_NO_TRACE_OF_SIZES,
     stint_nsys_collect_memory_sizes, total_before,
     {1, 8, {{STINT_NSYS_TOTAL, "Total (MB)"}, {STINT_NSYS_COUNT, "Count"}, SPREAD(" (MB)"),
             {STINT_NSYS_NAME, "Operation"}}}},
    AT(CUDA_GPU_SUM) {KERNELS | OPERATIONS, STINT_NSYS_NO_HISTOGRAM,
     stint_nsys_collect_gpu, total_before,
     {0, 10, {TIMES("Instances"), {STINT_NSYS_CATEGORY, "Category"}, {STINT_NSYS_NAME, "Operation"}}}},
    AT(CUDA_API_SUM) {CALLS, STINT_NSYS_NO_HISTOGRAM, stint_nsys_collect_calls, total_before,
     {0, 9, {TIMES("Num Calls"), {STINT_NSYS_NAME, "Name"}}}},
    AT(CUDA_API_GPU_SUM) {CALLS | KERNELS | OPERATIONS, STINT_NSYS_NO_HISTOGRAM, stint_nsys_collect_calls_and_gpu,
     total_before, {0, 10, {TIMES("Instances"), {STINT_NSYS_CATEGORY, "Category"}, {STINT_NSYS_NAME, "Operation"}}}},
    AT(CUDA_KERN_EXEC_SUM) {EVENTS | CALLS | KERNELS, .collect = stint_nsys_collect_exec_sum,
     .list = &stint_nsys_exec_sum},
    AT(CUDA_KERN_EXEC_TRACE) {EVENTS | CALLS | KERNELS, .collect = stint_nsys_collect_exec_trace,
     .list = &stint_nsys_exec_trace},
    AT(CUDA_GPU_TRACE) {EVENTS | KERNELS | OPERATIONS, .collect = stint_nsys_collect_gpu_trace,
     .list = &stint_nsys_gpu_trace},
    AT(CUDA_API_TRACE) {EVENTS | CALLS, .collect = stint_nsys_collect_api_trace, .list = &stint_nsys_api_trace},
    AT(OSRT_SUM) {OS_CALLS, STINT_NSYS_NO_HISTOGRAM, stint_nsys_collect_os_calls, total_before,
     {0, 9, {TIMES("Num Calls"), {STINT_NSYS_NAME, "Name"}}}},
    AT(UM_SUM) {EVENTS | UNIFIED, .collect = stint_nsys_collect_pages, .list = &stint_nsys_pages},
    AT(UM_TOTAL_SUM) {UNIFIED, .collect = stint_nsys_collect_unified, .list = &stint_nsys_unified_sum},
};
/* clang-format on */

#define NOTHING(...)
#define TITLE(id, name, title) title,
static const char *const s_titles[] = {STINT_REPORT_LIST(NOTHING, NOTHING, NOTHING, TITLE)};

/* ------------------------------------------------------------------------------------------------------------- rows */

void *stint_nsys_alloc(struct stint_nsys *nsys, size_t count, size_t size)
{
    void *memory = stint_arena_alloc(&nsys->arena, (count ? count : 1) * size);
    nsys->failed |= !memory;
    return memory;
}

const char *stint_nsys_join(struct stint_nsys *nsys, const char *const *parts, size_t count)
{
    size_t length = 0;
    char *text, *end;
    for (size_t i = 0; i < count; i++)
        length += strlen(parts[i]);
    end = text = stint_nsys_alloc(nsys, length + 1, 1);
    for (size_t i = 0; text && i < count; i++) {
        memcpy(end, parts[i], strlen(parts[i]));
        end += strlen(parts[i]);
    }
    return text ? text : "";
}

struct stint_nsys_row *stint_nsys_add_row(struct stint_nsys *nsys)
{
    struct stint_nsys_row *row = stint_array_add(&nsys->rows, &nsys->arena, sizeof *row);
    nsys->failed |= !row;
    return row;
}

/* Sorts as the layout asks; without a request, rows keep the report's own order. */
static void order_rows(struct stint_nsys *nsys, enum stint_sort sort, size_t *order)
{
    size_t count = nsys->rows.count;
    struct stint_rank *ranks = stint_nsys_alloc(nsys, count, sizeof *ranks);
    for (size_t i = 0; ranks && i < count; i++) {
        const struct stint_nsys_row *row = stint_nsys_row_at(nsys, order[i]);
        struct stint_numbers numbers = {.count = row->spread.count,
                                        .total_ns = row->spread.total,
                                        .self_ns = row->spread.total,
                                        .min_ns = row->spread.min,
                                        .max_ns = row->spread.max};
        ranks[i] = stint_rank_of(sort, &numbers, 0, row->range ? row->range : "", row->name ? row->name : "");
    }
    const size_t *ranked = ranks ? stint_rank_order(ranks, count, &nsys->arena) : NULL;
    nsys->failed |= !ranked;
    size_t *before = stint_nsys_alloc(nsys, count, sizeof *before);
    for (size_t i = 0; !nsys->failed && i < count; i++)
        before[i] = order[i];
    for (size_t i = 0; !nsys->failed && i < count; i++)
        order[i] = before[ranked[i]];
}

size_t *stint_nsys_order(struct stint_nsys *nsys, const struct stint_array *rows, stint_before_fn *before)
{
    size_t *order = stint_nsys_alloc(nsys, rows->count, sizeof *order);
    if (nsys->failed)
        return NULL;
    for (size_t i = 0; i < rows->count; i++)
        order[i] = i;
    stint_sort(order, rows->count, before, rows->items);
    return order;
}

void stint_nsys_reorder(struct stint_nsys *nsys, struct stint_array *rows, size_t size, const size_t *order)
{
    char *sorted = order ? stint_nsys_alloc(nsys, rows->count, size) : NULL;
    if (!sorted)
        return;
    for (size_t i = 0; i < rows->count; i++)
        memcpy(sorted + i * size, (const char *)rows->items + order[i] * size, size);
    rows->items = sorted;
}

static void sort_rows(struct stint_nsys *nsys, stint_before_fn *before, enum stint_sort sort)
{
    size_t *order = stint_nsys_order(nsys, &nsys->rows, before);
    if (order && sort)
        order_rows(nsys, sort, order);
    stint_nsys_reorder(nsys, &nsys->rows, sizeof(struct stint_nsys_row), order);
}

/* Moves the rows with the greatest totals to the front; a report that is sorted by range does not have them there. */
static void choose_rows(struct stint_nsys *nsys, const struct stint_layout *layout)
{
    size_t count = nsys->rows.count, kept = 0, other = layout->top;
    nsys->shown = count;
    if (stint_is_within(count, layout->top))
        return;
    nsys->shown = layout->top;
    if (layout->sort)
        return;
    struct stint_rank *ranks = stint_nsys_alloc(nsys, count, sizeof *ranks);
    struct stint_nsys_row *rows = stint_nsys_alloc(nsys, count, sizeof *rows);
    char *is_kept = stint_nsys_alloc(nsys, count, 1);
    for (size_t i = 0; ranks && i < count; i++)
        ranks[i].value = stint_nsys_row_at(nsys, i)->spread.total;
    const size_t *order = ranks ? stint_rank_order(ranks, count, &nsys->arena) : NULL;
    nsys->failed |= !order;
    for (size_t i = 0; !nsys->failed && i < layout->top; i++)
        is_kept[order[i]] = 1;
    for (size_t i = 0; !nsys->failed && i < count; i++)
        rows[is_kept[i] ? kept++ : other++] = *stint_nsys_row_at(nsys, i);
    nsys->rows.items = rows;
}

/* A sum over all rows is known only if it is known for each row. */
static void put_rest(struct stint_text *text, const struct stint_nsys *nsys, int sizes,
                     const struct stint_layout *layout)
{
    struct stint_rest rest = {.rows = nsys->rows.count - nsys->shown};
    int known = 1;
    for (size_t i = 0; i < nsys->rows.count; i++) {
        const struct stint_nsys_spread *spread = &stint_nsys_row_at(nsys, i)->spread;
        known &= spread->count != 0;
        rest.whole += spread->total;
        rest.part += i < nsys->shown ? 0 : spread->total;
    }
    if (!known)
        rest.whole = 0;
    stint_rest_put(&rest, sizes ? "the bytes" : "the time", text, layout);
}

static void note_medians(struct stint_nsys *nsys, unsigned unknown)
{
    for (size_t i = 0; i < nsys->rows.count; i++) {
        enum stint_nsys_median is = stint_nsys_row_at(nsys, i)->spread.median_is;
        if (is != STINT_NSYS_EXACT)
            nsys->notes |= is == STINT_NSYS_NEAR ? STINT_NSYS_NEAR_MEDIAN : unknown;
    }
}

/* ------------------------------------------------------------------------------------------------------------ notes */

#define FIRST_EVENTS "STINT_GPU_TRACE=N keeps the first N events"

static int has_losses(const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < STINT_LOSSES; i++)
        if (stint_loss_at(&snapshot->dropped, i).count)
            return 1;
    return stint_gpu_has_failed(&snapshot->gpu) || stint_gpu_unmeasured(snapshot) > 0;
}

/* Writes notes about the fields that are `shown`, followed by a blank line, as a table is. */
static void put_notes(struct stint_text *text, const struct stint_nsys *nsys, unsigned shown,
                      const struct stint_layout *layout)
{
    static const struct {
        unsigned note;
        enum stint_nsys_field field;
        const char *text;
    } notes[] = {
        {STINT_NSYS_NEAR_MEDIAN, STINT_NSYS_MED, "Med: from histograms, within 0.8 %"},
        {STINT_NSYS_NO_HISTOGRAM, STINT_NSYS_MED, "Med: - where no histogram was kept (STINT_PERCENTILES=off)"},
        {STINT_NSYS_NO_TRACE_OF_SIZES, STINT_NSYS_MED, "Med: - where the trace lacks some operations; " FIRST_EVENTS},
        {STINT_NSYS_NO_TRACE_OF_GRIDS, STINT_NSYS_GRID,
         "GridXYZ, BlockXYZ: - where the trace lacks some launches; " FIRST_EVENTS},
        {STINT_NSYS_NO_TRACE_OF_KERNELS, STINT_NSYS_MED,
         "Med, StdDev: - of a kernel that several ranges launched, where the trace lacks some launches; " FIRST_EVENTS},
        {STINT_NSYS_NO_PROJECTION, STINT_NSYS_TOTAL,
         "Proj, Total Range Time, Range Instances: - where the trace lacks some work of the range; " FIRST_EVENTS},
        {STINT_NSYS_NO_RANGE_TIME, STINT_NSYS_RANGE_TIME,
         "Total Range Time: - where some instances launched nothing; reports on recordings have it"},
        {STINT_NSYS_NO_INSTANCES, STINT_NSYS_INSTANCES,
         "NVTX Inst: - where both the range and the kernel ran more than once, and the trace lacks some launches"},
        {STINT_NSYS_NO_THREAD, STINT_NSYS_TID,
         "PID, TID: - of ranges of several threads, or of threads that have exited"},
        {STINT_NSYS_MORE_RANGES, STINT_NSYS_RANGE, "ranges beyond the first 4194304 are left out"},
    };
    struct stint_line line = {0};
    int any = has_losses(nsys->snapshot);
    for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
        if (!(nsys->notes & notes[i].note) || !(shown & 1u << notes[i].field))
            continue;
        stint_line_string(&line, notes[i].text);
        stint_line_put(&line, text, layout, STINT_LINE_DIM);
        any = 1;
    }
    stint_frame_losses(text, nsys->snapshot, layout);
    stint_text_string(text, any ? "\n" : "");
}

/* ---------------------------------------------------------------------------------------------------------- missing */

static int has_activity(const struct stint_snapshot *snapshot, int kernels)
{
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (stint_gpu_occupies(snapshot->gpu_activities[i].kind) &&
            (!kernels || snapshot->gpu_activities[i].kind == STINT_GPU_KERNEL))
            return 1;
    return 0;
}

static int has_ranges(struct stint_nsys *nsys)
{
    struct stint_nsys_ranges ranges;
    if (stint_nsys_find_ranges(nsys, &ranges))
        return 0;
    for (size_t i = 0; i < nsys->snapshot->stat_count; i++)
        if (ranges.style[i])
            return 1;
    return 0;
}

/* Returns what data a report without rows lacks, in the words of nsys; NULL if nothing is missing and the report is
 * just empty. */
static const char *missing_in(struct stint_nsys *nsys, int needs)
{
    if (needs & CALLS)
        return "CUDA trace data";
    if (needs & UNIFIED)
        return "CUDA Unified Memory data";
    if (needs == VALUES)
        return "NVTX payloads or counters";
    if (needs == OS_CALLS)
        return "OS Runtime trace data";
    if (needs & RANGES && (!(needs & ~(RANGES | EVENTS)) || !has_ranges(nsys)))
        return "NV Tools Extension (NVTX) data";
    if (!(needs & EVENTS) && has_activity(nsys->snapshot, needs & KERNELS && !(needs & OPERATIONS)) && needs & RANGES)
        return NULL;
    if (needs & KERNELS && needs & OPERATIONS)
        return "GPU trace data";
    if (needs & OPERATIONS)
        return needs & RANGES ? "GPU trace data" : "GPU memory data";
    return "CUDA kernel data";
}

/* Returns how to get what is missing; NULL: there is nothing to say. */
static const char *why_not(struct stint_nsys *nsys, int needs)
{
    const struct stint_gpu_info *gpu = &nsys->snapshot->gpu;
    if (needs == OS_CALLS)
        return "OS runtime: calls were not recorded; stint run --osrt records them";
    if (needs & RANGES && needs & EVENTS && has_ranges(nsys))
        return "NVTX: only recordings have single ranges; stint run --store FILE makes one";
    if (!(needs & ~(RANGES | EVENTS)) || needs == VALUES || stint_gpu_has_failed(gpu))
        return NULL;
    if (gpu->collected && needs & EVENTS && !nsys->snapshot->gpu_event_count)
        return "GPU: no trace was kept; " FIRST_EVENTS;
    if (!gpu->collected)
        return "GPU: activity was not collected; set STINT_GPU=on, or call stint_gpu_start()";
    if ((needs & ~EVENTS) == CALLS && !(gpu->what & STINT_GPU_API))
        return "GPU: calls of CUDA's API were not collected; set STINT_GPU=on";
    return NULL;
}

static void put_why_not(struct stint_text *text, struct stint_nsys *nsys, int needs, const struct stint_layout *layout)
{
    struct stint_line line = {0};
    const char *why = why_not(nsys, needs);
    stint_line_string(&line, why ? why : "");
    stint_line_put(&line, text, layout, STINT_LINE_DIM);
}

/* ------------------------------------------------------------------------------------------------------------ whole */

enum { COMMAND_MOST = 60 };

static void add_process(struct stint_line *line, const struct stint_process *process)
{
    stint_line_escaped(line, *process->command ? process->command : "(unknown)", COMMAND_MOST);
    if (!process->pid)
        return;
    stint_line_string(line, " (pid ");
    stint_line_u64(line, (uint64_t)process->pid);
    stint_line_string(line, ")");
}

static const char *const s_arguments[] = {
    [STINT_KERNELS_PLAIN] = "", [STINT_KERNELS_BASE] = ":base", [STINT_KERNELS_MANGLED] = ":mangled"};

/* Writes the line in which nsys names its file and its script. */
static void put_processing(struct stint_text *text, const struct stint_snapshot *snapshot, const char *name,
                           const struct stint_layout *layout)
{
    struct stint_line line = {0};
    stint_line_string(&line, "Processing [");
    add_process(&line, &snapshot->process);
    stint_line_string(&line, "] with [");
    stint_line_string(&line, name);
    stint_line_string(&line, "]...");
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

static void put_skipped(struct stint_text *text, const struct stint_snapshot *snapshot, const char *missing,
                        const struct stint_layout *layout)
{
    struct stint_line line = {0};
    stint_line_string(&line, "SKIPPED: ");
    add_process(&line, &snapshot->process);
    stint_line_string(&line, " does not contain ");
    stint_line_string(&line, missing);
    stint_line_string(&line, ".");
    stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
}

static void put_people(struct stint_text *text, struct stint_nsys *nsys, const struct stint_report_form *form,
                       const struct stint_layout *layout)
{
    enum stint_report wanted = form->report;
    const struct report *report = &s_reports[wanted - STINT_REPORT_NSYS];
    const char *name = stint_report_name_at(wanted);
    const char *missing = nsys->rows.count + nsys->list.count ? NULL : missing_in(nsys, report->needs);
    put_processing(text, nsys->snapshot, name, layout);
    if (missing) {
        put_skipped(text, nsys->snapshot, missing, layout);
        put_why_not(text, nsys, report->needs, layout);
        stint_frame_losses(text, nsys->snapshot, layout);
        stint_text_string(text, "\n");
        return;
    }
    stint_text_string(text, "\n ** ");
    stint_text_string(text, s_titles[wanted - STINT_REPORT_NSYS]);
    stint_text_string(text, " (");
    stint_text_string(text, name);
    stint_text_string(text, s_arguments[form->kernels]);
    stint_text_string(text, "):\n\n");
    unsigned shown = ~0U;
    if (report->list) {
        stint_nsys_put_list(report->list, nsys, 0, text, layout);
    } else {
        shown = stint_nsys_put_table(&report->table, nsys, 0, text, layout);
        put_rest(text, nsys, report->table.sizes, layout);
    }
    stint_text_string(text, "\n");
    put_notes(text, nsys, shown, layout);
}

static enum stint_status status_of(const struct stint_nsys *nsys)
{
    if (nsys->failed)
        return STINT_ERROR_NO_MEMORY;
    return nsys->unreadable ? STINT_ERROR_IO : STINT_OK;
}

enum stint_status stint_nsys_write(struct stint_text *text, const struct stint_snapshot *snapshot,
                                   const struct stint_report_form *form, const struct stint_layout *layout)
{
    const struct report *report = &s_reports[form->report - STINT_REPORT_NSYS];
    struct stint_nsys nsys = {.snapshot = snapshot, .events = form->events};
    if (form->kernels)
        stint_nsys_rename(&nsys, form->kernels);
    if (!nsys.failed)
        report->collect(&nsys);
    if (!nsys.failed && !report->list)
        sort_rows(&nsys, report->before, layout->sort);
    if (!nsys.failed)
        choose_rows(&nsys, layout);
    if (!status_of(&nsys)) {
        note_medians(&nsys, report->unknown);
        if (!form->csv)
            put_people(text, &nsys, form, layout);
        else if (report->list)
            stint_nsys_put_list(report->list, &nsys, 1, text, layout);
        else
            stint_nsys_put_table(&report->table, &nsys, 1, text, layout);
    }
    stint_arena_free(&nsys.arena);
    stint_arena_free(&nsys.scratch[0]);
    stint_arena_free(&nsys.scratch[1]);
    return status_of(&nsys);
}
