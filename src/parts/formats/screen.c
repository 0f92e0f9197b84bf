/* One screen: what a program did, and what took the time. Scopes and ranges as a tree, kernels and copies, calls of
 * CUDA's API, processes: the first rows of each, and how many more there are. */
#include <string.h>

#include "formats/formats.h"
#include "formats/nvprof.h"
#include "report/line.h"
#include "report/sheet.h"
#include "report/summary.h"
#include "stat/numbers.h"

struct kept {
    struct stint_context *contexts;
    size_t *place; /* of each context: where it is kept; of a call, where the scope that made it is */
    size_t count;
};

static void keep(struct kept *kept, const struct stint_context *context, size_t parent)
{
    struct stint_context *row = &kept->contexts[kept->count++];
    *row = *context;
    row->parent = parent;
    row->depth = parent == STINT_NO_PARENT ? 0 : kept->contexts[parent].depth + 1;
}

/* Each time was rounded to nanoseconds, so the sum may be beyond the total. */
static void add_call(struct stint_numbers *scope, const struct stint_numbers *call)
{
    uint64_t most = scope->self_ns < scope->total_ns ? scope->total_ns : scope->self_ns;
    stint_sum_up(&scope->self_ns, call->self_ns);
    if (scope->self_ns > most)
        scope->self_ns = most;
}

/* Returns a snapshot whose contexts are scopes and ranges only, for a tree; all else, and its texts, are the given
 * one's. The time of a call belongs to the self time of the scope that made it. Siblings may be out of order. Without
 * memory, contexts are as given. */
static struct stint_snapshot scopes_only(const struct stint_snapshot *snapshot, struct stint_arena *arena)
{
    struct stint_snapshot result = *snapshot;
    size_t count = snapshot->context_count;
    struct kept kept = {.contexts = stint_arena_alloc(arena, (count + 1) * sizeof *kept.contexts),
                        .place = stint_arena_alloc(arena, (count + 1) * sizeof *kept.place)};
    if (!kept.contexts || !kept.place)
        return result;
    for (size_t i = 0; i < count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        size_t parent = context->parent == STINT_NO_PARENT ? STINT_NO_PARENT : kept.place[context->parent];
        const struct stint_stat *stat = &snapshot->stats[context->stat];
        int is_call = stint_gpu_is_call(stat) || stint_stat_is_os_call(stat);
        kept.place[i] = is_call ? parent : kept.count;
        if (!is_call)
            keep(&kept, context, parent);
        else if (parent != STINT_NO_PARENT)
            add_call(&kept.contexts[parent].numbers, &context->numbers);
    }
    result.contexts = kept.contexts;
    result.context_count = kept.count;
    return result;
}

/* Rows of each section, unless the layout says how many; of processes, a launcher and eight ranks. */
enum { TOP = 10, PROCESSES_TOP = 9 };

struct screen {
    struct stint_text *text;
    const struct stint_snapshot *snapshot;
    struct stint_layout layout;
    int is_limited; /* the layout does not say how many rows there are to be */
    struct stint_summary summary;
    struct stint_gpu_sum gpu;
};

/* ----------------------------------------------------------------------------------------------------------- header */

struct amounts {
    uint64_t kernels;
    uint64_t copies; /* moves of unified memory are among them */
    uint64_t copy_bytes;
    uint64_t sets;
};

static struct amounts amounts_of(const struct stint_snapshot *snapshot)
{
    struct amounts amounts = {0};
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind == STINT_GPU_KERNEL) {
            stint_sum_up(&amounts.kernels, activity->numbers.count);
        } else if (activity->kind == STINT_GPU_SET) {
            stint_sum_up(&amounts.sets, activity->numbers.count);
        } else if (stint_gpu_occupies(activity->kind)) {
            stint_sum_up(&amounts.copies, activity->numbers.count);
            stint_sum_up(&amounts.copy_bytes, activity->bytes);
        }
    }
    return amounts;
}

/* Returns how many devices did something. */
static size_t devices_of(const struct stint_snapshot *snapshot)
{
    struct stint_arena arena = {0};
    struct stint_rank *devices = stint_arena_alloc(&arena, (snapshot->gpu_activity_count + 1) * sizeof *devices);
    size_t count = 0;
    for (size_t i = 0; devices && i < snapshot->gpu_activity_count; i++)
        if (stint_gpu_occupies(snapshot->gpu_activities[i].kind))
            devices[count++].value = snapshot->gpu_activities[i].device;
    count = devices ? stint_distinct(devices, count, &arena) : 1;
    stint_arena_free(&arena);
    return count;
}

