/* What nvprof's tables have in common: the lines around them, with their prefix and warnings, and the rows of each
 * group and their order, so that tables, CSV and sums cannot differ. */
#include "formats/nvprof.h"

#include <string.h>

#include "base/text.h"
#include "report/line.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "report/summary.h"
#include "stat/numbers.h"
#include "stint/gpu.h"

/* ------------------------------------------------------------------------------------------------------------ lines */

void stint_nvprof_begin(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    if (snapshot->process.pid)
        stint_text_say(text, "==%jd== ", snapshot->process.pid);
    else
        stint_text_string(text, "======== ");
}

void stint_nvprof_name(struct stint_text *text, const char *name)
{
    stint_label_put(text, (struct stint_label){.set = "", .name = name}, SIZE_MAX);
}

void stint_nvprof_quoted_device(struct stint_text *text, const struct stint_gpu_device *device)
{
    stint_text_string(text, "\"");
    stint_csv_content(text, *device->name ? device->name : "Device");
    stint_text_say(text, " (%ju)\"", (uintmax_t)device->id);
}

void stint_nvprof_warn(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "Warning: ");
}

static void put_warning(struct stint_text *text, const struct stint_snapshot *snapshot, const struct stint_line *line)
{
    if (!line->used)
        return;
    stint_nvprof_warn(text, snapshot);
    stint_text_say(text, "%s\n", line->text);
}

/* nvprof had messages for two of these losses; their words are kept. */
static void put_loss(struct stint_text *text, const struct stint_loss *loss)
{
    if (strcmp(loss->key, "gpu_records") == 0)
        stint_text_say(text,
                       "%ju records were dropped due to insufficient device buffer space. Collect less with "
                       "STINT_GPU=kernels.\n",
                       loss->count);
    else if (strcmp(loss->key, "gpu_invalid") == 0)
        stint_text_say(text, "%ju records have invalid timestamps.\n", loss->count);
    else
        stint_text_say(text, "dropped: %ju %s%s%s (%s)\n", loss->count, loss->noun, loss->plural, loss->rest,
                       loss->remedy);
}

static void put_losses(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    for (size_t i = 0; i < STINT_LOSSES; i++) {
        struct stint_loss loss = stint_loss_at(&snapshot->dropped, i);
        if (!loss.count)
            continue;
        stint_nvprof_warn(text, snapshot);
        put_loss(text, &loss);
    }
}

/* nvprof said nothing of what its user had switched off, and recorded all calls otherwise. */
static void put_left_out(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    struct stint_line line = {0};
    if (snapshot->gpu.what & STINT_GPU_API && !(snapshot->gpu.what & STINT_GPU_EVERY_CALL))
        stint_gpu_note_left_out(&line, &snapshot->gpu);
    put_warning(text, snapshot, &line);
}

static void put_unmeasured(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    struct stint_line line = {0};
    stint_gpu_note_unmeasured(&line, snapshot);
    put_warning(text, snapshot, &line);
}

static void put_why_not(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    int failed = stint_gpu_has_failed(&snapshot->gpu);
    if (!failed && snapshot->gpu.collected)
        return;
    stint_nvprof_warn(text, snapshot);
    stint_nvprof_name(text, failed ? snapshot->gpu.reason
                                   : "GPU activity was not collected. Set STINT_GPU=on, or call stint_gpu_start().");
    stint_text_string(text, "\n");
}

void stint_nvprof_head(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "Profiling application: ");
    stint_nvprof_name(text, *snapshot->process.command ? snapshot->process.command : "(unknown)");
    stint_text_string(text, "\n");
    put_why_not(text, snapshot);
    put_unmeasured(text, snapshot);
    put_left_out(text, snapshot);
    put_losses(text, snapshot);
}

void stint_nvprof_result(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "Profiling result:\n");
}

