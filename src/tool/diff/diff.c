/* Gathers the rows of snapshots, those of the same thing beside each other. */
#include "diff/diff.h"

#include <string.h>

#include "diff/metric.h"
#include "model/model.h"
#include "report/summary.h"
#include "stat/numbers.h"

/* A snapshot that is being gathered. */
struct file {
    const struct stint_snapshot *snapshot;
    struct stint_gpu_sum gpu;
    int side;
    size_t column; /* of its values, among those of all files */
};

struct stint_label stint_diff_label(const struct stint_diff_row *row)
{
    if (stint_diff_kind_is_counter(row->kind))
        return (struct stint_label){.set = row->name, .name = row->set};
    int with_set = row->kind == STINT_DIFF_SCOPE && !row->global;
    return (struct stint_label){.set = with_set ? row->set : "", .name = row->path};
}

enum stint_metric stint_diff_main_metric(const struct stint_diff_row *row)
{
    if (stint_diff_kind_is_counter(row->kind))
        return stint_counter_metric(row->set);
    return row->kind == STINT_DIFF_FUNCTION ? STINT_METRIC_SELF : STINT_METRIC_TOTAL;
}

const struct stint_diff_row *stint_diff_row_at(const struct stint_diff *diff, size_t position)
{
    return (const struct stint_diff_row *)diff->rows.items + position;
}

const struct stint_metric_value *stint_diff_value(const struct stint_diff *diff, const struct stint_diff_row *row,
                                                  int side, size_t file, enum stint_metric metric)
{
    return &row->values[(side ? diff->side[STINT_DIFF_A].count : 0) + file].of[metric];
}

/* ------------------------------------------------------------------------------------------------------------- rows */

static const struct stint_table_key s_row = STINT_TABLE_KEY(struct stint_diff_row, kind, parent, set, name);

/* "train/NVTX/step" */
static const char *join(struct stint_diff *diff, const struct stint_diff_row *like)
{
    const char *before = like->parent == STINT_DIFF_NO_ROW ? "" : stint_diff_row_at(diff, like->parent)->path;
    const char *parts[] = {before, *before ? "/" : "", like->global ? "" : like->set, like->global ? "" : "/",
                           like->name};
    size_t length = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        length += strlen(parts[i]);
    char *path = stint_arena_alloc(&diff->arena, length + 1), *at = path;
    for (size_t i = 0; path && i < sizeof parts / sizeof parts[0]; i++) {
        size_t part = strlen(parts[i]);
        memcpy(at, parts[i], part);
        at += part;
    }
    return path;
}

/* Gives a new row its path and its values. Returns 0, or -1 without memory. */
static int fill_row(struct stint_diff *diff, struct stint_diff_row *row)
{
    size_t files = diff->side[STINT_DIFF_A].count + diff->side[STINT_DIFF_B].count;
    row->path = row->kind == STINT_DIFF_CONTEXT ? join(diff, row) : row->name;
    row->values = stint_arena_alloc(&diff->arena, files * sizeof *row->values);
    return row->path && row->values ? 0 : -1;
}

/* Returns the row, which this file has, or NULL without memory. */
static struct stint_diff_row *row_like(struct stint_diff *diff, const struct file *file,
                                       const struct stint_diff_row *like)
{
    struct stint_diff_row *row = stint_table_take(&diff->rows, &s_row, &diff->arena, like);
    if (!row || (!row->values && fill_row(diff, row)))
        return NULL;
    row->files[file->side]++;
    return row;
}

/* Returns where the file's values of the row go, or NULL without memory. */
static struct stint_metric_values *values_for(struct stint_diff *diff, const struct file *file,
                                              const struct stint_diff_row *like)
{
    struct stint_diff_row *row = row_like(diff, file, like);
    return row ? &row->values[file->column] : NULL;
}

static struct stint_diff_row row_of(const struct file *file, enum stint_diff_kind kind, const struct stint_stat *stat)
{
    const struct stint_snapshot *snapshot = file->snapshot;
    int global = stint_gpu_is_call(stat) || (snapshot->set_count && strcmp(stat->set, snapshot->sets[0]) == 0);
    return (struct stint_diff_row){
        .kind = kind, .set = stat->set, .name = stat->name, .global = global, .parent = STINT_DIFF_NO_ROW};
}

/* ------------------------------------------------------------------------------------------------ scopes, API calls */