/* "1.234 GB" */
static void add_bytes(struct stint_line *line, uint64_t bytes)
{
    static const char *const names[] = {" B", " kB", " MB", " GB", " TB", " PB"};
    double size = (double)bytes;
    size_t name = 0;
    for (; name < 5 && size >= 999.9995; name++)
        size /= 1000;
    stint_line_fixed(line, size, name ? 3 : 0);
    stint_line_string(line, names[name]);
}

/* "GPU busy 1.234 s (56.78 %)". Several processes may call different devices by the same number, so that there is no
 * number of devices, and no share, for them. */
static void add_busy(struct stint_line *line, const struct screen *screen)
{
    size_t devices = devices_of(screen->snapshot);
    double whole = (double)screen->snapshot->process.wall_ns * (double)devices;
    int several = screen->snapshot->process_count != 0;
    if (!several && devices > 1)
        stint_line_say(line, ", %zu GPUs", devices);
    else
        stint_line_string(line, several ? ", GPUs" : ", GPU");
    stint_line_say(line, " %s %s", screen->gpu.spans ? "scopes" : "busy",
                   stint_time_text((double)screen->gpu.total_ns).text);
    if (!several && !screen->gpu.spans && whole > 0)
        stint_line_say(line, " (%.2f %%)", 100 * (double)screen->gpu.total_ns / whole);
}

static void add_work(struct stint_line *line, const struct screen *screen)
{
    struct amounts amounts = amounts_of(screen->snapshot);
    if (!screen->gpu.any)
        return;
    add_busy(line, screen);
    if (screen->gpu.spans)
        return;
    stint_line_say(line, ", %ju kernel%s", amounts.kernels, amounts.kernels == 1 ? "" : "s");
    if (amounts.copies) {
        stint_line_say(line, ", %ju %s of ", amounts.copies, amounts.copies == 1 ? "copy" : "copies");
        add_bytes(line, amounts.copy_bytes);
    }
    if (amounts.sets)
        stint_line_say(line, ", %ju memset%s", amounts.sets, amounts.sets == 1 ? "" : "s");
}

static int has_nothing(const struct stint_snapshot *snapshot)
{
    return !snapshot->stat_count && !snapshot->gpu_activity_count && !snapshot->nvtx_value_count &&
           !snapshot->barrier_count && !snapshot->sampling.samples;
}

