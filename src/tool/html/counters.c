/* Puts kernels' hardware counters on the page: those that have a column, the verdict, and the lines that the report
 * would print. */
#include "html/counters.h"

#include <math.h>

#include "formats/counter_report.h"
#include "html/column.h"
#include "html/json_lines.h"
#include "verdict/verdict.h"

enum { UNKNOWN = -1 };

static int64_t whole(double number)
{
    return isnan(number) || number < 0 ? UNKNOWN : number < 9e18 ? (int64_t)number : INT64_MAX;
}

static int64_t ppm_of_percent(double percent)
{
    return isnan(percent) ? UNKNOWN : whole(1e4 * percent);
}

/* --------------------------------------------------------------------------------------------------------- kernels */

static const struct stint_column s_kernel_columns[] = {
    {.key = "name"},  {.key = "launches"},  {.key = "counted"}, {.key = "ns"},
    {.key = "sm"},    {.key = "memory"},    {.key = "dram"},    {.key = "occupancy"},
    {.key = "bound"}, {.key = "certainty"}, {.key = "fp64"},    {.key = "suspect"},
};

static int next_kernel(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct stint_kernel_figures figures;
    if (!stint_counted_kernel_next(&figures, context, next))
        return 0;
    struct stint_verdict verdict = stint_verdict(&figures);
    int is_known = figures.counted && verdict.bound != STINT_BOUND_UNKNOWN;
    size_t i = 0; /* in the order of the columns */
    stint_sheet_string(sheet, i++, figures.kernel);
    stint_column_u64(sheet, i++, figures.launches);
    stint_column_u64(sheet, i++, figures.counted);
    stint_column_i64(sheet, i++, whole(figures.time_ns));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.sm));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.memory));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.dram));
    stint_column_i64(sheet, i++, ppm_of_percent(figures.occupancy));
    stint_sheet_string(sheet, i++, is_known ? stint_bound_name(verdict.bound) : "");
    stint_sheet_string(sheet, i++, is_known ? stint_certainty_word(verdict.certainty) : "");
    stint_column_i64(sheet, i++, whole(stint_fp64_instructions(&figures)));
    stint_column_i64(sheet, i, stint_precision(&figures) == STINT_PRECISION_SUSPECT);
    return 1;
}

static void put_lines(const struct stint_snapshot *snapshot, struct stint_json *json)
{
    struct stint_html_lines lines = {.json = json};
    struct stint_kernel_figures figures;
    stint_json_begin_rows(json, "counter_lines");
    for (size_t next = 0; stint_counted_kernel_next(&figures, snapshot, &next);) {
        struct stint_text text;
        stint_json_begin(json, "[");
        stint_text_begin(&text, stint_html_lines_put, &lines);
        stint_counted_kernel_put(&text, &figures);
        (void)stint_text_end(&text);
        stint_json_end(json, "]");
    }
    stint_json_end(json, "]");
}

/* ---------------------------------------------------------------------------------------------------------- scopes */

static const struct stint_column s_scope_columns[] = {
    {.key = "name"}, {.key = "counted"}, {.key = "ns"},   {.key = "dram"},
    {.key = "l2"},   {.key = "fp64"},    {.key = "fp32"}, {.key = "tensor"},
};

/* Sums over the launches that were counted. */
static int next_scope(void *context, size_t *next, struct stint_sheet *sheet)
{
    struct stint_kernel_figures figures;
    if (!stint_scope_figures_next(&figures, context, next))
        return 0;
    double launches = (double)figures.counted;
    size_t i = 0; /* in the order of the columns */
    stint_sheet_string(sheet, i++, figures.kernel);
    stint_column_u64(sheet, i++, figures.counted);
    stint_column_i64(sheet, i++, whole(launches * figures.time_ns));
    stint_column_i64(sheet, i++, whole(launches * (figures.dram_read + figures.dram_written)));
    stint_column_i64(sheet, i++, whole(launches * figures.l2_bytes));
    stint_column_i64(sheet, i++, whole(launches * stint_fp64_flops(&figures)));
    stint_column_i64(sheet, i++, whole(launches * stint_fp32_flops(&figures)));
    stint_column_i64(sheet, i, whole(launches * stint_tensor_flops(&figures)));
    return 1;
}

void stint_html_counters_put(const struct stint_snapshot *snapshot, struct stint_html_strings *strings,
                             struct stint_json *json)
{
    void *context = (void *)(uintptr_t)snapshot;
    struct stint_sheet kernels = {STINT_COLUMNS(s_kernel_columns), .next = next_kernel, .context = context};
    struct stint_sheet scopes = {STINT_COLUMNS(s_scope_columns), .next = next_scope, .context = context};
    stint_column_put_table(json, strings, "counters", &kernels);
    put_lines(snapshot, json);
    stint_column_put_table(json, strings, "counter_scopes", &scopes);
}
