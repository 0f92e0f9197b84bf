#include "html/data.h"

#include <string.h>

#include "html/column.h"
#include "report/frame.h"
#include "report/gpu_sum.h"
#include "report/summary.h"

/* Number of columns of an array of them. */
#define COLUMNS(columns) (columns), sizeof(columns) / sizeof((columns)[0])

/* ------------------------------------------------------------------------------------------------------------ process */

static void put_process(struct stint_json *json, const struct stint_process *process)
{
    stint_json_new_line(json);
    stint_json_key(json, "process");
    stint_json_begin(json, "{");
    stint_json_key_string(json, "command", process->command);
    stint_json_key_string(json, "host", process->host);
    stint_json_key_i64(json, "pid", process->pid);
    stint_json_key_u64(json, "start_unix_ms", process->start_unix_ns / 1000000);
    stint_json_key_u64(json, "wall_ns", process->wall_ns);
    stint_json_end(json, "}");
}

static void put_summary(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    struct stint_summary summary = stint_summarize(snapshot);
    struct stint_gpu_sum gpu = stint_gpu_summarize(snapshot);
    stint_json_new_line(json);
    stint_json_key(json, "summary");
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "scopes", summary.scopes);
    stint_json_key_u64(json, "measured_ns", summary.measured_ns);
    stint_json_key_u64(json, "activations", summary.activations);
    stint_json_key_u64(json, "threads", summary.live_threads);
    stint_json_key_bool(json, "exited_threads", summary.exited_threads);
    stint_json_key_bool(json, "gpu", gpu.any);
    stint_json_key_bool(json, "spans", gpu.spans);
    stint_json_key_u64(json, "gpu_ns", gpu.total_ns);
    stint_json_key_u64(json, "gpu_events_dropped", snapshot->dropped.gpu_events);
    stint_json_end(json, "}");
}

/* -------------------------------------------------------------------------------------------------------------- notes */

/* Lines of a text become strings of an array. */
struct notes {
    struct stint_json *json;
    size_t used;
    char line[2048];
};

static int put_note(void *context, const char *text, size_t length)
{
    struct notes *notes = context;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '\n') {
            if (notes->used < sizeof notes->line - 1)
                notes->line[notes->used++] = text[i];
            continue;
        }
        notes->line[notes->used] = '\0';
        stint_json_string(notes->json, notes->line);
        notes->used = 0;
    }
    return 0;
}

/* How it was measured and what was dropped, as the reports for people say it. */
static void put_notes(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    struct notes notes = {.json = json};
    struct stint_text text;
    struct stint_summary summary = stint_summarize(snapshot);
    stint_json_begin_rows(json, "notes");
    stint_text_begin(&text, put_note, &notes);
    stint_frame_footer(&text, snapshot, &summary, &(struct stint_layout){0});
    (void)stint_text_end(&text);
    stint_json_end(json, "]");
}

/* ------------------------------------------------------------------------------------------------------------- scopes */

#define STAT(name, value)                                                                                              \
    static int64_t stat_##name(const void *rows, size_t i)                                                             \
    {                                                                                                                  \
        const struct stint_stat *stat = (const struct stint_stat *)rows + i;                                           \
        return stint_cell(value);                                                                                      \
    }

#define STAT_TEXT(name)                                                                                                \
    static const char *stat_##name(const void *rows, size_t i)                                                         \
    {                                                                                                                  \
        return ((const struct stint_stat *)rows)[i].name;                                                              \
    }

/* -1: there is no histogram. */
#define QUANTILE(name, p)                                                                                              \
    static int64_t stat_##name(const void *rows, size_t i)                                                             \
    {                                                                                                                  \
        const struct stint_numbers *numbers = &((const struct stint_stat *)rows)[i].numbers;                           \
        return numbers->bin_count ? stint_cell(stint_numbers_percentile_ns(numbers, p)) : -1;                          \
    }

STAT_TEXT(set)
STAT_TEXT(name)
STAT_TEXT(file)
STAT_TEXT(function)
STAT(line, stat->line)
STAT(call, (uint64_t)stint_gpu_is_call(stat))
STAT(count, stat->numbers.count + stat->numbers.running)
STAT(total, stat->numbers.total_ns + stat->numbers.running_ns)
STAT(self, stat->numbers.self_ns)
STAT(avg, stint_numbers_avg_ns(&stat->numbers))
STAT(min, stat->numbers.min_ns)
QUANTILE(p50, 0.50)
QUANTILE(p90, 0.90)
QUANTILE(p99, 0.99)
STAT(max, stat->numbers.max_ns)
STAT(running, stat->numbers.running)
STAT(gpu, stint_gpu_use_ns(&stat->gpu))
STAT(span, stat->gpu.span_ns)
STAT(kernels, stat->gpu.kernels)
STAT(copy_bytes, stat->gpu.copy_bytes)
STAT(launches, stat->gpu.launches)
STAT(launch, stat->gpu.launch_ns)

/* The most expensive ones come first. */
enum { SCOPES_MOST = 10000 };

