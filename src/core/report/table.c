/* For people: one row per statistic, by falling total. Below: GPU activity of no scope. */
#include "report/line.h"
#include "report/report.h"
#include "report/row_order.h"
#include "report/sheet.h"
#include "report/summary.h"
#include "stat/numbers.h"

void stint_table_calls(struct stint_text *text, const struct stint_snapshot *snapshot,
                       const struct stint_layout *layout, const size_t *order, struct stint_sheet *sheet)
    __attribute__((weak));

struct table {
    struct stint_text *text;
    const struct stint_snapshot *snapshot;
    const struct stint_layout *layout;
    const struct stint_gpu_sum *gpu;
    const size_t *order; /* of all statistics; NULL: the snapshot's order */
    size_t end;          /* after the last statistic that is shown */
    struct stint_scope_whole whole;
    struct stint_sheet sheet;
};

static const struct stint_stat *stat_at(const struct table *table, size_t i)
{
    return &table->snapshot->stats[table->order ? table->order[i] : i];
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* The total, as if it belonged to one scope. */
static struct stint_gpu_use total_of(const struct stint_gpu_sum *sum)
{
    return (struct stint_gpu_use){.kernels = sum->kernels,
                                  .kernel_ns = sum->spans ? 0 : sum->total_ns,
                                  .spans = 1,
                                  .span_ns = sum->spans ? sum->total_ns : 0};
}

/* Fills a row with GPU activity that belongs to no scope, or with the sum of all activity; `next` counts these rows
 * from 0. */
static int next_remainder(struct table *table, size_t *next, size_t first, struct stint_sheet *sheet)
{
    static const char names[][16] = {"(no scope)", "(unattributed)", "(all GPUs)"};
    struct stint_gpu_use total = total_of(table->gpu);
    const struct stint_gpu_use *const uses[] = {&table->gpu->no_scope, &table->gpu->unattributed, &total};
    while (*next - first < 3 && stint_sheet_shows(sheet, STINT_SCOPE_GPU)) {
        size_t i = (*next)++ - first;
        if (!stint_gpu_is_used(uses[i]))
            continue;
        stint_scope_put_gpu(sheet, &table->whole, uses[i], NULL);
        stint_sheet_string(sheet, STINT_SCOPE_NAME, names[i]);
        return 1;
    }
    return 0;
}

static int next_scope(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct table *table = context;
    while (*next < table->end) {
        const struct stint_stat *stat = stat_at(table, (*next)++);
        if (stint_gpu_is_call(stat))
            continue;
        stint_scope_put_numbers(sheet, &table->whole, &stat->numbers);
        stint_scope_put_gpu(sheet, &table->whole, &stat->gpu, &stat->numbers);
        sheet->cell[STINT_SCOPE_NAME].label = stint_label_of(table->snapshot, stat);
        return 1;
    }
    return next_remainder(table, next, table->end, sheet);
}

/* Finds the last scope that is shown. The part of the scopes not shown is computed from self times, because these add
 * up to the whole. */
static struct stint_rest find_end_of_scopes(struct table *table)
{
    struct stint_rest rest = {0};
    size_t scopes = 0;
    table->end = 0;
    for (size_t i = 0; i < table->snapshot->stat_count; i++) {
        const struct stint_stat *stat = stat_at(table, i);
        if (stint_gpu_is_call(stat))
            continue;
        stint_sum_up(&rest.whole, stat->numbers.self_ns);
        if (stint_is_within(scopes++, table->layout->top)) {
            table->end = i + 1;
            continue;
        }
        rest.rows++;
        stint_sum_up(&rest.part, stat->numbers.self_ns);
    }
    return rest;
}

void stint_report_table(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct stint_summary summary = stint_summarize(snapshot);
    struct stint_gpu_sum gpu = stint_gpu_sum_of(snapshot);
    struct stint_arena arena = {0};
    struct table table = {.text = text, .snapshot = snapshot, .layout = layout, .gpu = &gpu};
    table.order = stint_stats_order(snapshot, layout->sort, &arena);
    stint_frame_title(text, snapshot, &summary, layout);
    if (summary.scopes || gpu.any) {
        struct stint_rest rest = find_end_of_scopes(&table);
        table.whole = (struct stint_scope_whole){.ns = summary.measured_ns, .gpu = &gpu, .flat = 1};
        stint_scope_sheet_begin(&table.sheet, &table.whole, next_scope, &table, layout);
        stint_sheet_put(&table.sheet, text);
        stint_rest_put(&rest, "the time", text, layout);
    }
    if (stint_table_calls)
        stint_table_calls(text, snapshot, layout, table.order, &table.sheet);
    stint_frame_footer(text, snapshot, &summary, layout);
    stint_arena_free(&arena);
}
