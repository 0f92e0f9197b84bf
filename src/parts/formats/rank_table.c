/* One row for each scope, call of CUDA's API, and kind of GPU activity, over all ranks of a job; below, the ranks that
 * are slow. */
#include <string.h>

#include "formats/formats.h"
#include "report/line.h"
#include "report/row_order.h"
#include "report/summary.h"

enum { NAME_FLOOR = 16, INDENT = 2, DEPTH_MOST = 64, CALLS_MOST = 10 };

/* Which statistics or activities a table has. */
enum part { SCOPES, GPU_TIMES, CALLS, ACTIVITIES };

struct table {
    struct stint_text *text;
    const struct stint_snapshot *snapshot;
    enum part part;
    const size_t *order; /* of statistics; NULL: the snapshot's order */
    size_t end;          /* after the last row that is shown */
    uint64_t whole_ns;   /* 100 % */
    struct stint_tree_rows rows;
    uint32_t depth; /* of the current row of a tree */
    struct stint_label label;
};

/* ------------------------------------------------------------------------------------------------------------- flat */

static const struct stint_stat *stat_at(const struct table *table, size_t i)
{
    return &table->snapshot->stats[table->order ? table->order[i] : i];
}

/* Copies the numbers of row `i`. Returns 0 if it belongs to another table. */
static int read_numbers(const struct table *table, size_t i, struct stint_numbers *numbers)
{
    if (table->part == ACTIVITIES) {
        *numbers = table->snapshot->gpu_activities[i].numbers;
        return 1;
    }
    const struct stint_stat *stat = stat_at(table, i);
    if (table->part == GPU_TIMES) {
        *numbers = stint_rank_gpu_numbers(stat);
        return numbers->spread != NULL;
    }
    *numbers = stat->numbers;
    return stint_gpu_is_call(stat) == (table->part == CALLS);
}

static size_t count_of(const struct table *table)
{
    return table->part == ACTIVITIES ? table->snapshot->gpu_activity_count : table->snapshot->stat_count;
}

/* Self times of scopes add up to the whole, on GPUs with what no scope launched, and so do the times of the others. */
static struct stint_rest find_end(struct table *table, unsigned top)
{
    struct stint_rest rest = {0};
    size_t shown = 0;
    for (size_t i = 0; i < count_of(table); i++) {
        struct stint_numbers numbers;
        if (!read_numbers(table, i, &numbers))
            continue;
        uint64_t part = table->part <= GPU_TIMES ? numbers.self_ns : numbers.total_ns;
        rest.whole += part;
        if (stint_is_within(shown++, top)) {
            table->end = i + 1;
            continue;
        }
        rest.rows++;
        rest.part += part;
    }
    return rest;
}

static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct table *table = context;
    struct stint_numbers numbers;
    while (*next < table->end && !read_numbers(table, *next, &numbers))
        (*next)++;
    if ((*next)++ >= table->end)
        return 0;
    stint_rank_row_put(sheet, &numbers, table->whole_ns);
    if (table->part == ACTIVITIES) {
        stint_sheet_string(sheet, STINT_RANK_NAME, table->snapshot->gpu_activities[*next - 1].name);
        return 1;
    }
    const struct stint_stat *stat = stat_at(table, *next - 1);
    stint_rank_row_put_bytes(sheet, table->snapshot, stat);
    sheet->cell[STINT_RANK_NAME].label =
        table->part == CALLS ? (struct stint_label){"", stat->name} : stint_label_of(table->snapshot, stat);
    return 1;
}

static void put_part(struct table *table, enum part part, const char *title, const struct stint_layout *layout)
{
    unsigned top = layout->top || part != CALLS ? layout->top : CALLS_MOST;
    table->part = part;
    table->end = 0;
    struct stint_rest rest = find_end(table, top);
    if (!table->end)
        return;
    if (part == GPU_TIMES)
        rest.whole = stint_gpu_summarize(table->snapshot).total_ns;
    if (part != SCOPES)
        table->whole_ns = rest.whole;
    stint_text_string(table->text, title);
    struct stint_sheet sheet = {.columns = stint_rank_columns,
                                .count = STINT_RANK_COLUMNS,
                                .next = next_row,
                                .context = table,
                                .name_floor = NAME_FLOOR,
                                .name_least = layout->columns / 3};
    stint_sheet_fit(&sheet, layout);
    stint_sheet_put(&sheet, table->text);
    stint_rest_put(&rest, "the time", table->text, layout);
}

