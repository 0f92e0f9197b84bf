/* The part of a page's JSON that the timeline is drawn from: lanes, rows, blocks and curves. Blocks are most of a
 * page's bytes, so their starts are written as distances from the block before. */
#include <string.h>

#include "export/tracks.h"
#include "html/data.h"
#include "html/page_json.h"
#include "model/model.h"

/* ------------------------------------------------------------------------------------------------------------ lanes */

/* Threads also have the names that programs gave them, and those that have ended. */
static void put_lanes(struct stint_json *json, const struct stint_overview *overview,
                      const struct stint_snapshot *snapshot)
{
    static const char *const kinds[] = {
        [STINT_LANE_THREAD] = "thread", [STINT_LANE_SAMPLES] = "samples", [STINT_LANE_RANGES] = "ranges",
        [STINT_LANE_WAITS] = "waits",   [STINT_LANE_STREAM] = "stream",   [STINT_LANE_OVERHEAD] = "overhead",
        [STINT_LANE_OTHERS] = "others",
    };
    stint_json_begin_rows(json, "lanes");
    for (size_t i = 0; i < overview->lanes.count; i++) {
        const struct stint_overview_lane *lane = stint_overview_lane_at(overview, i);
        stint_json_begin(json, "{");
        stint_json_key_string(json, "kind", kinds[lane->kind]);
        stint_json_key_i64(json, "pid", lane->pid);
        stint_json_key_i64(json, "tid", lane->tid);
        stint_json_key_string(json, "name", lane->tid ? stint_words_thread(snapshot, lane->pid, lane->tid) : "");
        stint_json_key_u64(json, "device", lane->device);
        stint_json_key_u64(json, "context", lane->context);
        stint_json_key_u64(json, "stream", lane->stream);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

static void put_device_uses(struct stint_json *json, const struct stint_overview *overview)
{
    stint_json_begin_rows(json, "devices");
    for (size_t i = 0; i < overview->device_count; i++) {
        const struct stint_device_use *use = &overview->devices[i];
        stint_json_begin(json, "{");
        stint_json_key_u64(json, "device", use->device);
        stint_json_key_u64(json, "first_ns", use->first_ns);
        stint_json_key_u64(json, "last_ns", use->last_ns);
        stint_json_key_u64(json, "busy_ns", use->busy_ns);
        stint_json_key_u64(json, "idle_start_ns", use->idle_start_ns);
        stint_json_key_u64(json, "idle_ns", use->idle_ns);
        stint_json_end(json, "}");
    }
    stint_json_end(json, "]");
}

/* ------------------------------------------------------------------------------------------------------------- what */

enum { WITHOUT_ALPHA = 0xffffff };
enum { KIND_SCOPE, KIND_RANGE, KIND_MARK, KIND_CALL, KIND_DEVICE }; /* KIND_DEVICE + enum stint_gpu_kind: devices */
enum { KIND_FUNCTION = KIND_DEVICE + STINT_GPU_KINDS };

/* A name, or a number, which then has to live as long as the page's strings. */
static const char *category_of(struct stint_page_data *data, const struct stint_event_class *what)
{
    char text[STINT_WORDS_SIZE];
    struct stint_event like = {.pid = what->pid, .set = what->set, .category = what->category};
    const char *category = stint_words_category(text, data->snapshot, &like);
    if (category != text)
        return category ? category : "";
    category = stint_arena_copy(data->strings.arena, category, strlen(category));
    data->strings.failed |= !category;
    return category ? category : "";
}

static void put_whats(struct stint_page_data *data, struct stint_json *json)
{
    static const int kinds[] = {
        [STINT_EVENT_SCOPE] = KIND_SCOPE, [STINT_EVENT_RANGE] = KIND_RANGE,   [STINT_EVENT_MARK] = KIND_MARK,
        [STINT_EVENT_CALL] = KIND_CALL,   [STINT_EVENT_DEVICE] = KIND_DEVICE, [STINT_EVENT_SAMPLE] = KIND_FUNCTION};
    struct stint_html_table table = {
        .strings = &data->strings,
        .keys = "kind set name source destination category color count total max max_start waits"};
    const struct stint_event_class *all = data->overview->whats.all.items;
    for (size_t i = 0; i < data->overview->whats.all.count; i++) {
        const struct stint_event_class *what = &all[i];
        int64_t kind = what->kind == STINT_EVENT_DEVICE ? (int64_t)what->gpu_kind : 0;
        stint_html_i64(&table, kinds[what->kind] + kind);
        stint_html_text(&table, what->set);
        stint_html_text(&table, what->name);
        stint_html_text(&table, stint_gpu_memory_name(what->source));
        stint_html_text(&table, stint_gpu_memory_name(what->destination));
        stint_html_text(&table, category_of(data, what));
        stint_html_i64(&table, what->color ? (int64_t)(what->color & WITHOUT_ALPHA) : -1);
        stint_html_u64(&table, what->count);
        stint_html_u64(&table, what->total_ns);
        stint_html_u64(&table, what->max_ns);
        stint_html_u64(&table, what->max_start_ns);
        stint_html_i64(&table,
                       stint_is_waiting(what->kind == STINT_EVENT_CALL ? STINT_API_SET : what->set, what->name));
    }
    stint_html_table_put(&table, json, "what");
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

static void put_row(struct stint_page_data *data, struct stint_json *json, const struct stint_block *const *blocks,
                    size_t count, const struct stint_overview_row *place)
{
    struct stint_html_table table = {.strings = &data->strings,
                                     .keys = "start duration what count context bytes launch_row launch attributes"};
    /* Starts count from the end of the previous block, which takes fewer digits and is often 0. */
    uint64_t before_ns = data->overview->start_ns;
    for (size_t i = 0; i < count; before_ns = blocks[i++]->end_ns) {
        const struct stint_block *block = blocks[i];
        int has_launch = block->launch_row != UINT32_MAX;
        stint_html_i64(&table, (int64_t)(block->start_ns - before_ns));
        stint_html_u64(&table, block->end_ns - block->start_ns);
        stint_html_u64(&table, block->what);
        stint_html_u64(&table, block->count);
        stint_html_i64(&table, stint_html_context(&data->contexts, data->snapshot, block->context));
        stint_html_u64(&table, block->bytes);
        stint_html_i64(&table, has_launch ? (int64_t)block->launch_row : -1);
        stint_html_u64(&table, has_launch ? block->start_ns - block->launch_ns : 0);
        stint_html_text(&table, block->attributes ? block->attributes : "");
    }
    stint_json_begin_row(json);
    stint_json_key_u64(json, "lane", place->lane);
    stint_json_key_u64(json, "depth", place->depth);
    stint_html_columns_put(&table, json);
    stint_json_key(json, "busy");
    stint_json_begin(json, "[");
    for (size_t i = 0; i < count; i++)
        if (blocks[i]->count > 1)
            stint_json_u64(json, blocks[i]->busy_ns);
    stint_json_end(json, "]");
    stint_json_end(json, "}");
}

/* Puts the blocks of each row side by side, in their order. Returns where each row begins; NULL without memory. */
static size_t *sort_blocks(const struct stint_overview *overview, const struct stint_block **sorted,
                           struct stint_arena *arena)
{
    size_t *first = stint_arena_alloc(arena, (overview->row_count + 1) * sizeof *first);
    size_t *next = stint_arena_alloc(arena, (overview->row_count + 1) * sizeof *next);
    if (!first || !next)
        return NULL;
    for (size_t i = 0; i < overview->count; i++)
        first[overview->blocks[i].row + 1]++;
    for (size_t i = 0; i < overview->row_count; i++)
        next[i + 1] = first[i + 1] += first[i];
    for (size_t i = 0; i < overview->count; i++)
        sorted[next[overview->blocks[i].row]++] = &overview->blocks[i];
    return first;
}

static void put_rows(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_overview *overview = data->overview;
    struct stint_arena arena = {0};
    const struct stint_block **sorted = stint_arena_alloc(&arena, (overview->count + 1) * sizeof(*sorted));
    size_t *first = sorted ? sort_blocks(overview, sorted, &arena) : NULL;
    data->strings.failed |= !first;
    stint_json_begin_rows(json, "rows");
    for (size_t i = 0; first && i < overview->row_count; i++)
        put_row(data, json, sorted + first[i], first[i + 1] - first[i], &overview->rows[i]);
    stint_json_end(json, "]");
    stint_arena_free(&arena);
}

/* ----------------------------------------------------------------------------------------------------------- curves */

static void put_values(struct stint_json *json, const char *key, const struct stint_curve *curve, size_t at)
{
    stint_json_key(json, key);
    stint_json_begin(json, "[");
    for (size_t i = 0; i < curve->count; i++)
        stint_json_exact(json, *(const double *)(const void *)((const char *)&curve->points[i] + at));
    stint_json_end(json, "]");
}

/* Values are each between `least` and `most`, which are left out where a point is a single sample. */
static void put_curve(struct stint_json *json, const struct stint_curve *curve)
{
    stint_json_begin_row(json);
    stint_json_key_i64(json, "pid", curve->pid);
    stint_json_key_i64(json, "device", curve->device);
    stint_json_key_string(json, "name", curve->name);
    stint_json_key_string(json, "what", curve->what);
    stint_json_key_u64(json, "per", curve->per);
    stint_json_key(json, "start");
    stint_json_begin(json, "[");
    for (size_t i = 0; i < curve->count; i++)
        stint_json_u64(json, curve->points[i].start_ns);
    stint_json_end(json, "]");
    put_values(json, "last", curve, offsetof(struct stint_curve_point, last));
    if (curve->per > 1) {
        put_values(json, "least", curve, offsetof(struct stint_curve_point, least));
        put_values(json, "most", curve, offsetof(struct stint_curve_point, most));
    }
    stint_json_end(json, "}");
}

static void put_curves(struct stint_json *json, const struct stint_curves *curves)
{
    stint_json_begin_rows(json, "curves");
    for (size_t i = 0; i < curves->count; i++)
        put_curve(json, curves->all[i]);
    stint_json_end(json, "]");
    stint_json_key_u64(json, "curves_beyond", curves->beyond);
}

void stint_data_put_timeline(struct stint_page_data *data, struct stint_json *json)
{
    const struct stint_overview *overview = data->overview;
    stint_json_new_line(json);
    stint_json_key(json, "timeline");
    stint_json_begin(json, "{");
    stint_json_key_u64(json, "events", overview->events);
    stint_json_key_u64(json, "blocks", overview->count);
    stint_json_key_u64(json, "grain_ns", overview->grain_ns);
    stint_json_key_u64(json, "crowded", overview->crowded);
    stint_json_key_u64(json, "unnamed", overview->whats.beyond);
    if (overview->chart.rows) {
        stint_json_key_u64(json, "samples_shortened", overview->chart.shortened);
        stint_json_key_u64(json, "samples_hidden", overview->chart.hidden);
    }
    stint_json_key_u64(json, "start_ns", overview->start_ns);
    stint_json_key_u64(json, "end_ns", overview->end_ns);
    put_device_uses(json, overview);
    put_lanes(json, overview, data->snapshot);
    put_whats(data, json);
    put_rows(data, json);
    put_curves(json, &overview->curves);
    stint_json_end(json, "}");
}