static void put_use(struct stint_metric_values *values, const struct file *file, const struct stint_gpu_use *use)
{
    if (file->gpu.any)
        stint_metric_put_use(values, use, stint_gpu_shown_ns(&file->gpu, use));
}

static int gather_stats(struct stint_diff *diff, const struct file *file)
{
    for (size_t i = 0; i < file->snapshot->stat_count; i++) {
        const struct stint_stat *stat = &file->snapshot->stats[i];
        int call = stint_gpu_is_call(stat);
        struct stint_diff_row like = row_of(file, call ? STINT_DIFF_API : STINT_DIFF_SCOPE, stat);
        struct stint_metric_values *values = values_for(diff, file, &like);
        if (!values)
            return -1;
        stint_metric_put_numbers(values, &stat->numbers, !call);
        if (!call)
            put_use(values, file, &stat->gpu);
    }
    return 0;
}

static int gather_contexts(struct stint_diff *diff, const struct file *file)
{
    struct stint_arena arena = {0};
    const struct stint_snapshot *snapshot = file->snapshot;
    size_t *rows = stint_arena_alloc(&arena, (snapshot->context_count + 1) * sizeof *rows);
    int result = rows ? 0 : -1;
    for (size_t i = 0; i < snapshot->context_count && !result; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        const struct stint_stat *stat = &snapshot->stats[context->stat];
        struct stint_diff_row like = row_of(file, STINT_DIFF_CONTEXT, stat);
        if (context->parent != STINT_NO_PARENT)
            like.parent = rows[context->parent];
        const struct stint_diff_row *row = row_like(diff, file, &like);
        if (!row) {
            result = -1;
            break;
        }
        rows[i] = stint_table_position(&diff->rows, &s_row, row);
        struct stint_metric_values *values = &row->values[file->column];
        stint_metric_put_numbers(values, &context->numbers, !stint_gpu_is_call(stat));
        put_use(values, file, &context->gpu);
    }
    stint_arena_free(&arena);
    return result;
}

/* ------------------------------------------------------------------------------------------------------------- GPUs */

