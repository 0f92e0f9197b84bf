/* Looks for ranks that hold up the others, by the self time of scopes, which waiting for others is not part of; and for
 * those that waited in collective calls: the one that waits least is the one that the others wait for. Writes a
 * sentence for each. */
#include "formats/rank_rows.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "report/label.h"
#include "report/line.h"
#include "stat/gpu_rows.h"

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
    stint_line_string(line, text);
    stint_line_string(line, thousandths);
    stint_line_string(line, " UTC, ");
    stint_line_time(line, unix_ns > start_ns ? (double)(unix_ns - start_ns) : 0);
    stint_line_string(line, " after the start");
}

static void put_ratio(struct stint_line *line, double over, double under, const char *what)
{
    stint_line_fixed(line, under > 0 ? over / under : 0, 2);
    stint_line_string(line, what);
}

/* "slow: rank 2 (node7): compute, 1.93 times the mean rank, score 0.50 (the best rank's time by its own), 1.2 s
 * lost" */
static void put_finding(struct stint_line *line, const struct finding *finding, const struct stint_snapshot *snapshot)
{
    const struct stint_spread *spread = finding->stat->numbers.spread;
    struct stint_label label = stint_label_of(snapshot, finding->stat);
    uint64_t best_ns = spread->ranks < snapshot->process.ranks ? 0 : spread->idle_ns;
    stint_line_string(line, "slow: rank ");
    stint_line_u64(line, finding->rank);
    stint_line_string(line, " (");
    stint_line_escaped(line, finding->host, NAME_MOST);
    stint_line_string(line, "): ");
    stint_line_escaped(line, label.set, NAME_MOST);
    stint_line_string(line, *label.set ? "/" : "");
    stint_line_escaped(line, label.name, NAME_MOST);
    if (finding->is_busiest) {
        stint_line_string(line, ", ");
        put_ratio(line, (double)spread->busy_ns, finding->mean_ns, " times the mean rank (score ");
        put_ratio(line, (double)best_ns, (double)spread->busy_ns, " of the best)");
    }
    if (finding->is_slower) {
        stint_line_string(line, ", ");
        put_ratio(line, (double)spread->slow_after_ns, (double)spread->slow_before_ns, " times its own past (score ");
        put_ratio(line, (double)spread->slow_before_ns, (double)spread->slow_after_ns, ") since ");
        put_since(line, snapshot, spread->slow_since_unix_ns);
    }
    stint_line_string(line, ": ");
    stint_line_time(line, finding->lost_ns);
    stint_line_string(line, " lost");
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

static void put_rank(struct stint_line *line, uint32_t rank, const char *what, uint64_t took_ns, uint64_t work_ns)
{
    stint_line_string(line, "; rank ");
    stint_line_u64(line, rank);
    stint_line_string(line, what);
    stint_line_time(line, took_ns > work_ns ? (double)(took_ns - work_ns) : 0);
}

/* "waiting: ncclDevKernel_AllReduce_Sum_f32_RING_LL, 61.7 % of 56.5 ms; rank 0 most, 34.6 ms; rank 1 least, 251 us" */
static void put_waits(struct stint_line *line, const struct stint_gpu_activity *activity)
{
    const struct stint_spread *spread = activity->numbers.spread;
    double total_ns = (double)activity->numbers.total_ns;
    stint_line_string(line, "waiting: ");
    stint_line_escaped(line, activity->name, NAME_MOST);
    stint_line_string(line, ", ");
    stint_line_fixed(line, 100 * (double)stint_rank_wait_ns(&activity->numbers) / total_ns, 1);
    stint_line_string(line, " % of ");
    stint_line_time(line, total_ns);
    put_rank(line, spread->max_rank, " most, ", spread->max_ns, spread->shortest_ns);
    put_rank(line, spread->min_rank, " least, ", spread->min_ns, spread->shortest_ns);
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
