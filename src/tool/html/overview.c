/* Makes an overview of the events of a recording: blocks on rows of lanes, how devices were used, curves of numbers. */
#include "html/overview.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "stat/numbers.h"

/* ----------------------------------------------------------------------------------------------------------- curves */

static int is_like(const struct stint_curve *curve, const struct stint_event *event, int64_t device,
                   const struct stint_words_point *words)
{
    return curve->pid == event->pid && curve->device == device && strcmp(curve->name, words->curve) == 0 &&
           strcmp(curve->what, words->what) == 0;
}

static struct stint_curve *append_curve(struct stint_curves *curves, const struct stint_event *event, int64_t device,
                                        const struct stint_words_point *words)
{
    struct stint_curve *curve = stint_arena_alloc(curves->arena, sizeof *curve);
    if (!curve)
        return NULL;
    curve->pid = event->pid;
    curve->device = device;
    curve->per = 1;
    curve->name = stint_arena_copy(curves->arena, words->curve, strlen(words->curve));
    curve->what = stint_arena_copy(curves->arena, words->what, strlen(words->what));
    if (!curve->name || !curve->what)
        return NULL;
    curves->all[curves->count++] = curve;
    return curve;
}

static void merge_points(struct stint_curve_point *into, const struct stint_curve_point *point)
{
    into->least = point->least < into->least ? point->least : into->least;
    into->most = point->most > into->most ? point->most : into->most;
    into->last = point->last;
}

/* Makes one point of two. */
static void coarsen(struct stint_curve *curve)
{
    for (size_t i = 0; i < STINT_CURVE_POINTS / 2; i++) {
        curve->points[i] = curve->points[2 * i];
        merge_points(&curve->points[i], &curve->points[2 * i + 1]);
    }
    curve->count = STINT_CURVE_POINTS / 2;
    curve->per *= 2;
    curve->in_last = curve->per;
}

static void add_point(struct stint_curve *curve, const struct stint_curve_point *point)
{
    if (curve->count && curve->in_last < curve->per) {
        merge_points(&curve->points[curve->count - 1], point);
        curve->in_last++;
        return;
    }
    if (curve->count == STINT_CURVE_POINTS)
        coarsen(curve);
    curve->points[curve->count++] = *point;
    curve->in_last = 1;
}

int stint_curves_add(struct stint_curves *curves, const struct stint_event *event)
{
    struct stint_words_point words;
    int64_t device = event->memory ? (int64_t)event->memory->device : STINT_NO_DEVICE;
    struct stint_curve *curve = NULL;
    stint_words_point(&words, event);
    for (size_t i = 0; i < curves->count && !curve; i++)
        if (is_like(curves->all[i], event, device, &words))
            curve = curves->all[i];
    if (!curve && curves->count == STINT_CURVES_MOST) {
        curves->beyond++;
        return 0;
    }
    if (!curve && !(curve = append_curve(curves, event, device, &words)))
        return -1;
    add_point(curve, &(struct stint_curve_point){event->start_ns, words.value, words.value, words.value});
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void merge_blocks(struct stint_block *into, const struct stint_block *block)
{
    into->end_ns = greater(into->end_ns, block->end_ns);
    stint_sum_up(&into->busy_ns, block->busy_ns);
    stint_sum_up(&into->bytes, block->bytes);
    into->count += block->count;
    into->attributes = NULL;
    into->launch_row = UINT32_MAX;
    if (block->longest_ns <= into->longest_ns)
        return;
    into->longest_ns = block->longest_ns;
    into->what = block->what;
    into->context = block->context;
}

/* For any two consecutive blocks of a row, the start of the first and the end of the second are more than the grain
 * apart, so there are at most two blocks per grain. */
static void put_block(struct stint_overview *overview, const struct stint_block *block)
{
    struct stint_overview_row *row = &overview->rows[block->row];
    struct stint_block *last = row->last == SIZE_MAX ? NULL : &overview->blocks[row->last];
    if (last && overview->grain_ns && greater(last->end_ns, block->end_ns) - last->start_ns <= overview->grain_ns) {
        merge_blocks(last, block);
        return;
    }
    row->last = overview->count;
    overview->blocks[overview->count++] = *block;
}

static void raise_grain(struct stint_overview *overview, uint64_t span_ns)
{
    size_t count = overview->count;
    overview->grain_ns =
        overview->grain_ns ? overview->grain_ns + overview->grain_ns / 4 + 1 : greater(span_ns >> 20, 1);
    overview->count = 0;
    for (size_t i = 0; i < overview->row_count; i++)
        overview->rows[i].last = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        struct stint_block block = overview->blocks[i];
        put_block(overview, &block);
    }
}