static int is_same_activity(const struct stint_gpu_activity *a, const struct stint_gpu_activity *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

static int put_activity(struct stint_diff *diff, const struct file *file, const struct stint_gpu_activity *first,
                        const struct stint_numbers *numbers, uint64_t bytes)
{
    int kernel = first->kind == STINT_GPU_KERNEL;
    struct stint_diff_row like = {.kind = kernel ? STINT_DIFF_KERNEL : STINT_DIFF_COPY,
                                  .set = "",
                                  .name = first->name,
                                  .global = 1,
                                  .parent = STINT_DIFF_NO_ROW};
    struct stint_metric_values *values = values_for(diff, file, &like);
    if (!values)
        return -1;
    stint_metric_put_numbers(values, numbers, 0);
    values->of[STINT_METRIC_GPU] = values->of[STINT_METRIC_TOTAL];
    if (kernel)
        stint_metric_put_exact(values, STINT_METRIC_KERNELS, (double)numbers->count);
    else
        stint_metric_put_exact(values, STINT_METRIC_BYTES, (double)bytes);
    return 0;
}

/* Activities of the same kind and name are adjacent in a snapshot; those of all streams become one row. */
static int gather_activities(struct stint_diff *diff, const struct file *file)
{
    const struct stint_gpu_activity *activities = file->snapshot->gpu_activities;
    size_t count = file->snapshot->gpu_activity_count;
    for (size_t i = 0; i < count;) {
        const struct stint_gpu_activity *first = &activities[i];
        struct stint_numbers numbers = {0};
        uint64_t bytes = 0;
        for (; i < count && is_same_activity(first, &activities[i]); i++) {
            stint_sum_up(&bytes, activities[i].bytes);
            if (stint_numbers_add(&numbers, &activities[i].numbers, &diff->arena))
                return -1;
        }
        if (stint_gpu_occupies(first->kind) && numbers.count && put_activity(diff, file, first, &numbers, bytes))
            return -1;
    }
    return 0;
}

static int gather_counters(struct stint_diff *diff, const struct file *file)
{
    struct stint_counter counter;
    for (size_t next = 0; stint_counter_next(&counter, file->snapshot, &next);) {
        struct stint_diff_row like = {
            .kind = STINT_DIFF_COUNTER, .set = counter.name, .name = counter.kernel, .parent = STINT_DIFF_NO_ROW};
        struct stint_metric_values *values = values_for(diff, file, &like);
        if (!values)
            return -1;
        stint_metric_put_within(values, stint_diff_main_metric(&like), counter.value, counter.error);
    }
    return 0;
}

/* Counters of the same scope in several places add up. */
static int add_scope_counter(struct stint_diff *diff, const struct file *file, const struct stint_counter *counter,
                             const char *scope)
{
    struct stint_diff_row like = {
        .kind = STINT_DIFF_SCOPE_COUNTER, .set = counter->name, .name = scope, .parent = STINT_DIFF_NO_ROW};
    enum stint_metric metric = stint_diff_main_metric(&like);
    struct stint_diff_row *row = row_like(diff, file, &like);
    if (!row)
        return -1;
    struct stint_metric_value *value = &row->values[file->column].of[metric];
    row->files[file->side] -= value->known ? 1 : 0;
    stint_metric_put_within(&row->values[file->column], metric, (value->known ? value->value : 0) + counter->value,
                            counter->error);
    return 0;
}

/* Whether a part of "outer/inner" is in front of itself, as a scope is that runs within itself. */
static int is_repeated(const char *path, const char *part, size_t length)
{
    for (const char *at = path; at < part; at += strcspn(at, "/") + 1)
        if (strcspn(at, "/") == length && memcmp(at, part, length) == 0)
            return 1;
    return 0;
}

/* What was counted in a scope belongs to all scopes around it, too. */
static int gather_scope_counters(struct stint_diff *diff, const struct file *file)
{
    struct stint_counter counter;
    for (size_t next = 0; stint_scope_counter_next(&counter, file->snapshot, &next);) {
        size_t length;
        for (const char *at = counter.kernel; *at; at += length + (at[length] == '/')) {
            length = strcspn(at, "/");
            const char *scope = stint_arena_copy(&diff->arena, at, length);
            if (!scope)
                return -1;
            if (!is_repeated(counter.kernel, at, length) && add_scope_counter(diff, file, &counter, scope))
                return -1;
        }
    }
    return 0;
}

/* -------------------------------------------------------------------------------------------------------- functions */

static void add_time(struct stint_metric_values *values, enum stint_metric metric, uint64_t ns)
{
    if (ns)
        stint_metric_put(values, metric, values->of[metric].value + (double)ns);
}

/* Functions of the same name are one: the files that have them may be named otherwise in B. */
static int gather_functions(struct stint_diff *diff, const struct file *file, const struct stint_diff_functions *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct stint_diff_row like = {.kind = STINT_DIFF_FUNCTION,
                                      .set = "",
                                      .name = list->items[i].name,
                                      .global = 1,
                                      .parent = STINT_DIFF_NO_ROW};
        struct stint_metric_values *values = values_for(diff, file, &like);
        if (!values)
            return -1;
        add_time(values, STINT_METRIC_SELF, list->items[i].self_ns);
        add_time(values, STINT_METRIC_TOTAL, list->items[i].total_ns);
    }
    return 0;
}

static int is_known(const struct stint_diff *diff, const struct stint_diff_row *row, enum stint_metric metric)
{
    size_t files = diff->side[STINT_DIFF_A].count + diff->side[STINT_DIFF_B].count;
    for (size_t i = 0; i < files; i++)
        if (row->values[i].of[metric].known)
            return 1;
    return 0;
}

/* A function that no sample of a file met is not absent there: it took next to no time. */
static void finish_function(const struct stint_diff *diff, struct stint_diff_row *row)
{
    int has_self = is_known(diff, row, STINT_METRIC_SELF);
    struct stint_metric_values *values = row->values;
    for (int side = 0; side < STINT_DIFF_SIDES; side++) {
        row->files[side] = 0;
        for (size_t i = 0; i < diff->side[side].count; i++, values++) {
            const struct stint_diff_functions *list =
                diff->side[side].functions ? &diff->side[side].functions[i] : NULL;
            if (!list || !list->samples || !list->time_ns)
                continue;
            row->files[side]++;
            stint_metric_put_sampled(values, STINT_METRIC_TOTAL, list->samples, list->time_ns);
            if (has_self)
                stint_metric_put_sampled(values, STINT_METRIC_SELF, list->samples, list->time_ns);
        }
    }
}

