/* Everything, for programs: docs/formats.md, "stint-report" version 1. One row per line, so that two reports can be
 * compared by line. */
#include "report/json.h"
#include "report/report.h"
#include "report/summary.h"

enum { VERSION = 1 };

/* ---------------------------------------------------------------------------------------------------------- process */

static void put_process(struct stint_json *json, const struct stint_process *process)
{
    stint_json_new_line(json);
    stint_json_key(json, "process");
    stint_json_begin(json, "{");
    stint_json_key_i64(json, "pid", process->pid);
    stint_json_key_string(json, "command", process->command);
    stint_json_key_string(json, "host", process->host);
    stint_json_key_u64(json, "start_unix_ns", process->start_unix_ns);
    stint_json_key_u64(json, "wall_ns", process->wall_ns);
    stint_json_end(json, "}");
    stint_json_new_line(json);
    stint_json_key(json, "clock");
    stint_json_begin(json, "{");
    stint_json_key_string(json, "name", process->clock);
    stint_json_key_number(json, "hz", process->clock_hz);
    stint_json_key_number(json, "read_ns", process->clock_read_ns);
    stint_json_end(json, "}");
}

static void put_summary(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    struct stint_summary summary = stint_summarize(snapshot);
    stint_json_new_line(json);
    stint_json_key(json, "measured");
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "total_ns", summary.measured_ns);
    stint_json_key_u64(json, "activations", summary.activations);
    stint_json_key_u64(json, "recursive", summary.recursive);
    stint_json_key_u64(json, "running", summary.running);
    stint_json_key_u64(json, "running_ns", summary.running_ns);
    stint_json_end(json, "}");
    stint_json_new_line(json);
    stint_json_key(json, "overhead");
    stint_json_begin(json, "{");
    stint_json_key_number(json, "scope_ns", snapshot->process.scope_ns);
    stint_json_key_number(json, "total_ns", summary.overhead_ns);
    stint_json_end(json, "}");
}

static void put_dropped(struct stint_json *json, const struct stint_dropped *dropped)
{
    stint_json_new_line(json);
    stint_json_key(json, "dropped");
    stint_json_begin(json, "{");
    for (size_t i = 0; i < STINT_LOSSES; i++) {
        struct stint_loss loss = stint_loss_at(dropped, i);
        stint_json_key_u64(json, loss.key, loss.count);
    }
    stint_json_end(json, "}");
}

static void put_sets(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "sets");
    for (size_t i = 0; i < snapshot->set_count; i++)
        stint_json_string(json, snapshot->sets[i]);
    stint_json_end(json, "]");
}

