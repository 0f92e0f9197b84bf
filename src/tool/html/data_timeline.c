#include "html/column.h"
#include "html/data.h"
#include "report/gpu_sum.h"

/* The blocks of one row. */
struct row {
    const struct stint_page_data *data;
    const struct stint_block **blocks;
    size_t count;
};

/* ------------------------------------------------------------------------------------------------------------ lanes */

static void put_lanes(struct stint_json *json, const struct stint_overview *overview)
{
    static const char *const kinds[] = {
        [STINT_LANE_THREAD] = "thread", [STINT_LANE_RANGES] = "ranges",     [STINT_LANE_WAITS] = "waits",
        [STINT_LANE_STREAM] = "stream", [STINT_LANE_OVERHEAD] = "overhead", [STINT_LANE_OTHERS] = "others",
    };
    stint_json_begin_rows(json, "lanes");
    for (size_t i = 0; i < overview->lane_count; i++) {
        const struct stint_overview_lane *lane = &overview->lanes[i];
        stint_json_begin(json, "{");
        stint_json_key_string(json, "kind", kinds[lane->kind]);
        stint_json_key_i64(json, "pid", lane->pid);
        stint_json_key_i64(json, "tid", lane->tid);
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

enum { KIND_SCOPE, KIND_RANGE, KIND_MARK, KIND_CALL, KIND_DEVICE }; /* KIND_DEVICE + enum stint_gpu_kind: devices */

static int64_t what_kind(const void *rows, size_t i)
{
    static const int kinds[] = {[STINT_EVENT_SCOPE] = KIND_SCOPE,
                                [STINT_EVENT_RANGE] = KIND_RANGE,
                                [STINT_EVENT_MARK] = KIND_MARK,
                                [STINT_EVENT_CALL] = KIND_CALL,
                                [STINT_EVENT_DEVICE] = KIND_DEVICE};
    const struct stint_what *what = (const struct stint_what *)rows + i;
    return kinds[what->kind] + (what->kind == STINT_EVENT_DEVICE ? (int64_t)what->gpu_kind : 0);
}

static const char *what_name(const void *rows, size_t i)
{
    return ((const struct stint_what *)rows)[i].name;
}

static const char *what_source(const void *rows, size_t i)
{
    return stint_gpu_memory_name(((const struct stint_what *)rows)[i].source);
}

static const char *what_destination(const void *rows, size_t i)
{
    return stint_gpu_memory_name(((const struct stint_what *)rows)[i].destination);
}

static void put_whats(struct stint_page_data *data, struct stint_json *json)
{
    static const struct stint_column_of columns[] = {{"kind", what_kind, NULL},
                                                     {"name", NULL, what_name},
                                                     {"source", NULL, what_source},
                                                     {"destination", NULL, what_destination}};
    const struct stint_array *whats = &data->overview->whats.all;
    stint_column_put_table(json, &data->strings, "what", whats->items, whats->count, columns,
                           sizeof columns / sizeof columns[0]);
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

static const struct stint_block *block_at(const void *rows, size_t i)
{
    return ((const struct row *)rows)->blocks[i];
}

/* Starts count from the end of the previous block, which takes fewer digits and is often 0. */
static int64_t cell_start(const void *rows, size_t i)
{
    const struct row *row = rows;
    uint64_t before = i ? block_at(rows, i - 1)->end_ns : row->data->overview->start_ns;
    return (int64_t)(block_at(rows, i)->start_ns - before);
}

static int64_t cell_duration(const void *rows, size_t i)
{
    return stint_cell(block_at(rows, i)->end_ns - block_at(rows, i)->start_ns);
}

static int64_t cell_what(const void *rows, size_t i)
{
    return block_at(rows, i)->what;
}

static int64_t cell_count(const void *rows, size_t i)
{
    return stint_cell(block_at(rows, i)->count);
}

static int64_t cell_bytes(const void *rows, size_t i)
{
    return stint_cell(block_at(rows, i)->bytes);
}

static int64_t cell_context(const void *rows, size_t i)
{
    const struct stint_page_data *data = ((const struct row *)rows)->data;
    return stint_html_context(&data->contexts, data->snapshot, block_at(rows, i)->context);
}

static int64_t cell_launch_row(const void *rows, size_t i)
{
    uint32_t row = block_at(rows, i)->launch_row;
    return row == UINT32_MAX ? -1 : (int64_t)row;
}

/* The time from the launch to the start. */
static int64_t cell_launch(const void *rows, size_t i)
{
    const struct stint_block *block = block_at(rows, i);
    return block->launch_row == UINT32_MAX ? 0 : stint_cell(block->start_ns - block->launch_ns);
}

static void put_row(struct stint_json *json, const struct row *row, const struct stint_overview_row *place)
{
    stint_json_begin_row(json);
    stint_json_key_u64(json, "lane", place->lane);
    stint_json_key_u64(json, "depth", place->depth);
    stint_json_key_u64(json, "rows", row->count);
    stint_column_put(json, "start", row, row->count, cell_start);
    stint_column_put(json, "duration", row, row->count, cell_duration);
    stint_column_put(json, "what", row, row->count, cell_what);
    stint_column_put(json, "count", row, row->count, cell_count);
    stint_column_put(json, "context", row, row->count, cell_context);
    stint_column_put(json, "bytes", row, row->count, cell_bytes);
    stint_column_put(json, "launch_row", row, row->count, cell_launch_row);
    stint_column_put(json, "launch", row, row->count, cell_launch);
    stint_json_key(json, "busy");
    stint_json_begin(json, "[");
    for (size_t i = 0; i < row->count; i++)
        if (row->blocks[i]->count > 1)
            stint_json_u64(json, row->blocks[i]->busy_ns);
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
    for (size_t i = 0; first && i < overview->row_count; i++) {
        struct row row = {.data = data, .blocks = sorted + first[i], .count = first[i + 1] - first[i]};
        put_row(json, &row, &overview->rows[i]);
    }
    stint_json_end(json, "]");
    stint_arena_free(&arena);
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
    stint_json_key_u64(json, "start_ns", overview->start_ns);
    stint_json_key_u64(json, "end_ns", overview->end_ns);
    put_device_uses(json, overview);
    put_lanes(json, overview);
    put_whats(data, json);
    put_rows(data, json);
    stint_json_end(json, "}");
}
