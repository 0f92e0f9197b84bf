/* Everything, for programs: docs/formats.md, "stint-report" version 1. One row per line, so that two reports can be
 * compared by line. */
#include "base/utf8.h"
#include "report/report.h"
#include "report/summary.h"

enum { VERSION = 1 };

/* ------------------------------------------------------------------------------------------------------------- JSON */

struct json {
    struct stint_text *text;
    int comma; /* the next value has one before it */
};

static void separate(struct json *json)
{
    if (json->comma)
        stint_text_string(json->text, ",");
    json->comma = 1;
}

static void begin(struct json *json, const char *bracket)
{
    separate(json);
    stint_text_string(json->text, bracket);
    json->comma = 0;
}

static void end(struct json *json, const char *bracket)
{
    stint_text_string(json->text, bracket);
    json->comma = 1;
}

/* Begins a line; the separator belongs to the line before. */
static void new_line(struct json *json)
{
    stint_text_string(json->text, json->comma ? ",\n" : "\n");
    json->comma = 0;
}

static void put_escape(struct stint_text *text, unsigned char byte)
{
    const char *named = "\"\"\\\\\nn\tt\rr\bb\ff";
    char escape[] = "\\u00..";
    for (; *named; named += 2) {
        if (byte == (unsigned char)*named) {
            escape[1] = named[1];
            stint_text_put(text, escape, 2);
            return;
        }
    }
    escape[4] = (char)('0' + (byte >> 4));
    escape[5] = "0123456789abcdef"[byte & 15];
    stint_text_put(text, escape, 6);
}

static void string(struct json *json, const char *value)
{
    separate(json);
    stint_text_string(json->text, "\"");
    while (*value) {
        uint32_t code;
        size_t length = stint_utf8_read(value, &code);
        if (code == STINT_UTF8_INVALID)
            stint_text_string(json->text, "\xef\xbf\xbd"); /* U+FFFD */
        else if (code < 0x20 || code == '"' || code == '\\')
            put_escape(json->text, (unsigned char)code);
        else
            stint_text_put(json->text, value, length);
        value += length;
    }
    stint_text_string(json->text, "\"");
}

static void key(struct json *json, const char *name)
{
    string(json, name);
    stint_text_string(json->text, ":");
    json->comma = 0;
}

static void u64(struct json *json, uint64_t value)
{
    separate(json);
    stint_text_u64(json->text, value);
}

static void literal(struct json *json, const char *value)
{
    separate(json);
    stint_text_string(json->text, value);
}

static void number(struct json *json, double value)
{
    char digits[STINT_NUMBER_SIZE];
    stint_number_fixed(digits, value, 3);
    literal(json, digits[0] == '-' && !digits[1] ? "null" : digits);
}

static void key_string(struct json *json, const char *name, const char *value)
{
    key(json, name);
    string(json, value);
}

static void key_u64(struct json *json, const char *name, uint64_t value)
{
    key(json, name);
    u64(json, value);
}

static void key_i64(struct json *json, const char *name, int64_t value)
{
    key(json, name);
    separate(json);
    stint_text_i64(json->text, value);
}

static void key_number(struct json *json, const char *name, double value)
{
    key(json, name);
    number(json, value);
}

static void key_literal(struct json *json, const char *name, const char *value)
{
    key(json, name);
    literal(json, value);
}

static void key_index(struct json *json, const char *name, size_t value)
{
    if (value == STINT_NO_PARENT)
        key_literal(json, name, "null");
    else
        key_u64(json, name, value);
}

/* ---------------------------------------------------------------------------------------------------------- process */

static void put_process(struct json *json, const struct stint_process *process)
{
    new_line(json);
    key(json, "process");
    begin(json, "{");
    key_i64(json, "pid", process->pid);
    key_string(json, "command", process->command);
    key_string(json, "host", process->host);
    key_u64(json, "start_unix_ns", process->start_unix_ns);
    key_u64(json, "wall_ns", process->wall_ns);
    end(json, "}");
    new_line(json);
    key(json, "clock");
    begin(json, "{");
    key_string(json, "name", process->clock);
    key_number(json, "hz", process->clock_hz);
    key_number(json, "read_ns", process->clock_read_ns);
    end(json, "}");
}

