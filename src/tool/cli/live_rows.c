/* Adds up by name what processes do at the moment, and puts it in order. */
#include "cli/live_rows.h"

#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------------- add */

static const struct stint_table_key s_row = STINT_TABLE_KEY_COPYING(struct stint_live_row, group, name);

static void add_row(struct stint_live_rows *rows, const struct stint_live_row *more)
{
    struct stint_live_row like = {.group = more->group, .name = more->name};
    struct stint_live_row *row = stint_table_take(&rows->all, &s_row, &rows->arena, &like);
    if (!row)
        return;
    row->total_ns += more->total_ns;
    row->self_ns += more->self_ns;
    row->count += more->count;
}

static void add_numbers(struct stint_live_rows *rows, const char *group, const char *name,
                        const struct stint_numbers *numbers)
{
    struct stint_live_row row = {group, name, numbers->total_ns + numbers->running_ns, numbers->self_ns,
                                 numbers->count};
    if (row.count || row.total_ns)
        add_row(rows, &row);
}

void stint_live_rows_add(struct stint_live_rows *rows, const struct stint_snapshot *snapshot)
{
    const char *global = snapshot->set_count ? snapshot->sets[0] : "";
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        if (activity->kind != STINT_GPU_OVERHEAD)
            add_numbers(rows, "GPU", activity->name, &activity->numbers);
    }
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        add_numbers(rows, strcmp(stat->set, global) == 0 ? "" : stat->set, stat->name, &stat->numbers);
    }
}

void stint_live_rows_since(struct stint_live_rows *rows, const struct stint_live_rows *now,
                           const struct stint_live_rows *before)
{
    for (size_t i = 0; i < now->all.count; i++) {
        struct stint_live_row row = *stint_live_row_at(now, i);
        const struct stint_live_row *old = stint_table_find(&before->all, &s_row, &row);
        if (old && old->count <= row.count && old->total_ns <= row.total_ns) {
            row.count -= old->count;
            row.total_ns -= old->total_ns;
            row.self_ns -= old->self_ns < row.self_ns ? old->self_ns : row.self_ns;
        }
        if (row.count || row.total_ns)
            add_row(rows, &row);
    }
}

/* ------------------------------------------------------------------------------------------------------------- sort */

static int compare_names(const struct stint_live_row *a, const struct stint_live_row *b)
{
    int order = strcmp(a->group, b->group);
    return order ? order : strcmp(a->name, b->name);
}

static int compare_values(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

#define COMPARE(name, value)                                                                                           \
    static int name(const void *left, const void *right)                                                               \
    {                                                                                                                  \
        const struct stint_live_row *a = left, *b = right;                                                             \
        int order = compare_values(a->value, b->value);                                                                \
        return order ? order : compare_names(a, b);                                                                    \
    }

COMPARE(by_total, total_ns)
COMPARE(by_self, self_ns)
COMPARE(by_count, count)

static int by_name(const void *left, const void *right)
{
    return compare_names(left, right);
}

void stint_live_rows_sort(struct stint_live_rows *rows, enum stint_live_order order)
{
    static int (*const s_compare[])(const void *, const void *) = {[STINT_LIVE_BY_TOTAL] = by_total,
                                                                   [STINT_LIVE_BY_SELF] = by_self,
                                                                   [STINT_LIVE_BY_COUNT] = by_count,
                                                                   [STINT_LIVE_BY_NAME] = by_name};
    if (rows->all.count > 1)
        qsort(rows->all.items, rows->all.count, sizeof(struct stint_live_row), s_compare[order]);
}

void stint_live_rows_free(struct stint_live_rows *rows)
{
    stint_arena_free(&rows->arena);
    *rows = (struct stint_live_rows){0};
}