void stint_overview_coarsen(struct stint_overview *overview, size_t most)
{
    uint64_t span_ns = overview->end_ns - overview->start_ns;
    do
        raise_grain(overview, span_ns);
    while (overview->count > most && overview->grain_ns <= span_ns);
}

/* ------------------------------------------------------------------------------------------------------------ lanes */

static struct stint_overview_lane lane_of_device(const struct stint_event *event)
{
    const struct stint_gpu_event *gpu = event->gpu;
    if (gpu->kind == STINT_GPU_SYNC)
        return (struct stint_overview_lane){.kind = STINT_LANE_WAITS, .pid = event->pid, .tid = event->tid};
    if (gpu->kind == STINT_GPU_OVERHEAD)
        return (struct stint_overview_lane){.kind = STINT_LANE_OVERHEAD, .pid = event->pid};
    return (struct stint_overview_lane){.kind = STINT_LANE_STREAM,
                                        .pid = event->pid,
                                        .device = gpu->device,
                                        .context = gpu->device_context,
                                        .stream = gpu->stream};
}

static struct stint_overview_lane lane_of(const struct stint_event *event)
{
    if (event->kind == STINT_EVENT_DEVICE)
        return lane_of_device(event);
    if (event->kind == STINT_EVENT_RANGE)
        return (struct stint_overview_lane){.kind = STINT_LANE_RANGES, .pid = event->pid};
    return (struct stint_overview_lane){.kind = STINT_LANE_THREAD, .pid = event->pid, .tid = event->tid};
}

static const struct stint_table_key s_lane =
    STINT_TABLE_KEY(struct stint_overview_lane, kind, pid, tid, device, context, stream);

/* Returns the position of the lane, which is added if it is missing; of the last one if there are too many. SIZE_MAX
 * without memory. */
static size_t find_lane(struct stint_overview *overview, struct stint_overview_lane like)
{
    struct stint_table *lanes = &overview->lanes;
    const void *lane = stint_table_find(lanes, &s_lane, &like);
    if (!lane && lanes->count >= STINT_OVERVIEW_LANES - 1)
        like = (struct stint_overview_lane){.kind = STINT_LANE_OTHERS};
    like.first = SIZE_MAX;
    return stint_table_position(lanes, &s_lane,
                                lane ? lane : stint_table_take(lanes, &s_lane, &overview->arena, &like));
}

/* Every lane is guaranteed one row. */
static size_t add_row(struct stint_overview *overview, size_t lane, size_t depth)
{
    if (depth && overview->row_count >= STINT_ROWS_MOST - STINT_OVERVIEW_LANES)
        return SIZE_MAX;
    overview->rows[overview->row_count] =
        (struct stint_overview_row){.lane = lane, .next = SIZE_MAX, .depth = depth, .last = SIZE_MAX};
    return overview->row_count++;
}

size_t stint_overview_add_row(struct stint_overview *overview, struct stint_overview_lane like, size_t depth)
{
    size_t lane = find_lane(overview, like), row;
    if (lane == SIZE_MAX || stint_overview_lane_at(overview, lane)->kind != like.kind)
        return SIZE_MAX;
    size_t *link = &stint_overview_lane_at(overview, lane)->first;
    while (*link != SIZE_MAX)
        link = &overview->rows[*link].next;
    row = add_row(overview, lane, depth);
    if (row != SIZE_MAX)
        *link = row;
    return row;
}

/* Returns the first free row of the lane. On a thread, whose scopes are nested, this is the row below all events around
 * this one. */