static void put_scopes(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_of columns[] = {
        {"set", NULL, stat_set},           {"name", NULL, stat_name},
        {"file", NULL, stat_file},         {"function", NULL, stat_function},
        {"line", stat_line, NULL},         {"call", stat_call, NULL},
        {"count", stat_count, NULL},       {"total", stat_total, NULL},
        {"self", stat_self, NULL},         {"avg", stat_avg, NULL},
        {"min", stat_min, NULL},           {"p50", stat_p50, NULL},
        {"p90", stat_p90, NULL},           {"p99", stat_p99, NULL},
        {"max", stat_max, NULL},           {"running", stat_running, NULL},
        {"gpu", stat_gpu, NULL},           {"span", stat_span, NULL},
        {"kernels", stat_kernels, NULL},   {"copy_bytes", stat_copy_bytes, NULL},
        {"launches", stat_launches, NULL}, {"launch", stat_launch, NULL},
    };
    const struct stint_snapshot *snapshot = data->snapshot;
    size_t count = snapshot->stat_count < SCOPES_MOST ? snapshot->stat_count : SCOPES_MOST;
    stint_column_put_table(json, &data->strings, "scopes", snapshot->stats, count, COLUMNS(columns));
    stint_json_key_u64(json, "scopes_beyond", snapshot->stat_count - count);
}

/* ----------------------------------------------------------------------------------------------------------- contexts */

static const struct stint_context *context_at(const void *rows, size_t i)
{
    const struct stint_page_data *data = rows;
    return &data->snapshot->contexts[data->contexts.shown[i]];
}

#define CONTEXT(name, value)                                                                                           \
    static int64_t context_##name(const void *rows, size_t i)                                                          \
    {                                                                                                                  \
        const struct stint_context *context = context_at(rows, i);                                                     \
        return stint_cell(value);                                                                                      \
    }

CONTEXT(count, context->numbers.count + context->numbers.running)
CONTEXT(total, context->numbers.total_ns + context->numbers.running_ns)
CONTEXT(gpu, stint_gpu_use_ns(&context->gpu) ? stint_gpu_use_ns(&context->gpu) : context->gpu.span_ns)

static const char *context_set(const void *rows, size_t i)
{
    const struct stint_page_data *data = rows;
    return data->snapshot->stats[context_at(rows, i)->stat].set;
}

static const char *context_name(const void *rows, size_t i)
{
    const struct stint_page_data *data = rows;
    return data->snapshot->stats[context_at(rows, i)->stat].name;
}

static int64_t context_parent(const void *rows, size_t i)
{
    const struct stint_page_data *data = rows;
    size_t parent = context_at(rows, i)->parent;
    return parent == STINT_NO_PARENT ? -1 : (int64_t)data->contexts.place[parent];
}

static void put_contexts(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_of columns[] = {
        {"parent", context_parent, NULL}, {"set", NULL, context_set},     {"name", NULL, context_name},
        {"count", context_count, NULL},   {"total", context_total, NULL}, {"gpu", context_gpu, NULL},
    };
    stint_column_put_table(json, &data->strings, "contexts", data, data->contexts.count, COLUMNS(columns));
    stint_json_key_u64(json, "contexts_beyond", data->snapshot->context_count - data->contexts.count);
}

/* --------------------------------------------------------------------------------------------------------------- rest */

static void put_values(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "values");
    for (size_t i = 0; i < snapshot->nvtx_value_count; i++)
        stint_json_row(json, STINT_ROWS_NVTX_VALUES, &snapshot->nvtx_values[i]);
    stint_json_end(json, "]");
}

static void put_threads(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    stint_json_begin_rows(json, "threads");
    for (size_t i = 0; i < snapshot->thread_count; i++) {
        const struct stint_thread *thread = &snapshot->threads[i];
        stint_json_begin(json, "{");
        stint_json_key_i64(json, "pid", thread->pid);
        stint_json_key_i64(json, "tid", thread->tid);
        stint_json_key_string(json, "name", thread->name);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

/* Last, when all are known. */
static void put_strings(struct stint_json *json, const struct stint_html_strings *strings)
{
    stint_json_begin_rows(json, "strings");
    for (size_t i = 0; i < strings->all.count; i++)
        stint_json_string(json, ((const char *const *)strings->all.items)[i]);
    stint_json_end(json, "]");
}

void stint_data_put(struct stint_page_data *data, struct stint_json *json)
{
    stint_json_begin(json, "{");
    stint_json_key_string(json, "format", "stint-page");
    stint_json_key_u64(json, "version", 1);
    put_process(json, &data->snapshot->process);
    put_summary(json, data->snapshot);
    put_notes(json, data->snapshot);
    put_threads(json, data->snapshot);
    put_scopes(data, json);
    put_contexts(data, json);
    stint_data_put_gpu(data, json);
    put_values(json, data->snapshot);
    stint_data_put_timeline(data, json);
    put_strings(json, &data->strings);
    stint_json_end(json, "}");
}
