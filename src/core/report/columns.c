/* Columns of time, count and GPU use that the table of statistics and the tree of contexts have in common, and how
 * their cells are filled. */
#include "report/sheet.h"

#include "report/row_order.h"

/* Total, count and name are never hidden. */
const struct stint_column stint_scope_columns[STINT_SCOPE_COLUMNS] = {
    [STINT_SCOPE_SHARE] = {.title = "Time", .unit = STINT_COLUMN_SHARE, .hide = 11},
    [STINT_SCOPE_TOTAL] = {.title = "Total", .unit = STINT_COLUMN_SUM},
    [STINT_SCOPE_ERROR] = {.title = "+/-", .unit = STINT_COLUMN_SUM, .hide = 13, .optional = 1},
    [STINT_SCOPE_SELF] = {.title = "Self", .unit = STINT_COLUMN_SUM, .hide = 9},
    [STINT_SCOPE_CPU] = {.title = "CPU", .unit = STINT_COLUMN_SUM, .hide = 12, .optional = 1},
    [STINT_SCOPE_COUNT] = {.title = "Count", .unit = STINT_COLUMN_COUNT},
    [STINT_SCOPE_AVG] = {.title = "Avg", .unit = STINT_COLUMN_TIME, .hide = 7},
    [STINT_SCOPE_MIN] = {.title = "Min", .unit = STINT_COLUMN_TIME, .hide = 2},
    [STINT_SCOPE_MAX] = {.title = "Max", .unit = STINT_COLUMN_TIME, .hide = 4},
    [STINT_SCOPE_P50] = {.title = "p50", .unit = STINT_COLUMN_TIME, .hide = 3, .optional = 1},
    [STINT_SCOPE_P90] = {.title = "p90", .unit = STINT_COLUMN_TIME, .hide = 1, .optional = 1},
    [STINT_SCOPE_P99] = {.title = "p99", .unit = STINT_COLUMN_TIME, .hide = 5, .optional = 1},
    [STINT_SCOPE_GPU] = {.title = "GPU", .unit = STINT_COLUMN_SUM, .hide = 12},
    [STINT_SCOPE_GPU_SHARE] = {.title = "GPU", .unit = STINT_COLUMN_SHARE, .hide = 10},
    [STINT_SCOPE_KERNELS] = {.title = "Kernels", .unit = STINT_COLUMN_COUNT, .hide = 8},
    [STINT_SCOPE_LAUNCH] = {.title = "Launch", .unit = STINT_COLUMN_SHARE, .hide = 6},
    [STINT_SCOPE_NAME] = {.title = "Name", .unit = STINT_COLUMN_NAME},
};

unsigned stint_scope_without_gpu(const struct stint_gpu_sum *sum)
{
    unsigned times = 1U << STINT_SCOPE_GPU | 1U << STINT_SCOPE_GPU_SHARE;
    unsigned kernels = 1U << STINT_SCOPE_KERNELS, launch = 1U << STINT_SCOPE_LAUNCH;
    if (!sum || !sum->any)
        return times | kernels | launch;
    return (sum->spans ? kernels : 0) | (sum->calls ? 0 : launch);
}

static void put_share(struct stint_sheet *sheet, size_t column, uint64_t part, uint64_t whole)
{
    if (whole && whole != UINT64_MAX)
        stint_sheet_number(sheet, column, 100.0 * (double)part / (double)whole);
}

void stint_scope_put_numbers(struct stint_sheet *sheet, const struct stint_scope_whole *whole,
                             const struct stint_numbers *numbers)
{
    uint64_t samples = stint_samples_of(numbers, whole->flat);
    stint_sheet_value(sheet, STINT_SCOPE_COUNT, numbers->count);
    stint_sheet_mark(sheet, STINT_SCOPE_COUNT, numbers->running != 0);
    if (numbers->count)
        stint_sheet_value(sheet, STINT_SCOPE_SELF, numbers->self_ns);
    if (numbers->self_error_ns > 0)
        stint_sheet_estimated(sheet, STINT_SCOPE_SELF);
    if (numbers->cpu_ns)
        stint_sheet_value(sheet, STINT_SCOPE_CPU, numbers->cpu_ns);
    if (samples) {
        put_share(sheet, STINT_SCOPE_SHARE, numbers->total_ns, whole->ns);
        stint_sheet_value(sheet, STINT_SCOPE_TOTAL, numbers->total_ns);
        if (numbers->left_out)
            stint_sheet_estimated(sheet, STINT_SCOPE_TOTAL);
        if (numbers->error_ns > 0)
            stint_sheet_value(sheet, STINT_SCOPE_ERROR, stint_whole_ns(numbers->error_ns));
        stint_sheet_value(sheet, STINT_SCOPE_AVG, numbers->total_ns / samples);
        stint_sheet_value(sheet, STINT_SCOPE_MIN, numbers->min_ns);
        stint_sheet_value(sheet, STINT_SCOPE_MAX, numbers->max_ns);
    }
    if (numbers->bin_count && stint_sheet_shows(sheet, STINT_SCOPE_P99)) {
        stint_sheet_value(sheet, STINT_SCOPE_P50, stint_numbers_percentile_ns(numbers, 0.50));
        stint_sheet_value(sheet, STINT_SCOPE_P90, stint_numbers_percentile_ns(numbers, 0.90));
        stint_sheet_value(sheet, STINT_SCOPE_P99, stint_numbers_percentile_ns(numbers, 0.99));
    }
}

void stint_scope_put_gpu(struct stint_sheet *sheet, const struct stint_scope_whole *whole,
                         const struct stint_gpu_use *use, const struct stint_numbers *numbers)
{
    uint64_t ns = stint_gpu_shown_ns(whole->gpu, use);
    if (use->launches && numbers && use->launch_ns <= numbers->total_ns) /* more are those of several threads */
        put_share(sheet, STINT_SCOPE_LAUNCH, use->launch_ns, numbers->total_ns);
    if (!stint_gpu_is_used(use))
        return;
    stint_sheet_value(sheet, STINT_SCOPE_GPU, ns);
    put_share(sheet, STINT_SCOPE_GPU_SHARE, ns, whole->gpu->total_ns);
    stint_sheet_value(sheet, STINT_SCOPE_KERNELS, use->kernels);
}

void stint_scope_sheet_begin(struct stint_sheet *sheet, const struct stint_scope_whole *whole, stint_row_fn *next,
                             void *context, const struct stint_layout *layout)
{
    *sheet = (struct stint_sheet){.columns = stint_scope_columns,
                                  .count = STINT_SCOPE_COLUMNS,
                                  .next = next,
                                  .context = context,
                                  .name_floor = STINT_SCOPE_NAME_FLOOR,
                                  .name_least = layout->columns / 3,
                                  .hidden = stint_scope_without_gpu(whole->gpu)};
    stint_sheet_fit(sheet, layout);
}