/* The statistics by GPU time. */
static const size_t *gpu_order(const struct stint_snapshot *snapshot, struct stint_arena *arena)
{
    struct stint_rank *ranks = stint_arena_alloc(arena, (snapshot->stat_count + 1) * sizeof *ranks);
    for (size_t i = 0; ranks && i < snapshot->stat_count; i++)
        ranks[i].value = stint_gpu_use_ns(&snapshot->stats[i].gpu);
    return ranks ? stint_rank_order(ranks, snapshot->stat_count, arena) : NULL;
}

/* What scopes, and so operations, had GPUs do; in that order unless another one is asked for. */
static void put_gpu_times(const struct table *table, const struct stint_layout *layout, struct stint_arena *arena)
{
    struct table by_gpu = *table;
    if (!by_gpu.order)
        by_gpu.order = gpu_order(table->snapshot, arena);
    put_part(&by_gpu, GPU_TIMES, "\nGPU time of scopes\n", layout);
}

/* ------------------------------------------------------------------------------------------------------------- tree */

static int next_context(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct table *table = context;
    if (*next == table->rows.count)
        return 0;
    size_t index = stint_tree_row_at(&table->rows, (*next)++);
    const struct stint_context *row = &table->snapshot->contexts[index];
    uint64_t whole_ns = stint_summary_is_apart(table->snapshot, index) ? 0 : table->whole_ns;
    stint_rank_row_put(sheet, &row->numbers, whole_ns);
    table->depth = row->depth < DEPTH_MOST ? row->depth : DEPTH_MOST;
    table->label = stint_label_of(table->snapshot, &table->snapshot->stats[row->stat]);
    sheet->cell[STINT_RANK_NAME].label = table->label;
    sheet->indent = INDENT * table->depth;
    return 1;
}

static void put_name(void *context, struct stint_text *text, size_t room)
{
    const struct table *table = context;
    size_t taken = INDENT * (size_t)table->depth;
    for (size_t i = 0; i < taken; i++)
        stint_text_string(text, " ");
    stint_label_put(text, table->label, room > taken ? room - taken : 1);
}

static void put_tree(struct table *table, const struct stint_layout *layout)
{
    struct stint_sheet sheet = {.columns = stint_rank_columns,
                                .count = STINT_RANK_COLUMNS,
                                .next = next_context,
                                .context = table,
                                .put_name = put_name,
                                .name_floor = NAME_FLOOR,
                                .name_least = layout->columns / 2};
    stint_tree_rows_begin(&table->rows, table->snapshot, layout, table->whole_ns, 1);
    stint_sheet_fit(&sheet, layout);
    if (table->snapshot->context_count)
        stint_sheet_put(&sheet, table->text);
    stint_rest_put(&table->rows.rest, "the time", table->text, layout);
    stint_tree_rows_end(&table->rows);
}

/* ----------------------------------------------------------------------------------------------------------- report */

/* "stint: solver, 4 ranks, 12 scopes, 1.234 s" */
static void put_title(struct stint_text *text, const struct stint_snapshot *snapshot,
                      const struct stint_summary *summary, const struct stint_layout *layout)
{
    struct stint_line line = {0};
    uintmax_t ranks = snapshot->process.ranks ? snapshot->process.ranks : 1;
    stint_line_say(&line, ", %ju rank%s, %zu scope%s, %s", ranks, ranks == 1 ? "" : "s", summary->scopes,
                   summary->scopes == 1 ? "" : "s", stint_time_text((double)snapshot->process.wall_ns).text);
    stint_frame_program(text, snapshot, &line, layout);
}

static void put_report(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout, int as_tree)
{
    struct stint_arena arena = {0};
    struct stint_summary summary = stint_summarize(snapshot);
    struct table table = {.text = text,
                          .snapshot = snapshot,
                          .whole_ns = summary.measured_ns,
                          .order = stint_stats_order(snapshot, layout->sort, &arena)};
    put_title(text, snapshot, &summary, layout);
    if (as_tree)
        put_tree(&table, layout);
    else
        put_part(&table, SCOPES, "", layout);
    put_gpu_times(&table, layout, &arena);
    if (!as_tree)
        put_part(&table, CALLS, "\nCUDA API calls\n", layout);
    put_part(&table, ACTIVITIES, "\nGPU activity\n", layout);
    stint_waiting_ranks_put(text, snapshot, layout);
    stint_slow_ranks_put(text, snapshot, &summary, layout);
    stint_frame_short_footer(text, snapshot, &summary, layout);
    stint_arena_free(&arena);
}

void stint_report_ranks(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout, int csv)
{
    if (csv)
        stint_rank_rows_csv(text, snapshot);
    else
        put_report(text, snapshot, layout, 0);
}

void stint_report_ranks_tree(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout, int csv)
{
    (void)csv;
    put_report(text, snapshot, layout, 1);
}
