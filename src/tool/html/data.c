/* Puts what a page shows of a recording: the process, notes, scopes, calling contexts, threads; all else by other
 * files. */
#include "html/data.h"

#include <stddef.h>
#include <string.h>

#include "formats/formats.h"
#include "html/page_json.h"
#include "report/summary.h"
#include "stat/numbers.h"

/* ------------------------------------------------------------------------------------------------ choosing contexts */

static uint64_t cost(const struct stint_context *context)
{
    uint64_t host_ns = stint_sum_of(context->numbers.total_ns, context->numbers.running_ns);
    uint64_t gpu_ns = stint_gpu_use_ns(&context->gpu);
    return host_ns > gpu_ns ? host_ns : gpu_ns;
}

static size_t place_of(const struct stint_html_contexts *contexts, size_t context)
{
    return context == STINT_NO_PARENT ? SIZE_MAX : contexts->place[context];
}

/* Shows up to `room` contexts that cost `least_ns` or more and whose parents are shown. */
static void choose_contexts(struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot,
                            uint64_t least_ns, size_t room)
{
    contexts->count = 0;
    for (size_t i = 0; i < snapshot->context_count; i++) {
        const struct stint_context *context = &snapshot->contexts[i];
        size_t parent = place_of(contexts, context->parent);
        int whole =
            context->parent == STINT_NO_PARENT || (parent != SIZE_MAX && contexts->shown[parent] == context->parent);
        contexts->place[i] = parent;
        if (!whole || cost(context) < least_ns || contexts->count == room)
            continue;
        contexts->place[i] = contexts->count;
        contexts->shown[contexts->count++] = i;
    }
}

int stint_html_contexts_choose(struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot, size_t most,
                               struct stint_arena *arena)
{
    size_t room = most + 1; /* more than that many is too many, and need not be counted */
    contexts->shown = stint_arena_alloc(arena, room * sizeof *contexts->shown);
    contexts->place = stint_arena_alloc(arena, (snapshot->context_count + 1) * sizeof *contexts->place);
    if (!contexts->shown || !contexts->place)
        return -1;
    uint64_t least_ns = 0;
    choose_contexts(contexts, snapshot, least_ns, room);
    while (contexts->count == room && least_ns < UINT64_MAX / 2) {
        least_ns = least_ns ? 2 * least_ns : 1;
        choose_contexts(contexts, snapshot, least_ns, room);
    }
    return 0;
}

int64_t stint_html_context(const struct stint_html_contexts *contexts, const struct stint_snapshot *snapshot,
                           size_t context)
{
    if (context < snapshot->context_count && contexts->place[context] != SIZE_MAX)
        return (int64_t)contexts->place[context];
    return context == STINT_GPU_UNATTRIBUTED ? -2 : -1;
}

/* ---------------------------------------------------------------------------------------------------------- threads */

/* Those of the most expensive statistics come first. */
enum { PARTS_MOST = 10000 };

static void put_sums(struct stint_page_data *data, struct stint_json *json)
{
    struct stint_html_table table = {.strings = &data->strings, .keys = "recorded count"};
    struct stint_arena arena = {0};
    const struct stint_thread_sum *sums = stint_thread_sums(data->snapshot, &arena);
    data->strings.failed |= !sums;
    for (size_t i = 0; sums && i < data->snapshot->thread_count; i++) {
        stint_html_u64(&table, sums[i].ns);
        stint_html_u64(&table, sums[i].count);
    }
    stint_html_table_put(&table, json, "thread_sums");
    stint_arena_free(&arena);
}

static void put_parts(struct stint_page_data *data, struct stint_json *json)
{
    struct stint_html_table table = {.strings = &data->strings, .keys = "thread stat count running total self min max"};
    size_t all = data->snapshot->thread_stat_count, count = all < PARTS_MOST ? all : PARTS_MOST;
    for (size_t i = 0; i < count; i++) {
        const struct stint_thread_stat *part = &data->snapshot->thread_stats[i];
        stint_html_u64(&table, part->thread);
        stint_html_u64(&table, part->stat);
        stint_html_u64(&table, part->numbers.count);
        stint_html_u64(&table, part->numbers.running);
        stint_html_u64(&table, part->numbers.total_ns);
        stint_html_u64(&table, part->numbers.self_ns);
        stint_html_u64(&table, part->numbers.min_ns);
        stint_html_u64(&table, part->numbers.max_ns);
    }
    stint_html_table_put(&table, json, "thread_parts");
    stint_json_key_u64(json, "thread_parts_beyond", all - count);
}

/* Threads, what each recorded, and their parts of statistics. */
static void put_threads(struct stint_page_data *data, struct stint_json *json)
{
    stint_json_rows(json, "threads", STINT_ROWS_THREADS, data->snapshot->threads, data->snapshot->thread_count);
    put_sums(data, json);
    put_parts(data, json);
}

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
    stint_json_key_u64(json, "exits", summary.exits);
    stint_json_key_bool(json, "gpu", gpu.any);
    stint_json_key_bool(json, "spans", gpu.spans);
    stint_json_key_u64(json, "gpu_ns", gpu.total_ns);
    stint_json_key_u64(json, "gpu_events_dropped", snapshot->dropped.gpu_events);
    stint_json_end(json, "}");
}