void stint_nvprof_put_clock(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    if (snapshot->gpu.clock_error_ns > 0) {
        stint_nvprof_begin(text, snapshot);
        stint_text_say(text, "Clock: times of host and GPUs are within %.0f ns of each other.\n",
                       snapshot->gpu.clock_error_ns);
    }
    if (snapshot->gpu.early) {
        stint_nvprof_warn(text, snapshot);
        stint_text_say(text, "%ju events seemed to begin before their launch, and were moved to it.\n",
                       snapshot->gpu.early);
    }
}

/* ------------------------------------------------------------------------------------------------------------- rows */

/* Unified memory has a table of its own. */
int stint_nvprof_is_row(const struct stint_gpu_activity *activity)
{
    return stint_gpu_occupies(activity->kind) && activity->kind != STINT_GPU_UNIFIED && activity->numbers.count;
}

/* Activities of one kind and name are adjacent. */
static int next_activity(const struct stint_snapshot *snapshot, size_t *next, struct stint_nvprof_row *row)
{
    const struct stint_gpu_activity *first = NULL;
    for (; *next < snapshot->gpu_activity_count; (*next)++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[*next];
        if (!stint_nvprof_is_row(activity))
            continue;
        if (!first)
            first = activity;
        if (activity->kind != first->kind || strcmp(activity->name, first->name) != 0)
            break;
        row->name = activity->name;
        stint_gpu_add_numbers(&row->numbers, &activity->numbers);
    }
    return first != NULL;
}

static int next_call(const struct stint_snapshot *snapshot, size_t *next, struct stint_nvprof_row *row)
{
    while (*next < snapshot->stat_count) {
        const struct stint_stat *stat = &snapshot->stats[(*next)++];
        if (!stint_gpu_is_call(stat) || !stat->numbers.count)
            continue;
        row->name = stat->name;
        stint_gpu_add_numbers(&row->numbers, &stat->numbers);
        return 1;
    }
    return 0;
}

int stint_nvprof_next(const struct stint_snapshot *snapshot, enum stint_nvprof_group group, size_t *next,
                      struct stint_nvprof_row *row)
{
    *row = (struct stint_nvprof_row){0};
    switch (group) {
    case STINT_NVPROF_GPU:
        return next_activity(snapshot, next, row);
    case STINT_NVPROF_API:
        return next_call(snapshot, next, row);
    default:
        return 0;
    }
}

uint64_t stint_nvprof_whole_ns(const struct stint_snapshot *snapshot, enum stint_nvprof_group group)
{
    uint64_t whole = 0;
    struct stint_nvprof_row row;
    for (size_t next = 0; stint_nvprof_next(snapshot, group, &next, &row);)
        stint_sum_up(&whole, row.numbers.total_ns);
    return whole;
}

int stint_nvprof_put_empty(struct stint_text *text, const struct stint_snapshot *snapshot, unsigned groups)
{
    static const char *const lines[] = {
        [STINT_NVPROF_GPU] = "No kernels were profiled.\n", [STINT_NVPROF_API] = "No API activities were profiled.\n"};
    int any = 0;
    for (enum stint_nvprof_group group = 0; group < STINT_NVPROF_GROUPS; group++) {
        struct stint_nvprof_row row;
        size_t next = 0;
        if (!(groups >> group & 1))
            continue;
        if (stint_nvprof_next(snapshot, group, &next, &row))
            any = 1;
        else
            stint_text_string(text, lines[group]);
    }
    return any;
}

const char *stint_nvprof_group_name(enum stint_nvprof_group group)
{
    static const char *const names[] = {
        [STINT_NVPROF_RANGE] = "Range", [STINT_NVPROF_GPU] = "GPU activities", [STINT_NVPROF_API] = "API calls"};
    return names[group];
}

/* --------------------------------------------------------------------------------------------------- unified memory */

static int is_cpu_fault(const struct stint_gpu_activity *activity)
{
    return activity->kind == STINT_GPU_FAULT &&
           strcmp(activity->name, stint_gpu_fault_names[STINT_GPU_FAULT_HOST]) == 0;
}

