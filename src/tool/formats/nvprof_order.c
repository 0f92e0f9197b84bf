/* The rows of nvprof's summary in an order other than by time, or only some of them; and the units of its columns. */
#include <string.h>

#include "formats/nvprof.h"
#include "report/line.h"
#include "report/row_order.h"

/* ------------------------------------------------------------------------------------------------------------- rows */

static size_t count_rows(const struct stint_snapshot *snapshot, enum stint_nvprof_group group)
{
    struct stint_nvprof_row row;
    size_t count = 0;
    for (size_t next = 0; stint_nvprof_next(snapshot, group, &next, &row);)
        count++;
    return count;
}

static void name_rest(struct stint_nvprof_rows *rows)
{
    struct stint_line line = {0};
    stint_line_string(&line, "… ");
    stint_line_count(&line, rows->others, "more row", "more rows");
    stint_line_string(&line, stint_rest_hint(0));
    memcpy(rows->rest_name, line.text, line.used + 1);
}

/* Combines the rows beyond the first `top` into one. */
static void cut(struct stint_nvprof_rows *rows, size_t count, unsigned top)
{
    rows->shown = stint_is_within(count, top) ? count : top;
    rows->others = count - rows->shown;
    for (size_t i = rows->shown; i < count; i++)
        stint_gpu_add_numbers(&rows->rest.numbers, &rows->row[rows->order[i]].numbers);
    if (rows->others)
        name_rest(rows);
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
        rows->whole_ns += all[i].numbers.total_ns;
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