/* ------------------------------------------------------------------------------------------------------------ notes */

/* How the recording was measured and what was dropped, in the words of the reports for people. */
static void put_notes(struct stint_json *json, const struct stint_snapshot *snapshot)
{
    struct stint_html_lines lines = {.json = json};
    struct stint_text text;
    struct stint_summary summary = stint_summarize(snapshot);
    stint_json_begin_rows(json, "notes");
    stint_text_begin(&text, stint_html_lines_put, &lines);
    stint_frame_footer(&text, snapshot, &summary, &(struct stint_layout){0});
    (void)stint_text_end(&text);
    stint_json_end(json, "]");
}

static void put_remarks(struct stint_json *json, const char *remarks)
{
    struct stint_html_lines lines = {.json = json};
    stint_json_begin_rows(json, "remarks");
    (void)stint_html_lines_put(&lines, remarks, strlen(remarks));
    stint_json_end(json, "]");
}

/* ----------------------------------------------------------------------------------------------------------- scopes */

/* The most expensive ones come first. */
enum { SCOPES_MOST = 10000 };

static void put_scopes(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_members members[] = {
        {STINT_ROWS_STATS, 0,
         " set name file line function count total_ns self_ns cpu_ns min_ns max_ns running running_ns left_out "
         "error_ns self_error_ns avg_ns p50_ns p90_ns p99_ns "},
        {STINT_ROWS_GPU_USE, offsetof(struct stint_stat, gpu),
         " kernels kernel_ns copy_ns copy_bytes set_ns span_ns launches launch_ns "},
    };
    const struct stint_snapshot *snapshot = data->snapshot;
    size_t count = snapshot->stat_count < SCOPES_MOST ? snapshot->stat_count : SCOPES_MOST;
    stint_column_put_members(json, &data->strings, "scopes",
                             &(struct stint_column_rows){snapshot->stats, sizeof *snapshot->stats, count},
                             STINT_COLUMNS(members));
    stint_json_key_u64(json, "scopes_beyond", snapshot->stat_count - count);
}

/* --------------------------------------------------------------------------------------------------------- contexts */

static void put_contexts(struct stint_page_data *data, struct stint_json *json)
{
    struct stint_html_table table = {.strings = &data->strings,
                                     .keys = "parent set name count running total gpu waits"};
    for (size_t i = 0; i < data->contexts.count; i++) {
        const struct stint_context *row = &data->snapshot->contexts[data->contexts.shown[i]];
        const struct stint_stat *stat = &data->snapshot->stats[row->stat];
        uint64_t gpu_ns = stint_gpu_use_ns(&row->gpu);
        stint_html_i64(&table, row->parent == STINT_NO_PARENT ? -1 : (int64_t)data->contexts.place[row->parent]);
        stint_html_text(&table, stat->set);
        stint_html_text(&table, stat->name);
        stint_html_u64(&table, row->numbers.count);
        stint_html_u64(&table, row->numbers.running);
        stint_html_u64(&table, stint_sum_of(row->numbers.total_ns, row->numbers.running_ns));
        stint_html_u64(&table, gpu_ns ? gpu_ns : row->gpu.span_ns);
        stint_html_i64(&table, stint_is_waiting(stat->set, stat->name));
    }
    stint_html_table_put(&table, json, "contexts");
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

static void put_recording(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_snapshot *snapshot = data->snapshot;
    stint_json_key_string(json, "format", "stint-page");
    stint_json_key_u64(json, "version", 1);
    stint_json_key_bool(json, "served", data->is_served);
    stint_json_key_u64(json, "from_ns", data->from_ns);
    put_process(json, &snapshot->process);
    put_summary(json, snapshot);
    put_remarks(json, data->remarks ? data->remarks : "");
    put_notes(json, snapshot);
    put_scopes(data, json);
    put_contexts(data, json);
    put_threads(data, json);
    stint_json_rows(json, "barriers", STINT_ROWS_BARRIERS, snapshot->barriers, snapshot->barrier_count);
    stint_data_put_gpu(data, json);
    stint_html_operations_put(&data->operations, &data->strings, json);
    stint_html_counters_put(snapshot, &data->strings, json);
    stint_html_samples_put(&data->samples, &data->strings, json);
    stint_json_rows(json, "values", STINT_ROWS_NVTX_VALUES, snapshot->nvtx_values, snapshot->nvtx_value_count);
}

void stint_data_put(struct stint_page_data *data, struct stint_json *json)
{
    stint_json_begin(json, "{");
    if (!data->is_part)
        put_recording(data, json);
    stint_data_put_launches(data, json);
    stint_data_put_timeline(data, json);
    put_strings(json, &data->strings);
    stint_json_end(json, "}");
}