static void put_summary(struct json *json, const struct stint_snapshot *snapshot)
{
    struct stint_summary summary = stint_summarize(snapshot);
    new_line(json);
    key(json, "measured");
    begin(json, "{");
    key_u64(json, "total_ns", summary.measured_ns);
    key_u64(json, "activations", summary.activations);
    key_u64(json, "recursive", summary.recursive);
    key_u64(json, "running", summary.running);
    key_u64(json, "running_ns", summary.running_ns);
    end(json, "}");
    new_line(json);
    key(json, "overhead");
    begin(json, "{");
    key_number(json, "scope_ns", snapshot->process.scope_ns);
    key_number(json, "total_ns", summary.overhead_ns);
    end(json, "}");
}

static void put_dropped(struct json *json, const struct stint_dropped *dropped)
{
    new_line(json);
    key(json, "dropped");
    begin(json, "{");
    for (size_t i = 0; i < STINT_LOSSES; i++) {
        struct stint_loss loss = stint_loss_at(dropped, i);
        key_u64(json, loss.key, loss.count);
    }
    end(json, "}");
}

static void put_sets(struct json *json, const struct stint_snapshot *snapshot)
{
    new_line(json);
    key(json, "sets");
    begin(json, "[");
    for (size_t i = 0; i < snapshot->set_count; i++)
        string(json, snapshot->sets[i]);
    end(json, "]");
}

static void put_threads(struct json *json, const struct stint_snapshot *snapshot)
{
    new_line(json);
    key(json, "threads");
    begin(json, "[");
    for (size_t i = 0; i < snapshot->thread_count; i++) {
        const struct stint_thread *thread = &snapshot->threads[i];
        new_line(json);
        begin(json, "{");
        key_i64(json, "pid", thread->pid);
        key_i64(json, "tid", thread->tid);
        key_string(json, "name", thread->name);
        key_literal(json, "exited", thread->exited ? "true" : "false");
        end(json, "}");
    }
    end(json, "]");
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static void put_counts(struct json *json, const struct stint_numbers *numbers)
{
    key_u64(json, "count", numbers->count);
    key_u64(json, "recursive", numbers->recursive);
    key_u64(json, "total_ns", numbers->total_ns);
    key_u64(json, "self_ns", numbers->self_ns);
    key_u64(json, "min_ns", numbers->min_ns);
    key_u64(json, "max_ns", numbers->max_ns);
    key_u64(json, "running", numbers->running);
    key_u64(json, "running_ns", numbers->running_ns);
}

static void put_percentile(struct json *json, const char *name, const struct stint_numbers *numbers, double p)
{
    if (numbers->bin_count)
        key_u64(json, name, stint_numbers_percentile_ns(numbers, p));
    else
        key_literal(json, name, "null");
}

static void put_distribution(struct json *json, const struct stint_numbers *numbers)
{
    put_percentile(json, "p50_ns", numbers, 0.50);
    put_percentile(json, "p90_ns", numbers, 0.90);
    put_percentile(json, "p99_ns", numbers, 0.99);
    if (numbers->bin_count)
        key_number(json, "stddev_ns", stint_numbers_stddev_ns(numbers));
    else
        key_literal(json, "stddev_ns", "null");
}

static void put_bins(struct json *json, const struct stint_numbers *numbers)
{
    key(json, "bins");
    begin(json, "[");
    for (size_t i = 0; i < numbers->bin_count; i++) {
        begin(json, "[");
        u64(json, numbers->bins[i].ns);
        u64(json, numbers->bins[i].count);
        end(json, "]");
    }
    end(json, "]");
}

/* `next` is the first of the rows that belong to this statistic or a later one. Returns the first of a later one. */
static size_t put_thread_parts(struct json *json, const struct stint_snapshot *snapshot, size_t stat, size_t next)
{
    key(json, "threads");
    begin(json, "[");
    for (; next < snapshot->thread_stat_count && snapshot->thread_stats[next].stat <= stat; next++) {
        begin(json, "{");
        key_u64(json, "thread", snapshot->thread_stats[next].thread);
        put_counts(json, &snapshot->thread_stats[next].numbers);
        end(json, "}");
    }
    end(json, "]");
    return next;
}

static void put_stats(struct json *json, const struct stint_snapshot *snapshot)
{
    new_line(json);
    key(json, "stats");
    begin(json, "[");
    size_t next = 0;
    for (size_t i = 0; i < snapshot->stat_count; i++) {
        const struct stint_stat *stat = &snapshot->stats[i];
        new_line(json);
        begin(json, "{");
        key_string(json, "set", stat->set);
        key_string(json, "name", stat->name);
        key_string(json, "file", stat->file);
        key_u64(json, "line", stat->line);
        key_string(json, "function", stat->function);
        key_literal(json, "by_thread", stat->by_thread ? "true" : "false");
        put_counts(json, &stat->numbers);
        key_u64(json, "avg_ns", stint_numbers_avg_ns(&stat->numbers));
        put_distribution(json, &stat->numbers);
        put_bins(json, &stat->numbers);
        next = put_thread_parts(json, snapshot, i, next);
        end(json, "}");
    }
    end(json, "]");
}

static void put_contexts(struct json *json, const struct stint_snapshot *snapshot)
{
    new_line(json);
    key(json, "contexts");
    begin(json, "[");
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        new_line(json);
        begin(json, "{");
        key_u64(json, "stat", context->stat);
        key_index(json, "parent", context->parent);
        key_u64(json, "depth", context->depth);
        put_counts(json, &context->numbers);
        put_bins(json, &context->numbers);
        end(json, "}");
    }
    end(json, "]");
}

