/* One row per statistic, by falling total, for people. Below: what GPUs did for no scope, and calls of CUDA's API. */
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
    const size_t *order; /* of all statistics; NULL: as they are */
    struct stint_columns columns;
};

static const struct stint_stat *stat_at(const struct table *table, size_t i)
{
    return &table->snapshot->stats[table->order ? table->order[i] : i];
}

static struct stint_row row_of(const struct stint_stat *stat)
{
    return (struct stint_row){.numbers = &stat->numbers, .gpu = &stat->gpu};
}

/* ------------------------------------------------------------------------------------------------------------ scopes */

static const char no_scope[] = "(no scope)", unattributed[] = "(unattributed)", all[] = "(all GPUs)";

static void measure_name(struct table *table, const struct stint_gpu_use *use, const char *name)
{
    struct stint_row row = {.gpu = use};
    stint_columns_measure(&table->columns, &row, stint_label_columns((struct stint_label){"", name}));
}

static void put_name(struct table *table, const struct stint_gpu_use *use, const char *name)
{
    struct stint_row row = {.gpu = use};
    stint_columns_row(&table->columns, table->text, &row);
    stint_label_put(table->text, (struct stint_label){"", name}, table->columns.name_columns);
    stint_text_string(table->text, "\n");
}

/* The total as if one scope had it all. */
static struct stint_gpu_use total_of(const struct stint_gpu_sum *sum)
{
    return (struct stint_gpu_use){.kernels = sum->kernels,
                                  .kernel_ns = sum->spans ? 0 : sum->total_ns,
                                  .spans = 1,
                                  .span_ns = sum->spans ? sum->total_ns : 0};
}

/* Hands each row that is no scope's to `handle`. */
static void each_remainder(struct table *table,
                           void (*handle)(struct table *table, const struct stint_gpu_use *use, const char *name))
{
    struct stint_gpu_use total = total_of(table->gpu);
    if (!table->gpu->any)
        return;
    if (stint_gpu_is_used(&table->gpu->no_scope))
        handle(table, &table->gpu->no_scope, no_scope);
    if (stint_gpu_is_used(&table->gpu->unattributed))
        handle(table, &table->gpu->unattributed, unattributed);
    handle(table, &total, all);
}

/* Hands the scopes that are shown to `handle`. Of the others, self times are what adds up to the whole. */
static struct stint_rest each_scope(struct table *table,
                                    void (*handle)(struct table *table, const struct stint_stat *stat))
{
    struct stint_rest rest = {0};
    size_t scopes = 0;
    for (size_t i = 0; i < table->snapshot->stat_count; i++) {
        const struct stint_stat *stat = stat_at(table, i);
        if (stint_gpu_is_call(stat))
            continue;
        rest.whole += stat->numbers.self_ns;
        if (stint_is_within(scopes++, table->layout->top)) {
            handle(table, stat);
            continue;
        }
        rest.rows++;
        rest.part += stat->numbers.self_ns;
    }
    return rest;
}

static void measure_scope(struct table *table, const struct stint_stat *stat)
{
    struct stint_row row = row_of(stat);
    stint_columns_measure(&table->columns, &row, stint_label_columns(stint_label_of(table->snapshot, stat)));
}

static void put_scope(struct table *table, const struct stint_stat *stat)
{
    struct stint_row row = row_of(stat);
    stint_columns_row(&table->columns, table->text, &row);
    stint_label_put(table->text, stint_label_of(table->snapshot, stat), table->columns.name_columns);
    stint_text_string(table->text, "\n");
}

static void lay_out_scopes(struct table *table, uint64_t whole_ns)
{
    stint_columns_begin(&table->columns, STINT_COLUMN_P99, table->layout);
    stint_columns_add_gpu(&table->columns, table->gpu);
    table->columns.flat = 1;
    table->columns.whole_ns = whole_ns;
    each_scope(table, measure_scope);
    each_remainder(table, measure_name);
    stint_columns_fit(&table->columns, table->layout->columns / 3);
}

static void put_scopes(struct table *table)
{
    struct stint_rest rest;
    stint_columns_header(&table->columns, table->text);
    rest = each_scope(table, put_scope);
    if (table->columns.column[STINT_COLUMN_GPU].shown)
        each_remainder(table, put_name);
    stint_rest_put(&rest, "the time", table->text, table->layout);
}

/* ------------------------------------------------------------------------------------------------------- calls of CUDA */

enum { CALLS_MOST = 10 };

struct calls {
    size_t functions;
    uint64_t calls;
    uint64_t total_ns;
    size_t shown; /* functions */
    uint64_t shown_ns;
};

/* Hands the first functions to `handle`: those that took longest, unless they are sorted otherwise. */
static struct calls each_call(struct table *table, void (*handle)(struct table *table, const struct stint_stat *stat))
{
    struct calls calls = {0};
    unsigned most = table->layout->top ? table->layout->top : CALLS_MOST;
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
        handle(table, stat);
    }
    return calls;
}

static void measure_call(struct table *table, const struct stint_stat *stat)
{
    struct stint_row row = {.numbers = &stat->numbers};
    stint_columns_measure(&table->columns, &row, stint_label_columns((struct stint_label){"", stat->name}));
}

static void put_call(struct table *table, const struct stint_stat *stat)
{
    struct stint_row row = {.numbers = &stat->numbers};
    stint_columns_row(&table->columns, table->text, &row);
    stint_label_put(table->text, (struct stint_label){"", stat->name}, table->columns.name_columns);
    stint_text_string(table->text, "\n");
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
    struct calls calls;
    stint_columns_begin(&table->columns, STINT_COLUMN_P99, table->layout);
    table->columns.flat = 1;
    calls = each_call(table, measure_call);
    if (!calls.functions)
        return;
    table->columns.whole_ns = calls.total_ns;
    stint_columns_fit(&table->columns, table->layout->columns / 3);
    put_calls_title(table, &calls);
    stint_columns_header(&table->columns, table->text);
    each_call(table, put_call);
    if (calls.functions > calls.shown)
        put_calls_rest(table, &calls);
    stint_text_string(table->text, "\n");
}

void stint_report_table(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct stint_summary summary = stint_summarize(snapshot);
    struct stint_gpu_sum gpu = stint_gpu_summarize(snapshot);
    struct stint_arena arena = {0};
    struct table table = {.text = text, .snapshot = snapshot, .layout = layout, .gpu = &gpu};
    table.order = stint_stats_order(snapshot, layout->sort, &arena);
    lay_out_scopes(&table, summary.measured_ns);
    stint_frame_title(text, snapshot, &summary, layout);
    if (summary.scopes || gpu.any)
        put_scopes(&table);
    put_calls(&table);
    stint_frame_footer(text, snapshot, &summary, layout);
    stint_arena_free(&arena);
}
