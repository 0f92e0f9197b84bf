/* Perfetto's trace, as packets that are only ever appended: what has been written stays readable if the rest is lost.
 * Threads have slices. What devices did is written as GPU render stages, which Perfetto shows by process, device,
 * context and stream; kernels have their launch configuration. An arrow leads from a call to what it launched. */
#include "export/perfetto.h"

#include <stdio.h>

#include "model/model.h"
#include "verdict/verdict.h"

/* TracePacket */
enum {
    TIMESTAMP = 8,
    SEQUENCE_ID = 10,
    TRACK_EVENT = 11,
    INTERNED_DATA = 12,
    SEQUENCE_FLAGS = 13,
    RENDER_STAGE = 53,
};

void stint_perfetto_begin(struct stint_perfetto *perfetto)
{
    perfetto->packet.used = perfetto->interned.used = 0;
    stint_proto_u64(&perfetto->packet, SEQUENCE_ID, 1);
}

void stint_perfetto_begin_at(struct stint_perfetto *perfetto, uint64_t ns)
{
    enum { NEEDS_STATE = 2 };
    stint_perfetto_begin(perfetto);
    stint_proto_u64(&perfetto->packet, SEQUENCE_FLAGS, NEEDS_STATE);
    stint_proto_u64(&perfetto->packet, TIMESTAMP, ns);
}

void stint_perfetto_end(struct stint_perfetto *perfetto)
{
    enum { TAG = 1 << 3 | 2 }; /* Trace.packet */
    uint8_t head[1 + STINT_PROTO_VARINT] = {TAG};
    struct stint_out *out = perfetto->walk.out;
    if (perfetto->interned.used)
        stint_proto_bytes(&perfetto->packet, INTERNED_DATA, perfetto->interned.bytes, perfetto->interned.used);
    size_t length = 1 + stint_proto_varint(head + 1, perfetto->packet.used);
    stint_out_put(out, (const char *)head, length);
    stint_out_put(out, (const char *)perfetto->packet.bytes, perfetto->packet.used);
}

/* The id that arrows connect: the correlation within its process, or, for an event without correlation, a number of its
 * own. */
static uint64_t event_id(struct stint_perfetto *perfetto, size_t process, const struct stint_gpu_event *gpu)
{
    if (!gpu->correlation)
        return UINT64_C(1) << 63 | ++perfetto->events;
    return (uint64_t)process << 32 | (gpu->correlation & UINT32_MAX);
}

/* ------------------------------------------------------------------------------------------------------ host slices */

static enum stint_perfetto_category category_of(const struct stint_event *event)
{
    switch (event->kind) {
    case STINT_EVENT_SCOPE:
        return stint_event_is_os_call(event) ? STINT_PERFETTO_WAIT : STINT_PERFETTO_SCOPE;
    case STINT_EVENT_RANGE:
        return STINT_PERFETTO_RANGE;
    case STINT_EVENT_MARK:
        return STINT_PERFETTO_MARK;
    case STINT_EVENT_CALL:
        return STINT_PERFETTO_API;
    default:
        break;
    }
    switch (event->gpu->kind) {
    case STINT_GPU_SPAN:
        return STINT_PERFETTO_SPAN;
    case STINT_GPU_SYNC:
        return STINT_PERFETTO_WAIT;
    case STINT_GPU_FAULT:
        return STINT_PERFETTO_FAULT;
    default:
        return STINT_PERFETTO_OVERHEAD;
    }
}

static void put_name(struct stint_perfetto *perfetto, uint32_t number_field, uint32_t text_field, const char *name,
                     uint64_t number)
{
    if (number)
        stint_proto_u64(&perfetto->packet, number_field, number);
    else
        stint_proto_string(&perfetto->packet, text_field, name);
}