static void put_header(const struct screen *screen)
{
    struct stint_line line = {0};
    size_t processes = stint_process_count(screen->snapshot);
    stint_frame_process(&line, &screen->snapshot->process);
    stint_frame_program(screen->text, screen->snapshot, &line, &screen->layout);
    line.used = 0;
    stint_line_say(&line, "wall %s", stint_time_text((double)screen->snapshot->process.wall_ns).text);
    add_work(&line, screen);
    if (screen->summary.scopes)
        stint_line_say(&line, ", %zu scope%s", screen->summary.scopes, screen->summary.scopes == 1 ? "" : "s");
    else if (has_nothing(screen->snapshot))
        stint_line_string(&line, ", nothing recorded: no scope was entered, no NVTX range opened, and CUDA not called");
    stint_frame_threads(&line, &screen->summary);
    if (processes > 1)
        stint_line_say(&line, ", %zu processes", processes);
    stint_line_put(&line, screen->text, &screen->layout, STINT_LINE_PLAIN);
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* What the columns about GPUs do not have. */
static void put_outside(const struct screen *screen)
{
    struct stint_line line = {0};
    uint64_t ns = stint_gpu_shown_ns(&screen->gpu, &screen->gpu.no_scope) +
                  stint_gpu_shown_ns(&screen->gpu, &screen->gpu.unattributed);
    if (!ns)
        return;
    stint_line_say(&line, "GPU time outside scopes and ranges: %s, %.2f %%", stint_time_text((double)ns).text,
                   100 * (double)ns / (double)screen->gpu.total_ns);
    stint_line_put(&line, screen->text, &screen->layout, STINT_LINE_DIM);
}

static void put_scopes(const struct screen *screen)
{
    struct stint_scope_whole whole = {.ns = screen->summary.measured_ns, .gpu = &screen->gpu};
    struct stint_column columns[STINT_SCOPE_COLUMNS];
    struct stint_arena arena = {0};
    struct stint_snapshot scopes = scopes_only(screen->snapshot, &arena);
    memcpy(columns, stint_scope_columns, sizeof columns);
    columns[STINT_SCOPE_NAME].title = "Scopes and ranges";
    if (scopes.context_count) {
        stint_text_string(screen->text, "\n");
        stint_tree_put(screen->text, &scopes, &screen->layout, &whole, columns, 0);
        put_outside(screen);
    }
    stint_arena_free(&arena);
}

/* ------------------------------------------------------------------------------------ kernels and copies, and calls */

enum { SHARE, TOTAL, COUNT, AVG, MIN, MAX, NAME, COLUMNS };

#define COLUMNS_OF(name)                                                                                               \
    {                                                                                                                  \
        [SHARE] = {.title = "Time", .unit = STINT_COLUMN_SHARE, .hide = 4},                                            \
        [TOTAL] = {.title = "Total", .unit = STINT_COLUMN_SUM},                                                        \
        [COUNT] = {.title = "Count", .unit = STINT_COLUMN_COUNT},                                                      \
        [AVG] = {.title = "Avg", .unit = STINT_COLUMN_TIME, .hide = 3},                                                \
        [MIN] = {.title = "Min", .unit = STINT_COLUMN_TIME, .hide = 1},                                                \
        [MAX] = {.title = "Max", .unit = STINT_COLUMN_TIME, .hide = 2},                                                \
        [NAME] = {.title = name, .unit = STINT_COLUMN_NAME},                                                           \
    }

static const struct stint_column s_gpu_columns[COLUMNS] = COLUMNS_OF("Kernels and copies");
static const struct stint_column s_call_columns[COLUMNS] = COLUMNS_OF("Calls of CUDA");
static const struct stint_column s_os_columns[COLUMNS] = COLUMNS_OF("Waits in the C library");

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct stint_nvprof_rows *rows = context;
    struct stint_nvprof_row row;
    if (*next == rows->shown || !stint_nvprof_rows_next(rows, next, &row))
        return 0;
    if (rows->whole_ns)
        stint_sheet_number(sheet, SHARE, 100.0 * (double)row.numbers.total_ns / (double)rows->whole_ns);
    stint_sheet_value(sheet, TOTAL, row.numbers.total_ns);
    stint_sheet_value(sheet, COUNT, row.numbers.count);
    stint_sheet_value(sheet, AVG, stint_numbers_avg_ns(&row.numbers));
    stint_sheet_value(sheet, MIN, row.numbers.min_ns);
    stint_sheet_value(sheet, MAX, row.numbers.max_ns);
    stint_sheet_string(sheet, NAME, row.name);
    return 1;
}

/* Puts the rows in order, and writes the first ones. */
static void put_rows(const struct screen *screen, struct stint_nvprof_rows *rows, const struct stint_column *columns,
                     const char *whole)
{
    enum { NAME_LEAST = 16 };
    struct stint_sheet sheet = {.columns = columns,
                                .count = COLUMNS,
                                .next = next_row,
                                .context = rows,
                                .name_floor = NAME_LEAST,
                                .name_least = screen->layout.columns / 2};
    struct stint_rest rest = {.rows = rows->others, .part = rows->rest.numbers.total_ns, .whole = rows->whole_ns};
    if (!rows->order || !rows->shown)
        return;
    stint_sheet_fit(&sheet, &screen->layout);
    stint_text_string(screen->text, "\n");
    stint_sheet_put(&sheet, screen->text);
    stint_rest_put(&rest, whole, screen->text, &screen->layout);
}

/* Activities of one kind and name are adjacent. */
static size_t gather_gpu(struct stint_nvprof_row *rows, const struct stint_snapshot *snapshot)
{
    const struct stint_gpu_activity *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (!stint_gpu_occupies(activity->kind) || !activity->numbers.count)
            continue;
        if (!last || last->kind != activity->kind || strcmp(last->name, activity->name) != 0)
            rows[count++].name = activity->name;
        stint_gpu_add_numbers(&rows[count - 1].numbers, &activity->numbers);
        last = activity;
    }
    return count;
}