static int is_move(const struct stint_gpu_activity *activity)
{
    return activity->kind == STINT_GPU_UNIFIED || (activity->kind == STINT_GPU_FAULT && !is_cpu_fault(activity));
}

static void name_move(struct stint_nvprof_move *move, const struct stint_gpu_activity *activity)
{
    int thrashes = strcmp(activity->name, stint_gpu_fault_names[STINT_GPU_FAULT_THRASHING]) == 0;
    move->name = activity->direction ? stint_gpu_direction_words[activity->direction].nvprof : activity->name;
    if (activity->kind != STINT_GPU_FAULT)
        return;
    move->name = thrashes ? "Memory thrashes" : "Gpu page fault groups";
    move->faults = thrashes ? "thrashing" : "page faults";
}

static void add_move(struct stint_nvprof_move *move, const struct stint_gpu_activity *activity)
{
    if (!move->count || activity->min_bytes < move->min_bytes)
        move->min_bytes = activity->min_bytes;
    if (activity->max_bytes > move->max_bytes)
        move->max_bytes = activity->max_bytes;
    stint_sum_up(&move->count, activity->numbers.count);
    stint_sum_up(&move->total_ns, activity->numbers.total_ns);
    stint_sum_up(&move->bytes, activity->bytes);
}

int stint_nvprof_next_move(const struct stint_snapshot *snapshot, uint32_t device, size_t *next,
                           struct stint_nvprof_move *move)
{
    const struct stint_gpu_activity *first = NULL;
    *move = (struct stint_nvprof_move){0};
    for (; *next < snapshot->gpu_activity_count; (*next)++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[*next];
        if (!is_move(activity) || activity->device != device)
            continue;
        if (!first)
            first = activity;
        if (activity->kind != first->kind || strcmp(activity->name, first->name) != 0)
            break;
        name_move(move, activity);
        add_move(move, activity);
    }
    return first != NULL;
}

int stint_nvprof_has_moves(const struct stint_snapshot *snapshot, uint64_t *device)
{
    uint64_t least = UINT64_MAX;
    int found = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (!is_move(activity) || activity->device < *device)
            continue;
        found = 1;
        least = activity->device < least ? activity->device : least;
    }
    *device = least;
    return found;
}

uint64_t stint_nvprof_cpu_faults(const struct stint_snapshot *snapshot)
{
    uint64_t faults = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        if (is_cpu_fault(&snapshot->gpu_activities[i]))
            stint_sum_up(&faults, snapshot->gpu_activities[i].bytes);
    return faults;
}

int stint_nvprof_has_unified(const struct stint_snapshot *snapshot)
{
    uint64_t device = 0;
    return stint_nvprof_has_moves(snapshot, &device) || stint_nvprof_cpu_faults(snapshot);
}

void stint_nvprof_begin_unified(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    stint_text_string(text, "\n");
    stint_nvprof_begin(text, snapshot);
    stint_text_string(text, "Unified Memory profiling result:\n");
}