static void put_threads(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "threads");
    for (size_t i = 0; i < snapshot->thread_count; i++) {
        const struct stint_thread *thread = &snapshot->threads[i];
        stint_json_begin_row(json);
        stint_json_key_i64(json, "pid", thread->pid);
        stint_json_key_i64(json, "tid", thread->tid);
        stint_json_key_string(json, "name", thread->name);
        stint_json_key_bool(json, "exited", thread->exited);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static void put_counts(struct stint_json *json, const struct stint_numbers *numbers)
{
    stint_json_key_u64(json, "count", numbers->count);
    stint_json_key_u64(json, "recursive", numbers->recursive);
    stint_json_key_u64(json, "total_ns", numbers->total_ns);
    stint_json_key_u64(json, "self_ns", numbers->self_ns);
    stint_json_key_u64(json, "min_ns", numbers->min_ns);
    stint_json_key_u64(json, "max_ns", numbers->max_ns);
    stint_json_key_square(json, "square_ns2", numbers->square_ns2);
    stint_json_key_u64(json, "running", numbers->running);
    stint_json_key_u64(json, "running_ns", numbers->running_ns);
}

static void put_percentile(struct stint_json *json, const char *name, const struct stint_numbers *numbers, double p)
{
    if (numbers->bin_count)
        stint_json_key_u64(json, name, stint_numbers_percentile_ns(numbers, p));
    else
        stint_json_key_literal(json, name, "null");
}

static void put_distribution(struct stint_json *json, const struct stint_numbers *numbers)
{
    put_percentile(json, "p50_ns", numbers, 0.50);
    put_percentile(json, "p90_ns", numbers, 0.90);
    put_percentile(json, "p99_ns", numbers, 0.99);
    if (numbers->bin_count)
        stint_json_key_number(json, "stddev_ns", stint_numbers_stddev_ns(numbers));
    else
        stint_json_key_literal(json, "stddev_ns", "null");
}

static void put_bins(struct stint_json *json, const struct stint_numbers *numbers)
{
    stint_json_key(json, "bins");
    stint_json_begin(json, "[");
    for (size_t i = 0; i < numbers->bin_count; i++) {
        stint_json_begin(json, "[");
        stint_json_u64(json, numbers->bins[i].ns);
        stint_json_u64(json, numbers->bins[i].count);
        stint_json_end(json, "]");
    }
    stint_json_end(json, "]");
}

void stint_json_put_numbers(struct stint_json *json, const struct stint_numbers *numbers)
{
    put_counts(json, numbers);
    stint_json_key_u64(json, "avg_ns", stint_numbers_avg_ns(numbers));
    put_distribution(json, numbers);
    put_bins(json, numbers);
}

/* `next` is the first of the rows that belong to this statistic or a later one. Returns the first of a later one. */
static size_t put_thread_parts(struct stint_json *json, const struct stint_snapshot *snapshot, size_t stat, size_t next)
{
    stint_json_key(json, "threads");
    stint_json_begin(json, "[");
    for (; next < snapshot->thread_stat_count && snapshot->thread_stats[next].stat <= stat; next++) {
        stint_json_begin(json, "{");
        stint_json_key_u64(json, "thread", snapshot->thread_stats[next].thread);
        put_counts(json, &snapshot->thread_stats[next].numbers);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
    return next;
}

static void put_stats(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "stats");
    size_t next = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        stint_json_begin_row(json);
        stint_json_key_string(json, "set", stat->set);
        stint_json_key_string(json, "name", stat->name);
        stint_json_key_string(json, "file", stat->file);
        stint_json_key_u64(json, "line", stat->line);
        stint_json_key_string(json, "function", stat->function);
        stint_json_key_bool(json, "by_thread", stat->by_thread);
        stint_json_put_numbers(json, &stat->numbers);
        stint_json_key_use(json, "gpu", &stat->gpu);
        stint_json_key_use(json, "gpu_self", &stat->gpu_self);
        next = put_thread_parts(json, snapshot, i, next);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_contexts(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "contexts");
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        stint_json_begin_row(json);
        stint_json_key_u64(json, "stat", context->stat);
        stint_json_key_index(json, "parent", context->parent);
        stint_json_key_u64(json, "depth", context->depth);
        put_counts(json, &context->numbers);
        put_bins(json, &context->numbers);
        stint_json_key_use(json, "gpu", &context->gpu);
        stint_json_key_use(json, "gpu_self", &context->gpu_self);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

/* ---------------------------------------------------------------------------------------------------------- barriers */

static void put_barrier_part(struct stint_json *json, const struct stint_barrier_part *part)
{
    stint_json_key_u64(json, "rounds", part->rounds);
    stint_json_key_u64(json, "gap_ns", part->gap_ns);
    stint_json_key_u64(json, "min_gap_ns", part->min_gap_ns);
    stint_json_key_u64(json, "max_gap_ns", part->max_gap_ns);
    stint_json_key_u64(json, "second_gap_ns", part->second_gap_ns);
    stint_json_key_u64(json, "last_two_gap_ns", part->last_two_gap_ns);
    stint_json_key_u64(json, "middle_gap_ns", part->middle_gap_ns);
}

static void put_slowest(struct stint_json *json, const struct stint_barrier_stat *barrier)
{
    stint_json_key(json, "slowest");
    stint_json_begin(json, "[");
    for (size_t i = 0; i < barrier->slowest_count; i++) {
        stint_json_begin(json, "{");
        stint_json_key_u64(json, "participant", barrier->slowest[i].participant);
        put_barrier_part(json, &barrier->slowest[i]);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_barriers(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "barriers");
    for (size_t i = 0; i < snapshot->barrier_count; i++) {
        const struct stint_barrier_stat *barrier = &snapshot->barriers[i];
        stint_json_begin_row(json);
        stint_json_key_string(json, "set", barrier->set);
        stint_json_key_string(json, "name", barrier->name);
        stint_json_key_string(json, "kind", barrier->kind == STINT_BARRIER_END ? "end" : "delta");
        stint_json_key_u64(json, "participants", barrier->participants);
        stint_json_key_u64(json, "pending", barrier->pending);
        stint_json_key_u64(json, "rounds", barrier->rounds);
        stint_json_key(json, "total");
        stint_json_begin(json, "{");
        put_barrier_part(json, &barrier->total);
        stint_json_end(json, "}");
        put_slowest(json, barrier);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

void stint_report_json(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    struct stint_json json = {.text = text};
    stint_json_begin(&json, "{");
    stint_json_key_string(&json, "format", "stint-report");
    stint_json_key_u64(&json, "version", VERSION);
    put_process(&json, &snapshot->process);
    put_summary(&json, snapshot);
    put_dropped(&json, &snapshot->dropped);
    put_sets(&json, snapshot);
    put_threads(&json, snapshot);
    put_stats(&json, snapshot);
    put_contexts(&json, snapshot);
    put_barriers(&json, snapshot);
    stint_json_put_gpu(&json, snapshot);
    stint_json_put_nvtx(&json, snapshot);
    stint_json_end(&json, "}");
    stint_text_string(text, "\n");
}