static size_t gather_stats(struct stint_nvprof_row *rows, const struct stint_snapshot *snapshot,
                           int (*is_wanted)(const struct stint_stat *stat))
{
    size_t count = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        if (is_wanted(stat) && stat->numbers.count)
            rows[count++] = (struct stint_nvprof_row){.name = stat->name, .numbers = stat->numbers};
    }
    return count;
}

static size_t gather_calls(struct stint_nvprof_row *rows, const struct stint_snapshot *snapshot)
{
    return gather_stats(rows, snapshot, stint_gpu_is_call);
}

static size_t gather_os_calls(struct stint_nvprof_row *rows, const struct stint_snapshot *snapshot)
{
    return gather_stats(rows, snapshot, stint_stat_is_os_call);
}

typedef size_t gather_fn(struct stint_nvprof_row *rows, const struct stint_snapshot *snapshot);

/* `most` rows are gathered at most. */
static void put_section(const struct screen *screen, gather_fn *gather, size_t most, const struct stint_column *columns,
                        const char *whole)
{
    struct stint_nvprof_rows rows = {.snapshot = screen->snapshot};
    struct stint_nvprof_row *all = stint_arena_alloc(&rows.arena, (most + 1) * sizeof *all);
    if (all) {
        stint_nvprof_rows_set(&rows, all, gather(all, screen->snapshot), screen->layout.sort, screen->layout.top);
        put_rows(screen, &rows, columns, whole);
    }
    stint_nvprof_rows_end(&rows);
}

/* ----------------------------------------------------------------------------------------------------------- report */

static void put_processes(const struct screen *screen)
{
    struct stint_layout layout = screen->layout;
    if (!screen->snapshot->process_count)
        return;
    layout.top = screen->is_limited ? PROCESSES_TOP : layout.top;
    stint_text_string(screen->text, "\n");
    stint_process_table_put(screen->text, screen->snapshot, &layout, 0);
}

/* Without the system's numbers, how many there are is all that is worth its lines. */
static void put_threads(const struct screen *screen)
{
    if (!stint_thread_table_has_cpu(screen->snapshot))
        return;
    stint_text_string(screen->text, "\n");
    stint_thread_table_put(screen->text, screen->snapshot, &screen->layout, 0);
}

static void put_system(const struct screen *screen)
{
    if (!stint_system_table_is_needed(screen->snapshot))
        return;
    stint_text_string(screen->text, "\n");
    stint_system_table_put(screen->text, screen->snapshot, &screen->layout);
}

/* What has a report of its own, and no section here. */
static void put_others(const struct screen *screen)
{
    struct stint_line line = {0};
    size_t count = 0;
    for (size_t i = 0; i < screen->snapshot->nvtx_value_count; i++)
        count += strcmp(screen->snapshot->nvtx_values[i].set, STINT_SYSTEM_SET) != 0;
    if (!count)
        return;
    stint_line_say(&line, "NVTX: %zu %s with numbers (--report nvtx_values)", count,
                   count == 1 ? "payload or counter" : "payloads and counters");
    stint_line_put(&line, screen->text, &screen->layout, STINT_LINE_DIM);
}

void stint_report_summary(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_layout *layout, int csv)
{
    (void)csv;
    struct screen screen = {.text = text,
                            .snapshot = snapshot,
                            .layout = *layout,
                            .summary = stint_summarize(snapshot),
                            .gpu = stint_gpu_summarize(snapshot)};
    screen.summary.recursive = 0; /* as in the tree */
    screen.is_limited = !layout->top;
    screen.layout.top = screen.is_limited ? TOP : layout->top;
    put_header(&screen);
    put_scopes(&screen);
    put_section(&screen, gather_gpu, snapshot->gpu_activity_count, s_gpu_columns, "the GPU time");
    stint_unified_table_put(text, snapshot, &screen.layout);
    put_section(&screen, gather_calls, snapshot->stat_count, s_call_columns, "the calls' time");
    put_section(&screen, gather_os_calls, snapshot->stat_count, s_os_columns, "the calls' time");
    put_threads(&screen);
    put_processes(&screen);
    put_system(&screen);
    put_others(&screen);
    stint_frame_short_footer(text, snapshot, &screen.summary, layout);
}