void stint_nvprof_put_cpu_faults(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    uint64_t faults = stint_nvprof_cpu_faults(snapshot);
    if (!faults)
        return;
    stint_text_say(text, "Total CPU Page faults: %ju\n", faults);
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static size_t count_rows(const struct stint_snapshot *snapshot, enum stint_nvprof_group group)
{
    struct stint_nvprof_row row;
    size_t count = 0;
    for (size_t next = 0; stint_nvprof_next(snapshot, group, &next, &row);)
        count++;
    return count;
}

/* Combines the rows beyond the first `top` into one. */
static void cut(struct stint_nvprof_rows *rows, size_t count, unsigned top)
{
    rows->shown = stint_is_within(count, top) ? count : top;
    rows->others = count - rows->shown;
    for (size_t i = rows->shown; i < count; i++)
        stint_gpu_add_numbers(&rows->rest.numbers, &rows->row[rows->order[i]].numbers);
    struct stint_line line = {0};
    stint_line_say(&line, "… %zu more row%s%s", rows->others, rows->others == 1 ? "" : "s", stint_rest_hint(0));
    memcpy(rows->rest_name, line.text, line.used + 1);
}

void stint_nvprof_rows_begin(struct stint_nvprof_rows *rows, const struct stint_snapshot *snapshot,
                             enum stint_nvprof_group group, enum stint_sort sort, unsigned top)
{
    *rows = (struct stint_nvprof_rows){
        .snapshot = snapshot, .group = group, .whole_ns = stint_nvprof_whole_ns(snapshot, group)};
    size_t count = count_rows(snapshot, group), i = 0;
    if (!sort && stint_is_within(count, top))
        return;
    struct stint_nvprof_row *all = stint_arena_alloc(&rows->arena, (count + 1) * sizeof *all);
    if (!all)
        return;
    for (size_t next = 0; stint_nvprof_next(snapshot, group, &next, &all[i]);)
        i++;
    stint_nvprof_rows_set(rows, all, count, sort, top);
}

void stint_nvprof_rows_set(struct stint_nvprof_rows *rows, struct stint_nvprof_row *all, size_t count,
                           enum stint_sort sort, unsigned top)
{
    struct stint_rank *ranks = stint_arena_alloc(&rows->arena, (count + 1) * sizeof *ranks);
    rows->whole_ns = 0;
    for (size_t i = 0; i < count; i++)
        stint_sum_up(&rows->whole_ns, all[i].numbers.total_ns);
    for (size_t i = 0; ranks && i < count; i++) {
        all[i].numbers.self_ns = all[i].numbers.total_ns;
        ranks[i] = stint_rank_of(sort, &all[i].numbers, 1, "", all[i].name);
    }
    rows->row = all;
    rows->order = ranks ? stint_rank_order(ranks, count, &rows->arena) : NULL;
    if (rows->order)
        cut(rows, count, top);
}

int stint_nvprof_rows_next(const struct stint_nvprof_rows *rows, size_t *next, struct stint_nvprof_row *row)
{
    if (!rows->order)
        return rows->snapshot && stint_nvprof_next(rows->snapshot, rows->group, next, row);
    if (*next < rows->shown) {
        *row = rows->row[rows->order[(*next)++]];
        return 1;
    }
    if (*next > rows->shown || !rows->others)
        return 0;
    (*next)++;
    *row = rows->rest;
    row->name = rows->rest_name;
    return 1;
}

void stint_nvprof_rows_end(struct stint_nvprof_rows *rows)
{
    stint_arena_free(&rows->arena);
}

/* ------------------------------------------------------------------------------------------------------------ units */

void stint_nvprof_times_of(const struct stint_nvprof_row *row, uint64_t times[STINT_NVPROF_TIMES])
{
    times[0] = row->numbers.total_ns;
    times[1] = stint_numbers_avg_ns(&row->numbers);
    times[2] = row->numbers.min_ns;
    times[3] = row->numbers.max_ns;
}

void stint_nvprof_choose_units(const struct stint_nvprof_rows groups[STINT_NVPROF_GROUPS], enum stint_time_unit wanted,
                               int always, struct stint_nvprof_unit units[STINT_NVPROF_TIMES])
{
    uint64_t greatest[STINT_NVPROF_TIMES] = {0};
    for (size_t group = 0; group < STINT_NVPROF_GROUPS; group++) {
        struct stint_nvprof_row row;
        for (size_t next = 0; stint_nvprof_rows_next(&groups[group], &next, &row);) {
            uint64_t times[STINT_NVPROF_TIMES];
            stint_nvprof_times_of(&row, times);
            for (size_t i = 0; i < STINT_NVPROF_TIMES; i++)
                greatest[i] = times[i] > greatest[i] ? times[i] : greatest[i];
        }
    }
    for (size_t i = 0; i < STINT_NVPROF_TIMES; i++)
        units[i] = stint_nvprof_column_unit(wanted, greatest[i], always);
}
