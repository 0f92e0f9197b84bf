/* For people: one row per statistic, by falling total. Below: GPU activity of no scope, and calls of CUDA's API. */
#include "report/columns.h"
#include "report/frame.h"
#include "report/label.h"
#include "report/line.h"
#include "report/report.h"
#include "report/row_order.h"

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

static void begin_sheet(struct table *table, stint_row_fn *next, uint64_t whole_ns, const struct stint_gpu_sum *gpu)
{
    table->whole = (struct stint_scope_whole){.ns = whole_ns, .gpu = gpu, .flat = 1};
    table->sheet = (struct stint_sheet){.columns = stint_scope_columns,
                                        .count = STINT_SCOPE_COLUMNS,
                                        .next = next,
                                        .context = table,
                                        .name_floor = STINT_SCOPE_NAME_FLOOR,
                                        .name_least = table->layout->columns / 3,
                                        .hidden = stint_scope_without_gpu(gpu)};
    stint_sheet_fit(&table->sheet, table->layout);
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
        rest.whole += stat->numbers.self_ns;
        if (stint_is_within(scopes++, table->layout->top)) {
            table->end = i + 1;
            continue;
        }
        rest.rows++;
        rest.part += stat->numbers.self_ns;
    }
    return rest;
}

/* ---------------------------------------------------------------------------------------------------- calls of CUDA */

enum { CALLS_MOST = 10 };

struct calls {
    size_t functions;
    uint64_t calls;
    uint64_t total_ns;
    size_t shown; /* number of functions */
    uint64_t shown_ns;
};

/* Finds the last function that is shown; these are the functions that took longest, unless the layout has another
 * order. */
static struct calls find_end_of_calls(struct table *table)
{
    struct calls calls = {0};
    unsigned most = table->layout->top ? table->layout->top : CALLS_MOST;
    table->end = 0;
    for (size_t i = 0; i < table->snapshot->stat_count; i++) {
        const struct stint_stat *stat = stat_at(table, i);
        if (!stint_gpu_is_call(stat))
            continue;
        calls.calls += stat->numbers.count;
        calls.total_ns += stat->numbers.total_ns;
        if (calls.functions++ >= most)
            continue;
        calls.shown++;
        calls.shown_ns += stat->numbers.total_ns;
        table->end = i + 1;
    }
    return calls;
}

static int next_call(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct table *table = context;
    while (*next < table->end) {
        const struct stint_stat *stat = stat_at(table, (*next)++);
        if (!stint_gpu_is_call(stat))
            continue;
        stint_scope_put_numbers(sheet, &table->whole, &stat->numbers);
        stint_sheet_string(sheet, STINT_SCOPE_NAME, stat->name);
        return 1;
    }
    return 0;
}

static void put_calls_title(struct table *table, const struct calls *calls)
{
    struct stint_line line = {0};
    stint_line_string(&line, "CUDA API calls: ");
    stint_line_count(&line, calls->calls, "call", "calls");
    stint_line_string(&line, " of ");
    stint_line_count(&line, calls->functions, "function", "functions");
    stint_line_string(&line, ", ");
    stint_line_time(&line, (double)calls->total_ns);
    stint_text_string(table->text, "\n");
    stint_line_put(&line, table->text, table->layout, STINT_LINE_PLAIN);
}

static void put_calls_rest(struct table *table, const struct calls *calls)
{
    struct stint_line line = {0};
    stint_line_string(&line, "and ");
    stint_line_count(&line, calls->functions - calls->shown, "more function", "more functions");
    stint_line_string(&line, ", ");
    stint_line_time(&line, (double)(calls->total_ns - calls->shown_ns));
    stint_line_put(&line, table->text, table->layout, STINT_LINE_PLAIN);
}

static void put_calls(struct table *table)
{
    struct calls calls = find_end_of_calls(table);
    if (!calls.functions)
        return;
    begin_sheet(table, next_call, calls.total_ns, NULL);
    put_calls_title(table, &calls);
    stint_sheet_put(&table->sheet, table->text);
    if (calls.functions > calls.shown)
        put_calls_rest(table, &calls);
    stint_text_string(table->text, "\n");
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
        begin_sheet(&table, next_scope, summary.measured_ns, &gpu);
        stint_sheet_put(&table.sheet, text);
        stint_rest_put(&rest, "the time", text, layout);
    }
    put_calls(&table);
    stint_frame_footer(text, snapshot, &summary, layout);
    stint_arena_free(&arena);
}