static size_t find_row(struct stint_overview *overview, size_t lane, const struct stint_event *event)
{
    size_t depth = 0, row = SIZE_MAX;
    size_t *link = &stint_overview_lane_at(overview, lane)->first;
    for (; *link != SIZE_MAX; depth++) {
        row = *link;
        if (overview->rows[row].end_ns <= event->start_ns)
            return row;
        link = &overview->rows[row].next;
    }
    size_t added = add_row(overview, lane, depth);
    if (added == SIZE_MAX) {
        overview->crowded++;
        return row;
    }
    *link = added;
    return added;
}

/* ---------------------------------------------------------------------------------------------------------- devices */

static struct stint_device_use *find_device(struct stint_overview *overview, const struct stint_event *event)
{
    for (size_t i = 0; i < overview->device_count; i++)
        if (overview->devices[i].device == event->gpu->device)
            return &overview->devices[i];
    if (overview->device_count == STINT_DEVICES_MOST)
        return NULL;
    struct stint_device_use *use = &overview->devices[overview->device_count++];
    *use = (struct stint_device_use){
        .device = event->gpu->device, .first_ns = event->start_ns, .last_ns = event->start_ns};
    return use;
}

static void add_use(struct stint_overview *overview, const struct stint_event *event)
{
    struct stint_device_use *use = find_device(overview, event);
    if (!use)
        return;
    if (event->start_ns > use->last_ns && event->start_ns - use->last_ns > use->idle_ns) {
        use->idle_start_ns = use->last_ns;
        use->idle_ns = event->start_ns - use->last_ns;
    }
    if (event->end_ns <= use->last_ns)
        return;
    use->busy_ns += event->end_ns - greater(event->start_ns, use->last_ns);
    use->last_ns = event->end_ns;
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* Returns 0, or -1 without memory. */
static int note_call(struct stint_overview *overview, const struct stint_event *event, size_t row)
{
    size_t number = overview->call_count;
    if (!event->gpu || !event->gpu->correlation)
        return 0;
    overview->call_count++;
    overview->calls[number % STINT_LAUNCHES] = (struct stint_overview_call){event->start_ns, (uint32_t)row};
    return stint_launches_put(&overview->launches, event->pid, event->gpu->correlation, number);
}

/* Returns the call that launched the event; NULL if it is unknown or no longer kept. */
static const struct stint_overview_call *find_call(const struct stint_overview *overview,
                                                   const struct stint_event *event)
{
    size_t number = stint_launches_find(&overview->launches, event->pid, event->gpu->correlation);
    if (number >= overview->call_count || overview->call_count - number > STINT_LAUNCHES)
        return NULL;
    const struct stint_overview_call *call = &overview->calls[number % STINT_LAUNCHES];
    return call->start_ns <= event->start_ns ? call : NULL;
}

static struct stint_block block_of(const struct stint_overview *overview, const struct stint_event *event, size_t row,
                                   size_t what)
{
    uint64_t ns = event->end_ns - event->start_ns;
    struct stint_block block = {.start_ns = event->start_ns,
                                .end_ns = event->end_ns,
                                .busy_ns = ns,
                                .longest_ns = ns,
                                .bytes = event->gpu ? event->gpu->bytes : 0,
                                .count = 1,
                                .context = event->context,
                                .launch_row = UINT32_MAX,
                                .row = (uint32_t)row,
                                .what = (uint32_t)what};
    const struct stint_overview_call *call = event->kind == STINT_EVENT_DEVICE ? find_call(overview, event) : NULL;
    if (call) {
        block.launch_ns = call->start_ns;
        block.launch_row = call->row;
    }
    return block;
}

/* Returns the attributes of the event as a text, NULL if it has none or there is no memory; those that are too many are
 * cut. */
static const char *attributes_of(struct stint_overview *overview, const struct stint_event *event)
{
    static const struct stint_table_key whole = STINT_TABLE_KEY_WHOLE_COPYING(const char *);
    char text[512] = "", digits[STINT_NUMBER_SIZE];
    const struct stint_attribute *all;
    size_t length = 0, count = stint_attributes_take(&overview->held, event, &all);
    for (size_t i = 0; i < count && length < sizeof text; i++) {
        digits[stint_number_exact(digits, all[i].value)] = '\0';
        int added = snprintf(text + length, sizeof text - length, "%s%s %s", i ? ", " : "", all[i].name, digits);
        length += added > 0 ? (size_t)added : 0;
    }
    const char *key = text;
    const char *const *kept = count ? stint_table_take(&overview->texts, &whole, &overview->arena, &key) : NULL;
    return kept ? *kept : NULL;
}

static void note_span(struct stint_overview *overview, uint64_t start_ns, uint64_t end_ns)
{
    int is_first = !overview->events && !overview->curves.count;
    if (is_first || start_ns < overview->start_ns)
        overview->start_ns = start_ns;
    overview->end_ns = greater(overview->end_ns, end_ns);
}

void stint_overview_note(struct stint_overview *overview, uint64_t start_ns, uint64_t end_ns)
{
    note_span(overview, start_ns, end_ns);
    overview->events++;
}

static void put_event(struct stint_overview *overview, size_t row, size_t what, const struct stint_event *event)
{
    if (overview->count == overview->most)
        stint_overview_coarsen(overview, overview->most / 4 * 3);
    struct stint_block block = block_of(overview, event, row, what);
    block.attributes = attributes_of(overview, event);
    overview->rows[row].end_ns = greater(overview->rows[row].end_ns, event->end_ns);
    put_block(overview, &block);
}

int stint_overview_put(struct stint_overview *overview, size_t row, const struct stint_event *event)
{
    size_t what = stint_event_classes_add(&overview->whats, event);
    if (what == SIZE_MAX)
        return -1;
    put_event(overview, row, what, event);
    return 0;
}

/* Returns 0, or -1 without memory. */
static int add_event(struct stint_overview *overview, const struct stint_event *event)
{
    size_t what = stint_event_classes_add(&overview->whats, event);
    size_t lane = find_lane(overview, lane_of(event));
    if (what == SIZE_MAX || lane == SIZE_MAX)
        return -1;
    overview->events++;
    size_t row = find_row(overview, lane, event);
    put_event(overview, row, what, event);
    if (event->kind == STINT_EVENT_CALL && note_call(overview, event, row))
        return -1;
    if (event->kind == STINT_EVENT_DEVICE && stint_gpu_occupies(event->gpu->kind))
        add_use(overview, event);
    return 0;
}

static int begin_overview(struct stint_overview *overview, size_t most)
{
    memset(overview, 0, sizeof *overview);
    overview->most = greater(most, 2 * STINT_ROWS_MOST);
    overview->whats.arena = overview->curves.arena = &overview->arena;
    overview->blocks = stint_arena_alloc(&overview->arena, overview->most * sizeof *overview->blocks);
    overview->calls = stint_arena_alloc(&overview->arena, STINT_LAUNCHES * sizeof *overview->calls);
    return overview->blocks && overview->calls ? 0 : -1;
}

static int add_any_event(struct stint_overview *overview, const struct stint_event *event)
{
    if (event->kind == STINT_EVENT_SAMPLE)
        return overview->chart.functions ? stint_sample_chart_add(overview, event) : 0;
    note_span(overview, event->start_ns, event->end_ns);
    if (!stint_event_is_point(event))
        return add_event(overview, event);
    if (stint_is_identifier(&overview->held, event))
        return stint_attributes_hold(&overview->held, event) < 0 ? -1 : 0;
    return stint_curves_add(&overview->curves, event);
}

static int add_events(struct stint_overview *overview, struct stint_event_source *source)
{
    struct stint_event event;
    int got;
    if (source->begin(source))
        return -1;
    while ((got = source->next(source, &event)) == 1) {
        if (add_any_event(overview, &event))
            return -1;
    }
    return got < 0 ? -1 : stint_sample_chart_end(overview);
}

int stint_overview_read(struct stint_overview *overview, struct stint_event_source *source,
                        struct stint_functions *functions, size_t most)
{
    if (source)
        source->reason[0] = '\0';
    if (begin_overview(overview, most))
        return -1;
    overview->chart.functions = functions;
    if (functions && stint_attributes_learn(&overview->held, functions->input->snapshot))
        return -1;
    return source ? add_events(overview, source) : 0;
}

void stint_overview_free(struct stint_overview *overview)
{
    stint_launches_free(&overview->launches);
    stint_attributes_free(&overview->held);
    stint_arena_free(&overview->arena);
}
