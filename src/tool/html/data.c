#include "html/data.h"

#include <string.h>

#include "html/column.h"
#include "report/frame.h"
#include "report/gpu_sum.h"
#include "report/summary.h"

/* Number of columns of an array of them. */
#define COLUMNS(columns) (columns), sizeof(columns) / sizeof((columns)[0])

/* ---------------------------------------------------------------------------------------------------------- process */

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

/* ------------------------------------------------------------------------------------------------------------ notes */

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

/* How the recording was measured and what was dropped, in the words of the reports for people. */
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

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* The most expensive ones come first. */
enum { SCOPES_MOST = 10000 };

static void put_scopes(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_snapshot *snapshot = data->snapshot;
    const struct stint_stat *stats = snapshot->stats;
    size_t count = snapshot->stat_count < SCOPES_MOST ? snapshot->stat_count : SCOPES_MOST;
    struct stint_column_rows rows = {STINT_ROWS_STATS, stats, sizeof *stats, count};
    struct stint_column_rows uses = {STINT_ROWS_GPU_USE, stats ? &stats->gpu : NULL, sizeof *stats, count};
    stint_column_begin_table(json, "scopes", count);
    stint_column_put_members(
        json, &data->strings, &rows,
        " set name file line function count total_ns self_ns min_ns max_ns running running_ns avg_ns "
        "p50_ns p90_ns p99_ns ");
    stint_column_put_members(json, &data->strings, &uses,
                             " kernels kernel_ns copy_ns copy_bytes set_ns span_ns launches launch_ns ");
    stint_json_end(json, "}");
    stint_json_key_u64(json, "scopes_beyond", snapshot->stat_count - count);
}

/* --------------------------------------------------------------------------------------------------------- contexts */

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

/* ------------------------------------------------------------------------------------------------------------- rest */

/* The strings come last, when all of them are known. */
static void put_strings(struct stint_json *json, const struct stint_html_strings *strings)
{
    stint_json_begin_rows(json, "strings");
    for (size_t i = 0; i < strings->all.count; i++)
        stint_json_string(json, ((const char *const *)strings->all.items)[i]);
    stint_json_end(json, "]");
}

void stint_data_put(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_snapshot *snapshot = data->snapshot;
    stint_json_begin(json, "{");
    stint_json_key_string(json, "format", "stint-page");
    stint_json_key_u64(json, "version", 1);
    put_process(json, &snapshot->process);
    put_summary(json, snapshot);
    put_notes(json, snapshot);
    stint_json_rows(json, "threads", STINT_ROWS_THREADS, snapshot->threads, snapshot->thread_count);
    put_scopes(data, json);
    put_contexts(data, json);
    stint_data_put_gpu(data, json);
    stint_json_rows(json, "values", STINT_ROWS_NVTX_VALUES, snapshot->nvtx_values, snapshot->nvtx_value_count);
    stint_data_put_timeline(data, json);
    put_strings(json, &data->strings);
    stint_json_end(json, "}");
}