static void finish_functions(struct stint_diff *diff)
{
    struct stint_diff_row *rows = diff->rows.items;
    for (size_t i = 0; i < diff->rows.count; i++)
        if (rows[i].kind == STINT_DIFF_FUNCTION)
            finish_function(diff, &rows[i]);
}

/* ----------------------------------------------------------------------------------------------------------- totals */

static struct stint_metric_values *total_for(struct stint_diff *diff, const struct file *file, const char *name)
{
    struct stint_diff_row like = {
        .kind = STINT_DIFF_TOTAL, .set = "", .name = name, .global = 1, .parent = STINT_DIFF_NO_ROW};
    return values_for(diff, file, &like);
}

static int put_total(struct stint_diff *diff, const struct file *file, const char *name, double count, double ns)
{
    struct stint_metric_values *values = total_for(diff, file, name);
    if (!values)
        return -1;
    stint_metric_put_exact(values, STINT_METRIC_COUNT, count);
    stint_metric_put(values, STINT_METRIC_TOTAL, ns);
    return 0;
}

static int gather_gpu_total(struct stint_diff *diff, const struct file *file)
{
    double count = 0, bytes = 0;
    for (size_t i = 0; i < file->snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &file->snapshot->gpu_activities[i];
        int occupies = stint_gpu_occupies(activity->kind);
        count += occupies ? (double)activity->numbers.count : 0;
        bytes += occupies ? (double)activity->bytes : 0;
    }
    struct stint_metric_values *values = total_for(diff, file, "gpu");
    if (!values)
        return -1;
    stint_metric_put_exact(values, STINT_METRIC_COUNT, count);
    stint_metric_put(values, STINT_METRIC_TOTAL, (double)file->gpu.total_ns);
    stint_metric_put(values, STINT_METRIC_GPU, (double)file->gpu.total_ns);
    stint_metric_put_exact(values, STINT_METRIC_KERNELS, (double)file->gpu.kernels);
    stint_metric_put_exact(values, STINT_METRIC_BYTES, bytes);
    return 0;
}

static int gather_totals(struct stint_diff *diff, const struct file *file)
{
    const struct stint_snapshot *snapshot = file->snapshot;
    struct stint_summary summary = stint_summarize(snapshot);
    double calls = 0, call_ns = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        int call = stint_gpu_is_call(&snapshot->stats[i]);
        calls += call ? (double)snapshot->stats[i].numbers.count : 0;
        call_ns += call ? (double)snapshot->stats[i].numbers.total_ns : 0;
    }
    struct stint_metric_values *wall = total_for(diff, file, "wall");
    if (!wall)
        return -1;
    stint_metric_put(wall, STINT_METRIC_TOTAL, (double)snapshot->process.wall_ns);
    if (summary.scopes && put_total(diff, file, "scopes", (double)summary.activations, (double)summary.measured_ns))
        return -1;
    if (calls > 0 && put_total(diff, file, "api", calls, call_ns))
        return -1;
    return file->gpu.any ? gather_gpu_total(diff, file) : 0;
}

/* -------------------------------------------------------------------------------------------------------------- all */

static int gather(struct stint_diff *diff, int side, size_t i)
{
    const struct stint_snapshot *snapshot = diff->side[side].snapshots[i];
    struct file file = {.snapshot = snapshot,
                        .gpu = stint_gpu_summarize(snapshot),
                        .side = side,
                        .column = (side ? diff->side[STINT_DIFF_A].count : 0) + i};
    if (gather_totals(diff, &file) || gather_stats(diff, &file) || gather_contexts(diff, &file))
        return -1;
    if (gather_activities(diff, &file) || gather_counters(diff, &file) || gather_scope_counters(diff, &file))
        return -1;
    return diff->side[side].functions ? gather_functions(diff, &file, &diff->side[side].functions[i]) : 0;
}

int stint_diff_begin(struct stint_diff *diff, const struct stint_diff_side *a, const struct stint_diff_side *b)
{
    *diff = (struct stint_diff){.side = {*a, *b}};
    for (int side = 0; side < STINT_DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->side[side].count; i++)
            if (gather(diff, side, i))
                return -1;
    finish_functions(diff);
    return 0;
}

void stint_diff_free(struct stint_diff *diff)
{
    stint_arena_free(&diff->arena);
}