/* Names the GPU work that a call launched: GpuTrackEvent.gpu_correlation. */
static void put_submission(struct stint_perfetto *perfetto, uint64_t id)
{
    enum { CORRELATION = 3000, SUBMITTED = 1 };
    STINT_PROTO_MESSAGE(&perfetto->packet, CORRELATION, {SUBMITTED, .value = id});
}

/* TrackEvent.debug_annotations */
static void put_annotation(struct stint_perfetto *perfetto, const char *name, const char *value)
{
    enum { ANNOTATION = 4, NAME = 10, VALUE = 6 };
    STINT_PROTO_MESSAGE(&perfetto->packet, ANNOTATION, {NAME, .text = name}, {VALUE, .text = value});
}

static void put_data(struct stint_perfetto *perfetto, const struct stint_event *event)
{
    struct stint_words_data data;
    stint_words_data_begin(&data, event);
    while (stint_words_data_next(&data))
        put_annotation(perfetto, data.key, data.value);
}

static void put_attributes(struct stint_perfetto *perfetto)
{
    enum { ANNOTATION = 4, NAME = 10, DOUBLE = 5 };
    for (size_t i = 0; i < perfetto->walk.attribute_count; i++) {
        const struct stint_attribute *attribute = &perfetto->walk.attributes[i];
        size_t message = stint_proto_begin(&perfetto->packet, ANNOTATION);
        stint_proto_string(&perfetto->packet, NAME, attribute->name);
        stint_proto_double(&perfetto->packet, DOUBLE, attribute->value);
        stint_proto_end(&perfetto->packet, message);
    }
}

static void put_look(struct stint_perfetto *perfetto, const struct stint_event *event)
{
    char color[16], buffer[STINT_WORDS_SIZE];
    const char *category = stint_words_category(buffer, perfetto->walk.snapshot, event);
    if (event->color) {
        (void)snprintf(color, sizeof color, "#%06x", (unsigned)(event->color & 0xFFFFFF));
        put_annotation(perfetto, "color", color);
    }
    if (category)
        put_annotation(perfetto, "category", category);
}

/* Returns the statistic of a scope, or STINT_INDEX_NONE. */
static size_t stat_of(const struct stint_snapshot *snapshot, const struct stint_event *event)
{
    if (event->kind != STINT_EVENT_SCOPE || event->context >= snapshot->context_count)
        return STINT_INDEX_NONE;
    return snapshot->contexts[event->context].stat;
}

