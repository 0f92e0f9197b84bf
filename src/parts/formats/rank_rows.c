/* A row for each thing that ranks did: the mean over the ranks, the slowest and the fastest, and how unequal
 * they are. */
#include "formats/formats.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "model/model.h"
#include "report/line.h"
#include "report/summary.h"
#include "stat/members.h"
#include "stat/numbers.h"

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
    return (struct stint_numbers){.count = stint_sum_of(stint_sum_of(use->kernels, use->copies), use->sets),
                                  .total_ns = stint_gpu_use_ns(use),
                                  .self_ns = stint_gpu_use_ns(&stat->gpu_self),
                                  .spread = stint_gpu_is_call(stat) ? NULL : stat->gpu_spread};
}

/* How long all ranks together waited in a kernel of a collective call; 0: that is not known. */
static uint64_t wait_ns_of(const struct stint_numbers *numbers)
{
    const struct stint_spread *spread = numbers->spread;
    int has_waited = spread && spread->ranks && spread->shortest_ns <= numbers->total_ns / spread->ranks;
    return has_waited && spread->shortest_ns ? numbers->total_ns - spread->shortest_ns * spread->ranks : 0;
}

/* What the ranks' times say. Without one that has ended they are not 0, but unknown: as of what surrounds the call that
 * ends MPI, by which the ranks are added up. */
static void put_times(struct stint_sheet *sheet, const struct stint_numbers *numbers, const struct stint_spread *spread,
                      uint64_t whole_ns)
{
    double mean = stint_spread_mean_ns(numbers), deviation = stint_spread_stddev_ns(numbers);
    if (whole_ns)
        stint_sheet_number(sheet, STINT_RANK_SHARE, 100 * (double)numbers->total_ns / (double)whole_ns);
    stint_sheet_value(sheet, STINT_RANK_TOTAL, numbers->total_ns);
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
        stint_sheet_value(sheet, STINT_RANK_WAIT, wait_ns_of(numbers));
    put_percentiles(sheet, numbers);
}

void stint_rank_row_put(struct stint_sheet *sheet, const struct stint_numbers *numbers, uint64_t whole_ns)
{
    struct stint_spread alone = stint_spread_of_rank(numbers, 0, "");
    const struct stint_spread *spread = numbers->spread ? numbers->spread : &alone;
    stint_sheet_value(sheet, STINT_RANK_RANKS, spread->ranks);
    stint_sheet_value(sheet, STINT_RANK_COUNT, numbers->count);
    stint_sheet_mark(sheet, STINT_RANK_COUNT, numbers->running != 0);
    if (numbers->count || !numbers->running)
        put_times(sheet, numbers, spread, whole_ns);
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
        stint_sum_up(&rows.gpu_ns, snapshot->gpu_activities[i].numbers.total_ns);
    struct stint_sheet sheet = {
        .columns = stint_rank_columns, .count = STINT_RANK_COLUMNS, .next = next_row, .context = &rows};
    stint_sheet_put_csv(&sheet, text, &plain);
}

/* -------------------------------------------------------------------------------------------------------- sentences */

/* Looks for ranks that hold up the others, by the self time of scopes, which waiting for others is not part of; and for
 * those that waited in collective calls: the one that waits least is the one that the others wait for. Writes a
 * sentence for each. */

enum { LINES_MOST = 5, NAME_MOST = 60 };

static const double s_ratio_least = 1.1;  /* a tenth slower than the mean rank, or than before */
static const double s_share_least = 0.01; /* and so much of the mean rank's time */

struct finding {
    const struct stint_stat *stat;
    const char *host;
    uint32_t rank;
    int is_busiest; /* slower than the others */
    int is_slower;  /* than it was */
    double mean_ns; /* of all ranks, of those without the scope, too */
    double lost_ns; /* more than the mean, or than before */
};

static int is_work(const struct stint_stat *stat)
{
    return !stint_gpu_is_call(stat) && !stint_stat_is_os_call(stat) && strcmp(stat->set, STINT_MPI_SET) != 0;
}

/* If all ranks became slower, as when a problem grows, none of them is slow. */
static int is_slower_alone(const struct stint_spread *spread, double ranks)
{
    double others = (double)(spread->lost_ns - spread->slow_lost_ns) / (ranks > 1 ? ranks - 1 : 1);
    return spread->slow_lost_ns && (ranks < 2 || (double)spread->slow_lost_ns > 2 * others);
}

/* Returns whether there is a slow rank in the scope. A rank that is slower than the others comes before one that is
 * only slower than it was. */
static int find_slow(struct finding *finding, const struct stint_stat *stat, const struct stint_snapshot *snapshot,
                     double share_ns)
{
    const struct stint_spread *spread = stat->numbers.spread;
    double ranks = (double)snapshot->process.ranks;
    if (!spread || !is_work(stat))
        return 0;
    *finding = (struct finding){.stat = stat, .rank = spread->busy_rank, .host = spread->busy_host};
    finding->mean_ns = (double)stat->numbers.self_ns / ranks;
    finding->lost_ns = (double)spread->busy_ns - finding->mean_ns;
    finding->is_busiest = (double)spread->busy_ns > s_ratio_least * finding->mean_ns && finding->lost_ns > share_ns;
    int is_slower = is_slower_alone(spread, ranks) && (double)spread->slow_lost_ns > share_ns;
    if (is_slower && (!finding->is_busiest || spread->slow_rank == spread->busy_rank)) {
        finding->rank = spread->slow_rank;
        finding->host = spread->slow_host;
        finding->is_slower = 1;
    }
    if (!finding->is_busiest)
        finding->lost_ns = (double)spread->slow_lost_ns;
    return finding->is_busiest || finding->is_slower;
}

