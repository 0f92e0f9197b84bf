/* A row for each thing that ranks did: the mean over the ranks, the slowest and the fastest, and how unequal
 * they are. */
#include "formats/rank_rows.h"

#include <string.h>

#include "report/gpu_sum.h"
#include "report/summary.h"
#include "stat/spread.h"
#include "stat/words.h"

/* Of ranks' totals, but for the percentiles, which are of all activations of all ranks. */
const struct stint_column stint_rank_columns[STINT_RANK_COLUMNS] = {
    [STINT_RANK_KIND] = {.key = "kind"},
    [STINT_RANK_SET] = {.key = "set"},
    [STINT_RANK_SHARE] = {.key = "share_percent", .title = "Time", .unit = STINT_COLUMN_SHARE},
    [STINT_RANK_TOTAL] = {.key = "total_ns", .title = "Total", .unit = STINT_COLUMN_SUM, .hide = 8},
    [STINT_RANK_RANKS] = {.key = "ranks", .title = "Ranks", .unit = STINT_COLUMN_COUNT},
    [STINT_RANK_COUNT] = {.key = "calls", .title = "Calls", .unit = STINT_COLUMN_COUNT, .hide = 9},
    [STINT_RANK_MIN] = {.key = "min_ns", .title = "Min", .unit = STINT_COLUMN_SUM, .hide = 7},
    [STINT_RANK_MIN_RANK] = {.key = "min_rank", .title = "Rank", .hide = 6},
    [STINT_RANK_AVG] = {.key = "avg_ns", .title = "Avg", .unit = STINT_COLUMN_SUM},
    [STINT_RANK_MAX] = {.key = "max_ns", .title = "Max", .unit = STINT_COLUMN_SUM},
    [STINT_RANK_MAX_RANK] = {.key = "max_rank", .title = "Rank"},
    [STINT_RANK_STD] = {.key = "std_ns", .title = "Std", .unit = STINT_COLUMN_SUM, .hide = 5},
    [STINT_RANK_COV] = {.key = "cov_percent", .title = "CoV", .unit = STINT_COLUMN_SHARE, .hide = 4},
    [STINT_RANK_IMBALANCE] = {.key = "imbalance_percent", .title = "Imb", .unit = STINT_COLUMN_SHARE},
    [STINT_RANK_P50] = {.key = "p50_ns", .title = "p50", .unit = STINT_COLUMN_TIME, .hide = 2},
    [STINT_RANK_P90] = {.key = "p90_ns", .title = "p90", .unit = STINT_COLUMN_TIME, .hide = 1},
    [STINT_RANK_P99] = {.key = "p99_ns", .title = "p99", .unit = STINT_COLUMN_TIME, .hide = 3},
    [STINT_RANK_BYTES] = {.key = "bytes", .title = "Bytes", .unit = STINT_COLUMN_BYTES, .optional = 1, .hide = 10},
    [STINT_RANK_WAIT] = {.key = "wait_ns", .title = "Wait", .unit = STINT_COLUMN_SUM, .optional = 1},
    [STINT_RANK_NAME] = {.key = "name", .title = "Scope", .unit = STINT_COLUMN_NAME},
};

static void put_percentiles(struct stint_sheet *sheet, const struct stint_numbers *numbers)
{
    if (!numbers->bin_count)
        return;
    stint_sheet_value(sheet, STINT_RANK_P50, stint_numbers_percentile_ns(numbers, 0.50));
    stint_sheet_value(sheet, STINT_RANK_P90, stint_numbers_percentile_ns(numbers, 0.90));
    stint_sheet_value(sheet, STINT_RANK_P99, stint_numbers_percentile_ns(numbers, 0.99));
}

static uint64_t rounded(double value)
{
    return (uint64_t)(value + 0.5);
}

struct stint_numbers stint_rank_gpu_numbers(const struct stint_stat *stat)
{
    const struct stint_gpu_use *use = &stat->gpu;
    return (struct stint_numbers){.count = use->kernels + use->copies + use->sets,
                                  .total_ns = stint_gpu_use_ns(use),
                                  .self_ns = stint_gpu_use_ns(&stat->gpu_self),
                                  .spread = stint_gpu_is_call(stat) ? NULL : stat->gpu_spread};
}

uint64_t stint_rank_wait_ns(const struct stint_numbers *numbers)
{
    const struct stint_spread *spread = numbers->spread;
    uint64_t work_ns = spread ? spread->shortest_ns * spread->ranks : 0;
    return work_ns && work_ns < numbers->total_ns ? numbers->total_ns - work_ns : 0;
}