static int put_slice(struct stint_walk *walk, const struct stint_event *event, const struct stint_lane *lane)
{
    enum { CATEGORY = 3, TYPE = 9, NAME_IID = 10, TRACK = 11, NAME = 23, PLACE = 34, BEGIN = 1, INSTANT = 3 };
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    char buffer[STINT_WORDS_SIZE];
    size_t process = stint_walk_process(walk, event->pid);
    if (process == STINT_INDEX_NONE)
        return -1;
    stint_perfetto_begin_at(perfetto, event->start_ns);
    const char *word = stint_words_event(buffer, event);
    size_t stat = stat_of(walk->snapshot, event);
    uint64_t name = stat == STINT_INDEX_NONE ? stint_perfetto_name(perfetto, word)
                                             : stint_perfetto_scope_name(perfetto, stat, word);
    size_t message = stint_proto_begin(&perfetto->packet, TRACK_EVENT);
    stint_proto_u64(&perfetto->packet, TYPE, stint_walk_is_instant(event) ? INSTANT : BEGIN);
    stint_proto_u64(&perfetto->packet, TRACK, lane->id);
    stint_proto_u64(&perfetto->packet, CATEGORY, category_of(event));
    put_name(perfetto, NAME_IID, NAME, word, name);
    uint64_t place = stat == STINT_INDEX_NONE ? 0 : stint_perfetto_place(perfetto, stat);
    if (place)
        stint_proto_u64(&perfetto->packet, PLACE, place);
    if (event->kind == STINT_EVENT_CALL && event->gpu->correlation && stint_call_is_work(event->name))
        put_submission(perfetto, event_id(perfetto, process, event->gpu));
    put_look(perfetto, event);
    if (event->text)
        put_data(perfetto, event);
    put_attributes(perfetto);
    stint_proto_end(&perfetto->packet, message);
    stint_perfetto_end(perfetto);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------- GPU stages */

/* GpuRenderStageEvent's launch */
enum { LAUNCH_GRID = 1, LAUNCH_BLOCK = 2, LAUNCH_ARGUMENT = 3 };

static void put_argument(struct stint_proto *proto, enum stint_perfetto_argument name, uint64_t value)
{
    enum { NAME = 1, VALUE = 4 };
    STINT_PROTO_MESSAGE(proto, LAUNCH_ARGUMENT, {NAME, .value = name}, {VALUE, .value = value});
}

static void put_number(struct stint_proto *proto, enum stint_perfetto_argument name, double value)
{
    enum { NAME = 1, VALUE = 5 };
    size_t message = stint_proto_begin(proto, LAUNCH_ARGUMENT);
    stint_proto_u64(proto, NAME, name);
    stint_proto_double(proto, VALUE, value);
    stint_proto_end(proto, message);
}

static void put_text(struct stint_proto *proto, enum stint_perfetto_argument name, const char *value)
{
    enum { NAME = 1, VALUE = 6 };
    STINT_PROTO_MESSAGE(proto, LAUNCH_ARGUMENT, {NAME, .value = name}, {VALUE, .text = value});
}

static void put_dimensions(struct stint_proto *proto, uint32_t field, const uint32_t dimensions[3])
{
    size_t message = stint_proto_begin(proto, field);
    for (uint32_t i = 0; i < 3; i++)
        stint_proto_u64(proto, i + 1, dimensions[i]);
    stint_proto_end(proto, message);
}

static void put_kernel(struct stint_perfetto *perfetto, const struct stint_gpu_event *gpu)
{
    struct stint_proto *proto = &perfetto->packet;
    struct stint_kernel_launch launch;
    put_dimensions(proto, LAUNCH_GRID, gpu->grid);
    put_dimensions(proto, LAUNCH_BLOCK, gpu->block);
    put_argument(proto, STINT_PERFETTO_REGISTERS, gpu->registers);
    put_argument(proto, STINT_PERFETTO_STATIC_SHARED, gpu->static_shared);
    put_argument(proto, STINT_PERFETTO_DYNAMIC_SHARED, gpu->dynamic_shared);
    if (stint_kernel_launch_of(&launch, perfetto->walk.snapshot, gpu))
        return;
    uint32_t multiprocessors = launch.multiprocessors;
    put_number(proto, STINT_PERFETTO_THREADS, (double)launch.blocks * (double)launch.threads);
    launch.multiprocessors = 0; /* the theoretical maximum, however few blocks there are */
    struct stint_occupancy occupancy = stint_occupancy_of(&launch);
    if (!occupancy.most)
        return;
    put_number(proto, STINT_PERFETTO_OCCUPANCY, 100.0 * occupancy.warps / occupancy.most);
    if (multiprocessors && occupancy.blocks)
        put_number(proto, STINT_PERFETTO_WAVES, (double)launch.blocks / ((double)occupancy.blocks * multiprocessors));
}

static void put_launch(struct stint_perfetto *perfetto, const struct stint_event *event)
{
    enum { LAUNCH = 21 };
    const struct stint_gpu_event *gpu = event->gpu;
    const char *scope = stint_words_scope(perfetto->walk.snapshot, event);
    struct stint_proto *proto = &perfetto->packet;
    size_t message = stint_proto_begin(proto, LAUNCH);
    put_argument(proto, STINT_PERFETTO_DEVICE, gpu->device);
    if (gpu->kind != STINT_GPU_UNIFIED)
        put_argument(proto, STINT_PERFETTO_STREAM, gpu->stream);
    if (gpu->correlation)
        put_argument(proto, STINT_PERFETTO_CORRELATION, gpu->correlation);
    if (scope)
        put_text(proto, STINT_PERFETTO_SCOPE_NAME, scope);
    if (gpu->kind == STINT_GPU_KERNEL)
        put_kernel(perfetto, gpu);
    else
        put_argument(proto, STINT_PERFETTO_BYTES, gpu->bytes);
    if (gpu->graph) {
        put_argument(proto, STINT_PERFETTO_GRAPH, gpu->graph);
        put_argument(proto, STINT_PERFETTO_GRAPH_NODE, gpu->graph_node);
    }
    stint_proto_end(proto, message);
}

static enum stint_perfetto_stage stage_of(enum stint_gpu_kind kind)
{
    switch (kind) {
    case STINT_GPU_KERNEL:
        return STINT_PERFETTO_KERNEL;
    case STINT_GPU_COPY:
        return STINT_PERFETTO_COPY;
    case STINT_GPU_SET:
        return STINT_PERFETTO_SET;
    default:
        return STINT_PERFETTO_UNIFIED;
    }
}

static int put_work(struct stint_walk *walk, const struct stint_event *event)
{
    enum { ID = 1, DURATION = 2, CONTEXT = 5, GPU = 11, QUEUE = 13, STAGE = 14, NAME = 17, KERNEL = 19, NAME_IID = 20 };
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    char buffer[STINT_WORDS_SIZE];
    size_t process = stint_walk_process(walk, event->pid);
    if (process == STINT_INDEX_NONE || stint_walk_busy(walk, event))
        return -1;
    stint_perfetto_begin_at(perfetto, event->start_ns);
    const char *word = stint_words_event(buffer, event);
    uint64_t name = stint_perfetto_name(perfetto, word), context = stint_perfetto_context(perfetto, event);
    uint64_t queue = stint_perfetto_queue(perfetto, event);
    if (!context || !queue)
        return -1;
    struct stint_proto *proto = &perfetto->packet;
    size_t message = stint_proto_begin(proto, RENDER_STAGE);
    stint_proto_u64(proto, ID, event_id(perfetto, process, event->gpu));
    stint_proto_u64(proto, DURATION, event->end_ns - event->start_ns);
    stint_proto_u64(proto, CONTEXT, context);
    stint_proto_u64(proto, GPU, event->gpu->device);
    stint_proto_u64(proto, QUEUE, queue);
    stint_proto_u64(proto, STAGE, stage_of(event->gpu->kind));
    put_name(perfetto, NAME_IID, NAME, word, name);
    if (event->gpu->kind == STINT_GPU_KERNEL && stint_perfetto_kernel(perfetto, name, event))
        stint_proto_u64(proto, KERNEL, name);
    put_launch(perfetto, event);
    stint_proto_end(proto, message);
    stint_perfetto_end(perfetto);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ trace */

static int begin_trace(struct stint_walk *walk)
{
    struct stint_perfetto *perfetto = (struct stint_perfetto *)walk;
    perfetto->stats =
        stint_arena_alloc(&walk->tracks.arena, (walk->snapshot->stat_count + 1) * sizeof *perfetto->stats);
    if (!perfetto->stats)
        return -1;
    stint_perfetto_head(perfetto);
    return 0;
}

static void free_queues(struct stint_walk *walk)
{
    stint_tracks_free(&((struct stint_perfetto *)walk)->queues);
}

const struct stint_encoder stint_encoder_perfetto = {
    .size = sizeof(struct stint_perfetto),
    .begin = begin_trace,
    .lane = stint_perfetto_lane,
    .process = stint_perfetto_process,
    .device = stint_perfetto_device,
    .slice = put_slice,
    .work = put_work,
    .closed = stint_perfetto_closed,
    .point = stint_perfetto_point,
    .busy = stint_perfetto_busy,
    .sample = stint_perfetto_sample,
    .end = free_queues,
};