/* "2026-11-23 03:14:15.926 UTC, 1.234 s after the start" */
static void put_since(struct stint_line *line, const struct stint_snapshot *snapshot, uint64_t unix_ns)
{
    time_t seconds = (time_t)(unix_ns / 1000000000);
    uint64_t start_ns = snapshot->process.start_unix_ns;
    struct tm parts;
    char text[40] = "", thousandths[8] = "";
    if (gmtime_r(&seconds, &parts))
        (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts);
    (void)snprintf(thousandths, sizeof thousandths, ".%03u", (unsigned)(unix_ns / 1000000 % 1000));
    stint_line_say(line, "%s%s UTC, %s after the start", text, thousandths,
                   stint_time_text(unix_ns > start_ns ? (double)(unix_ns - start_ns) : 0).text);
}

static double ratio(uint64_t over, double under)
{
    return under > 0 ? (double)over / under : 0;
}

/* "slow: rank 2 (node7): compute, 1.93 times the mean rank, score 0.50 (the best rank's time by its own), 1.2 s
 * lost" */
static void put_finding(struct stint_line *line, const struct finding *finding, const struct stint_snapshot *snapshot)
{
    const struct stint_spread *spread = finding->stat->numbers.spread;
    struct stint_label label = stint_label_of(snapshot, finding->stat);
    uint64_t best_ns = spread->ranks < snapshot->process.ranks ? 0 : spread->idle_ns;
    stint_line_say(line, "slow: rank %ju (", (uintmax_t)finding->rank);
    stint_line_escaped(line, finding->host, NAME_MOST);
    stint_line_string(line, "): ");
    stint_line_escaped(line, label.set, NAME_MOST);
    stint_line_string(line, *label.set ? "/" : "");
    stint_line_escaped(line, label.name, NAME_MOST);
    if (finding->is_busiest)
        stint_line_say(line, ", %.2f times the mean rank (score %.2f of the best)",
                       ratio(spread->busy_ns, finding->mean_ns), ratio(best_ns, (double)spread->busy_ns));
    if (finding->is_slower) {
        stint_line_say(line, ", %.2f times its own past (score %.2f) since ",
                       ratio(spread->slow_after_ns, (double)spread->slow_before_ns),
                       ratio(spread->slow_before_ns, (double)spread->slow_after_ns));
        put_since(line, snapshot, spread->slow_since_unix_ns);
    }
    stint_line_say(line, ": %s lost", stint_time_text(finding->lost_ns).text);
}

/* Inserts the finding into those that cost most. */
static size_t insert(struct finding *most, size_t count, size_t room, const struct finding *finding)
{
    size_t at = count < room ? count : room;
    for (; at && most[at - 1].lost_ns < finding->lost_ns; at--)
        if (at < room)
            most[at] = most[at - 1];
    if (at < room)
        most[at] = *finding;
    return count < room ? count + 1 : room;
}

void stint_slow_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                          const struct stint_summary *summary, const struct stint_layout *layout)
{
    struct finding most[4 * LINES_MOST], finding;
    size_t room = layout->top && layout->top < 4 * LINES_MOST ? layout->top : LINES_MOST, count = 0;
    if (snapshot->process.ranks < 1)
        return;
    double share_ns = s_share_least * (double)summary->measured_ns / (double)snapshot->process.ranks;
    for (size_t i = 0; i < snapshot->stat_count; i++)
        if (find_slow(&finding, &snapshot->stats[i], snapshot, share_ns))
            count = insert(most, count, room, &finding);
    for (size_t i = 0; i < count; i++) {
        struct stint_line line = {0};
        put_finding(&line, &most[i], snapshot);
        stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
    }
}

static double waited(uint64_t took_ns, uint64_t work_ns)
{
    return took_ns > work_ns ? (double)(took_ns - work_ns) : 0;
}

/* "waiting: ncclDevKernel_AllReduce_Sum_f32_RING_LL, 61.7 % of 56.5 ms; rank 0 most, 34.6 ms; rank 1 least, 251 us" */
static void put_waits(struct stint_line *line, const struct stint_gpu_activity *activity)
{
    const struct stint_spread *spread = activity->numbers.spread;
    double total_ns = (double)activity->numbers.total_ns;
    stint_line_string(line, "waiting: ");
    stint_line_escaped(line, activity->name, NAME_MOST);
    stint_line_say(line, ", %.1f %% of %s; rank %ju most, %s; rank %ju least, %s",
                   100 * (double)wait_ns_of(&activity->numbers) / total_ns, stint_time_text(total_ns).text,
                   (uintmax_t)spread->max_rank, stint_time_text(waited(spread->max_ns, spread->shortest_ns)).text,
                   (uintmax_t)spread->min_rank, stint_time_text(waited(spread->min_ns, spread->shortest_ns)).text);
}

void stint_waiting_ranks_put(struct stint_text *text, const struct stint_snapshot *snapshot,
                             const struct stint_layout *layout)
{
    size_t most = layout->top ? layout->top : LINES_MOST, count = 0;
    for (size_t i = 0; i < snapshot->gpu_activity_count && count < most; i++) {
        const struct stint_gpu_activity *activity = &snapshot->gpu_activities[i];
        const struct stint_spread *spread = activity->numbers.spread;
        if (!spread || !spread->shortest_ns || !activity->numbers.total_ns)
            continue;
        struct stint_line line = {0};
        put_waits(&line, activity);
        stint_line_put(&line, text, layout, STINT_LINE_PLAIN);
        count++;
    }
}