void stint_rank_row_put(struct stint_sheet *sheet, const struct stint_numbers *numbers, uint64_t whole_ns)
{
    struct stint_spread alone = stint_spread_of_rank(numbers, 0, "");
    const struct stint_spread *spread = numbers->spread ? numbers->spread : &alone;
    double mean = stint_spread_mean_ns(numbers), deviation = stint_spread_stddev_ns(numbers);
    if (whole_ns)
        stint_sheet_number(sheet, STINT_RANK_SHARE, 100 * (double)numbers->total_ns / (double)whole_ns);
    stint_sheet_value(sheet, STINT_RANK_TOTAL, numbers->total_ns);
    stint_sheet_value(sheet, STINT_RANK_RANKS, spread->ranks);
    stint_sheet_value(sheet, STINT_RANK_COUNT, numbers->count);
    stint_sheet_mark(sheet, STINT_RANK_COUNT, numbers->running != 0);
    stint_sheet_value(sheet, STINT_RANK_MIN, spread->min_ns);
    stint_sheet_value(sheet, STINT_RANK_AVG, rounded(mean));
    stint_sheet_value(sheet, STINT_RANK_MAX, spread->max_ns);
    stint_sheet_value(sheet, STINT_RANK_STD, rounded(deviation));
    (void)stint_number_u64(stint_sheet_text(sheet, STINT_RANK_MIN_RANK), spread->min_rank);
    (void)stint_number_u64(stint_sheet_text(sheet, STINT_RANK_MAX_RANK), spread->max_rank);
    if (mean > 0) {
        stint_sheet_number(sheet, STINT_RANK_COV, 100 * deviation / mean);
        stint_sheet_number(sheet, STINT_RANK_IMBALANCE, 100 * ((double)spread->max_ns / mean - 1));
    }
    if (spread->shortest_ns)
        stint_sheet_value(sheet, STINT_RANK_WAIT, stint_rank_wait_ns(numbers));
    put_percentiles(sheet, numbers);
}

void stint_rank_row_put_bytes(struct stint_sheet *sheet, const struct stint_snapshot *snapshot,
                              const struct stint_stat *stat)
{
    if (strcmp(stat->set, STINT_MPI_SET) != 0)
        return;
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++) {
        const struct stint_nvtx_value *value = &snapshot->nvtx_values[i];
        if (strcmp(value->set, stat->set) == 0 && strcmp(value->name, stat->name) == 0)
            stint_sheet_value(sheet, STINT_RANK_BYTES, (uint64_t)value->sum);
    }
}

/* -------------------------------------------------------------------------------------------------------------- CSV */

struct rows {
    const struct stint_snapshot *snapshot;
    uint64_t whole_ns;
    uint64_t gpu_ns;
    uint64_t device_ns;
};

static void put_stat(const struct rows *rows, const struct stint_stat *stat, struct stint_sheet *sheet)
{
    int is_call = stint_gpu_is_call(stat);
    stint_rank_row_put(sheet, &stat->numbers, is_call ? 0 : rows->whole_ns);
    stint_rank_row_put_bytes(sheet, rows->snapshot, stat);
    stint_sheet_string(sheet, STINT_RANK_KIND, is_call ? "call" : "scope");
    stint_sheet_string(sheet, STINT_RANK_SET, stat->set);
    stint_sheet_string(sheet, STINT_RANK_NAME, stat->name);
}

static void put_activity(const struct rows *rows, const struct stint_gpu_activity *activity, struct stint_sheet *sheet)
{
    stint_rank_row_put(sheet, &activity->numbers, rows->gpu_ns);
    stint_sheet_string(sheet, STINT_RANK_KIND, stint_word(STINT_WORDS_GPU_KIND, (unsigned)activity->kind));
    stint_sheet_string(sheet, STINT_RANK_SET, "");
    stint_sheet_string(sheet, STINT_RANK_NAME, activity->name);
}

static int put_gpu_time(const struct rows *rows, const struct stint_stat *stat, struct stint_sheet *sheet)
{
    struct stint_numbers numbers = stint_rank_gpu_numbers(stat);
    if (!numbers.spread)
        return 0;
    stint_rank_row_put(sheet, &numbers, rows->device_ns);
    stint_sheet_string(sheet, STINT_RANK_KIND, "gpu");
    stint_sheet_string(sheet, STINT_RANK_SET, stat->set);
    stint_sheet_string(sheet, STINT_RANK_NAME, stat->name);
    return 1;
}

/* Scopes and calls, activities, GPU times of scopes. */
static int next_row(void *context, size_t *next, struct stint_sheet *sheet)
{
    const struct rows *rows = context;
    const struct stint_snapshot *snapshot = rows->snapshot;
    size_t i = (*next)++, stats = snapshot->stat_count, activities = stats + snapshot->gpu_activity_count;
    if (i < stats)
        put_stat(rows, &snapshot->stats[i], sheet);
    else if (i < activities)
        put_activity(rows, &snapshot->gpu_activities[i - stats], sheet);
    for (; i >= activities && i < activities + stats; i = (*next)++)
        if (put_gpu_time(rows, &snapshot->stats[i - activities], sheet))
            return 1;
    return i < activities;
}

void stint_rank_rows_csv(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    static const struct stint_layout plain = {0};
    struct rows rows = {.snapshot = snapshot,
                        .whole_ns = stint_summarize(snapshot).measured_ns,
                        .device_ns = stint_gpu_summarize(snapshot).total_ns};
    for (size_t i = 0; i < snapshot->gpu_activity_count; i++)
        rows.gpu_ns += snapshot->gpu_activities[i].numbers.total_ns;
    struct stint_sheet sheet = {
        .columns = stint_rank_columns, .count = STINT_RANK_COLUMNS, .next = next_row, .context = &rows};
    stint_sheet_put_csv(&sheet, text, &plain);
}
