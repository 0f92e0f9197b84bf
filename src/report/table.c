/* One row per statistic, by falling total, for people. Below: what GPUs did for no scope, and calls of CUDA's API. */
#include "report/columns.h"
#include "report/frame.h"
#include "report/label.h"
#include "report/line.h"
#include "report/report.h"

struct table {
    struct stint_text *text;
    const struct stint_snapshot *snapshot;
    const struct stint_layout *layout;
    const struct stint_gpu_sum *gpu;
    struct stint_columns columns;
};

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

static void lay_out_scopes(struct table *table, uint64_t whole_ns)
{
    const struct stint_snapshot *snapshot = table->snapshot;
    stint_columns_begin(&table->columns, STINT_COLUMN_P99, table->layout);
    stint_columns_add_gpu(&table->columns, table->gpu);
    table->columns.flat = 1;
    table->columns.whole_ns = whole_ns;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        struct stint_row row = row_of(&snapshot->stats[i]);
        if (!stint_gpu_is_call(&snapshot->stats[i]))
            stint_columns_measure(&table->columns, &row,
                                  stint_label_columns(stint_label_of(snapshot, &snapshot->stats[i])));
    }
    each_remainder(table, measure_name);
    stint_columns_fit(&table->columns, table->layout->columns / 3);
}

static void put_scopes(struct table *table)
{
    const struct stint_snapshot *snapshot = table->snapshot;
    stint_columns_header(&table->columns, table->text);
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        struct stint_row row = row_of(&snapshot->stats[i]);
        if (stint_gpu_is_call(&snapshot->stats[i]))
            continue;
        stint_columns_row(&table->columns, table->text, &row);
        stint_label_put(table->text, stint_label_of(snapshot, &snapshot->stats[i]), table->columns.name_columns);
        stint_text_string(table->text, "\n");
    }
    if (table->columns.column[STINT_COLUMN_GPU].shown)
        each_remainder(table, put_name);
}

/* ------------------------------------------------------------------------------------------------------- calls of CUDA */

enum { CALLS_MOST = 10 };

struct calls {
    size_t functions;
    uint64_t calls;
    uint64_t total_ns;
    uint64_t shown_ns;
};

/* Hands the functions that took longest to `handle`. */
static struct calls each_call(struct table *table, void (*handle)(struct table *table, const struct stint_stat *stat))
{
    struct calls calls = {0};
    for (size_t i = 0; i < table->snapshot->stat_count; i++) {
        const struct stint_stat *stat = &table->snapshot->stats[i];
        if (!stint_gpu_is_call(stat))
            continue;
        calls.calls += stat->numbers.count;
        calls.total_ns += stat->numbers.total_ns;
        if (calls.functions++ < CALLS_MOST) {
            calls.shown_ns = calls.total_ns;
            handle(table, stat);
        }
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
    stint_line_count(&line, calls->functions - CALLS_MOST, "more function", "more functions");
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
    if (calls.functions > CALLS_MOST)
        put_calls_rest(table, &calls);
    stint_text_string(table->text, "\n");
}

void stint_report_table(struct stint_text *text, const struct stint_snapshot *snapshot,
                        const struct stint_layout *layout)
{
    struct stint_summary summary = stint_summarize(snapshot);
    struct stint_gpu_sum gpu = stint_gpu_summarize(snapshot);
    struct table table = {.text = text, .snapshot = snapshot, .layout = layout, .gpu = &gpu};
    lay_out_scopes(&table, summary.measured_ns);
    stint_frame_title(text, snapshot, &summary, layout);
    if (summary.scopes || gpu.any)
        put_scopes(&table);
    put_calls(&table);
    stint_frame_footer(text, snapshot, &summary, layout);
}
