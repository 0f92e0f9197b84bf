/* Draws the functions of samples on the page's timeline. */
#include "html/overview.h"

struct stint_chart_thread {
    int64_t pid;
    int64_t tid;
    uint64_t end_ns; /* of the last sample */
    size_t most;     /* rows that it may have */
    size_t rows;     /* that it has: their numbers */
    size_t row[STINT_CHART_DEEPEST];
    size_t depth; /* functions that are open, the outermost first */
    struct open {
        uint32_t function;
        uint64_t start_ns;
        size_t context;
    } open[STINT_CHART_DEEPEST];
};

/* Returns NULL without memory. */
static struct stint_chart_thread *thread_of(struct stint_overview *overview, const struct stint_event *event)
{
    static const struct stint_table_key key = STINT_TABLE_KEY(struct stint_chart_thread, pid, tid);
    struct stint_table *threads = &overview->chart.threads;
    struct stint_chart_thread like;
    like.pid = event->pid;
    like.tid = event->tid;
    struct stint_chart_thread *thread = stint_table_find(threads, &key, &like);
    if (thread)
        return thread;
    like = (struct stint_chart_thread){.pid = event->pid, .tid = event->tid, .most = STINT_CHART_DEEPEST};
    return stint_table_take(threads, &key, &overview->arena, &like);
}

/* ------------------------------------------------------------------------------------------------------------ spans */

/* Makes sure that there is a row for that depth; if there can be none, the thread has no more. */
static void make_row(struct stint_overview *overview, struct stint_chart_thread *thread, size_t depth)
{
    struct stint_overview_lane lane = {.kind = STINT_LANE_SAMPLES, .pid = thread->pid, .tid = thread->tid};
    if (depth < thread->rows)
        return;
    size_t row =
        overview->chart.rows < STINT_CHART_ROWS ? stint_overview_add_row(overview, lane, thread->rows) : SIZE_MAX;
    if (row == SIZE_MAX) {
        thread->most = thread->rows;
        return;
    }
    thread->row[thread->rows++] = row;
    overview->chart.rows++;
}

/* Closes the functions from `depth` on. Returns 0, or -1 without memory. */
static int close_from(struct stint_overview *overview, struct stint_chart_thread *thread, size_t depth, uint64_t ns)
{
    while (thread->depth > depth) {
        const struct open *open = &thread->open[--thread->depth];
        struct stint_event span = {
            .kind = STINT_EVENT_SAMPLE,
            .start_ns = open->start_ns,
            .end_ns = ns,
            .pid = thread->pid,
            .tid = thread->tid,
            .context = open->context,
            .name = stint_functions_at(overview->chart.functions, open->function)->name,
            .set = "",
        };
        if (stint_overview_put(overview, thread->row[thread->depth], &span))
            return -1;
    }
    return 0;
}

/* Of `count` functions, the one that is drawn at that depth. */
static uint32_t function_at(const struct stint_functions *functions, size_t count, size_t depth, size_t drawn)
{
    size_t at = depth + 1 == drawn ? count - 1 : depth;
    return stint_functions_place(functions, functions->chain[at]).function;
}

static int show(struct stint_overview *overview, struct stint_chart_thread *thread, const struct stint_event *event,
                size_t count, uint64_t begin_ns)
{
    const struct stint_functions *functions = overview->chart.functions;
    size_t drawn, same = 0;
    for (size_t depth = 0; depth < count && depth < thread->most; depth++)
        make_row(overview, thread, depth);
    drawn = count < thread->most ? count : thread->most;
    for (; same < drawn && same < thread->depth &&
           thread->open[same].function == function_at(functions, count, same, drawn);
         same++)
        if (thread->open[same].context != event->context)
            thread->open[same].context = STINT_GPU_NO_SCOPE; /* it is in several */
    if (close_from(overview, thread, same, begin_ns))
        return -1;
    for (; thread->depth < drawn; thread->depth++)
        thread->open[thread->depth] =
            (struct open){function_at(functions, count, thread->depth, drawn), begin_ns, event->context};
    overview->chart.hidden += count && !drawn;
    overview->chart.shortened += drawn && count > drawn;
    return 0;
}

int stint_sample_chart_add(struct stint_overview *overview, const struct stint_event *event)
{
    struct stint_chart_thread *thread = thread_of(overview, event);
    size_t count = thread ? stint_functions_chain(overview->chart.functions, event->sample.stack) : SIZE_MAX;
    if (count == SIZE_MAX)
        return -1;
    struct stint_sample_span span = stint_sample_span(event, thread->end_ns);
    stint_overview_note(overview, span.begin_ns, span.end_ns);
    if ((span.begin_ns > thread->end_ns && close_from(overview, thread, 0, thread->end_ns)) ||
        show(overview, thread, event, count, span.begin_ns))
        return -1;
    thread->end_ns = span.end_ns;
    return 0;
}

int stint_sample_chart_end(struct stint_overview *overview)
{
    struct stint_chart_thread *all = overview->chart.threads.items;
    for (size_t i = 0; i < overview->chart.threads.count; i++)
        if (close_from(overview, &all[i], 0, all[i].end_ns))
            return -1;
    return 0;
}