/* ---------------------------------------------------------------------------------------------------------- barriers */

static void put_barrier_part(struct json *json, const struct stint_barrier_part *part)
{
    key_u64(json, "rounds", part->rounds);
    key_u64(json, "gap_ns", part->gap_ns);
    key_u64(json, "min_gap_ns", part->min_gap_ns);
    key_u64(json, "max_gap_ns", part->max_gap_ns);
    key_u64(json, "second_gap_ns", part->second_gap_ns);
    key_u64(json, "last_two_gap_ns", part->last_two_gap_ns);
    key_u64(json, "middle_gap_ns", part->middle_gap_ns);
}

static void put_slowest(struct json *json, const struct stint_barrier_stat *barrier)
{
    key(json, "slowest");
    begin(json, "[");
    for (size_t i = 0; i < barrier->slowest_count; i++) {
        begin(json, "{");
        key_u64(json, "participant", barrier->slowest[i].participant);
        put_barrier_part(json, &barrier->slowest[i]);
        end(json, "}");
    }
    end(json, "]");
}

static void put_barriers(struct json *json, const struct stint_snapshot *snapshot)
{
    new_line(json);
    key(json, "barriers");
    begin(json, "[");
    for (size_t i = 0; i < snapshot->barrier_count; i++) {
        const struct stint_barrier_stat *barrier = &snapshot->barriers[i];
        new_line(json);
        begin(json, "{");
        key_string(json, "set", barrier->set);
        key_string(json, "name", barrier->name);
        key_string(json, "kind", barrier->kind == STINT_BARRIER_END ? "end" : "delta");
        key_u64(json, "participants", barrier->participants);
        key_u64(json, "pending", barrier->pending);
        key_u64(json, "rounds", barrier->rounds);
        key(json, "total");
        begin(json, "{");
        put_barrier_part(json, &barrier->total);
        end(json, "}");
        put_slowest(json, barrier);
        end(json, "}");
    }
    end(json, "]");
}

void stint_report_json(struct stint_text *text, const struct stint_snapshot *snapshot)
{
    struct json json = {.text = text};
    begin(&json, "{");
    key_string(&json, "format", "stint-report");
    key_u64(&json, "version", VERSION);
    put_process(&json, &snapshot->process);
    put_summary(&json, snapshot);
    put_dropped(&json, &snapshot->dropped);
    put_sets(&json, snapshot);
    put_threads(&json, snapshot);
    put_stats(&json, snapshot);
    put_contexts(&json, snapshot);
    put_barriers(&json, snapshot);
    end(&json, "}");
    stint_text_string(text, "\n");
}
