/* Writes which rank waited most, and which least, in collective calls: the one that waits least is the one that the
 * others wait for. */
#include "formats/waiting_ranks.h"

#include "formats/rank_rows.h"
#include "report/line.h"

enum { LINES_MOST = 5, NAME_MOST = 60 };

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
