/* Chrome's trace events in JSON, as PyTorch's profiler (Kineto) writes them: with its categories, names of arguments,
 * and arrows, so that programs that read its traces read these. Times are microseconds since baseTimeNanoseconds, with
 * three decimals. */
#include "export/encoder.h"

#include <stdio.h>

#include "model/model.h"
#include "verdict/verdict.h"

#define PUT STINT_CHROME_PUT

/* ---------------------------------------------------------------------------------------------------------- samples */

/* Samples in Chrome's trace events, as V8's sampling profiler writes them, which DevTools and Perfetto show: a profile
 * for each thread, in chunks of some samples, each chunk with the nodes of the tree of calls that it is the first to
 * need. There a sample holds until the next one. So one is written for when the time begins that it stands for, and
 * "(idle)" where that ends before the next. */

/* Nodes that are in each profile; those of functions follow. */
enum { ROOT = 1, IDLE, UNKNOWN, FIRST_NODE };

enum { CHUNK = 128 };

/* A node of a profile's tree of calls. */
struct node {
    uint32_t parent;
    uint32_t function;
};

struct stint_chrome_profile {
    int64_t lane_pid; /* the lane that the thread is shown on */
    uint64_t lane_id;
    struct stint_table nodes; /* struct node; their ids are their positions + FIRST_NODE */
    int is_begun;             /* nodes have been written, */
    size_t told;              /* so many of these */
    uint64_t end_ns;          /* of the time that the last sample stands for */
    uint64_t told_us;         /* when the last sample that is written begins */
    size_t count;             /* samples of the chunk */
    uint32_t samples[CHUNK];
    uint64_t starts_us[CHUNK];
};

static void begin_event(struct stint_chrome *chrome, const struct stint_chrome_profile *profile, const char *name,
                        uint64_t us)
{
    stint_chrome_begin(chrome, "P");
    PUT(chrome, "\"cat\": \"disabled-by-default-v8.cpu_profiler\", \"name\": \"");
    stint_out_string(chrome->walk.out, name);
    PUT(chrome, "\", \"id\": \"");
    stint_out_u64(chrome->walk.out, profile->lane_id);
    PUT(chrome, "\", ");
    stint_chrome_place(chrome, profile->lane_pid, profile->lane_id, us * 1000);
    PUT(chrome, ", \"args\": {\"data\": {");
}

/* ------------------------------------------------------------------------------------------------------------ nodes */

static void put_node(struct stint_chrome *chrome, uint64_t id, uint64_t parent, const char *name, const char *file)
{
    PUT(chrome, "{\"id\": ");
    stint_out_u64(chrome->walk.out, id);
    if (parent) {
        PUT(chrome, ", \"parent\": ");
        stint_out_u64(chrome->walk.out, parent);
    }
    PUT(chrome, ", \"callFrame\": {\"functionName\": ");
    stint_out_json(chrome->walk.out, name);
    PUT(chrome, ", \"codeType\": \"other\", \"scriptId\": 0");
    if (*file) {
        PUT(chrome, ", \"url\": ");
        stint_out_json(chrome->walk.out, file);
    }
    PUT(chrome, "}}");
}

static void put_first_nodes(struct stint_chrome *chrome)
{
    put_node(chrome, ROOT, 0, "(root)", "");
    PUT(chrome, ",\n");
    put_node(chrome, IDLE, ROOT, "(idle)", "");
    PUT(chrome, ",\n");
    put_node(chrome, UNKNOWN, ROOT, "(unknown)", "");
}

static void put_new_nodes(struct stint_chrome *chrome, struct stint_chrome_profile *profile)
{
    const struct node *nodes = profile->nodes.items;
    int is_first = !profile->is_begun;
    if (is_first)
        put_first_nodes(chrome);
    profile->is_begun = 1;
    for (size_t i = profile->told; i < profile->nodes.count; i++) {
        const struct stint_function *function = stint_functions_at(&chrome->walk.functions, nodes[i].function);
        stint_out_string(chrome->walk.out, is_first || i > profile->told ? ",\n" : "");
        put_node(chrome, i + FIRST_NODE, nodes[i].parent, function->name, function->file);
    }
    profile->told = profile->nodes.count;
}

/* Returns the id of a node; 0 without memory. */
static uint32_t node_of(struct stint_chrome *chrome, struct stint_chrome_profile *profile, uint32_t parent,
                        uint32_t function)
{
    static const struct stint_table_key key = STINT_TABLE_KEY(struct node, parent, function);
    struct node like = {parent, function};
    const void *node = stint_table_take(&profile->nodes, &key, &chrome->walk.tracks.arena, &like);
    return node ? (uint32_t)stint_table_position(&profile->nodes, &key, node) + FIRST_NODE : 0;
}

/* Returns the id of the call chain's last node; 0 without memory. */
static uint32_t chain_of(struct stint_chrome *chrome, struct stint_chrome_profile *profile, size_t stack)
{
    size_t count = stint_functions_chain(&chrome->walk.functions, stack);
    uint32_t node = count ? ROOT : UNKNOWN;
    if (count == SIZE_MAX)
        return 0;
    for (size_t i = 0; i < count && node; i++)
        node = node_of(chrome, profile, node,
                       stint_functions_place(&chrome->walk.functions, chrome->walk.functions.chain[i]).function);
    return node;
}

/* ---------------------------------------------------------------------------------------------------------- samples */

static void put_chunk(struct stint_chrome *chrome, struct stint_chrome_profile *profile)
{
    if (!profile->count)
        return;
    begin_event(chrome, profile, "ProfileChunk", profile->starts_us[0]);
    PUT(chrome, "\"cpuProfile\": {\"nodes\": [");
    put_new_nodes(chrome, profile);
    PUT(chrome, "], \"samples\": [");
    for (size_t i = 0; i < profile->count; i++) {
        stint_out_string(chrome->walk.out, i ? "," : "");
        stint_out_u64(chrome->walk.out, profile->samples[i]);
    }
    PUT(chrome, "]}, \"timeDeltas\": [");
    for (size_t i = 0; i < profile->count; i++) {
        stint_out_string(chrome->walk.out, i ? "," : "");
        stint_out_u64(chrome->walk.out, profile->starts_us[i] - profile->told_us);
        profile->told_us = profile->starts_us[i];
    }
    PUT(chrome, "]}}}");
    profile->count = 0;
}

static void add_sample(struct stint_chrome *chrome, struct stint_chrome_profile *profile, uint32_t node,
                       uint64_t begin_ns)
{
    if (profile->count == CHUNK)
        put_chunk(chrome, profile);
    profile->samples[profile->count] = node;
    profile->starts_us[profile->count++] = begin_ns / 1000;
}

/* Returns the profile of the lane's thread, which is begun if there is none; NULL without memory. */
static struct stint_chrome_profile *profile_of(struct stint_chrome *chrome, struct stint_lane *lane)
{
    struct stint_arena *arena = &chrome->walk.tracks.arena;
    if (lane->data)
        return lane->data;
    struct stint_chrome_profile *profile = stint_arena_alloc(arena, sizeof *profile);
    struct stint_chrome_profile **row = profile ? stint_array_add(&chrome->profiles, arena, sizeof(void *)) : NULL;
    if (!row)
        return NULL;
    lane->data = *row = profile;
    profile->lane_pid = lane->pid;
    profile->lane_id = lane->id;
    begin_event(chrome, profile, "Profile", 0);
    PUT(chrome, "\"startTime\": 0}}}");
    return profile;
}

static int put_sample(struct stint_walk *walk, const struct stint_event *event, struct stint_lane *lane)
{
    struct stint_chrome *chrome = (struct stint_chrome *)walk;
    struct stint_chrome_profile *profile = profile_of(chrome, lane);
    uint32_t node = profile ? chain_of(chrome, profile, event->sample.stack) : 0;
    if (!node)
        return -1;
    struct stint_sample_span span = stint_sample_span(event, profile->end_ns);
    if (span.begin_ns > profile->end_ns)
        add_sample(chrome, profile, IDLE, profile->end_ns);
    add_sample(chrome, profile, node, span.begin_ns);
    profile->end_ns = span.end_ns;
    return 0;
}

static void end_samples(struct stint_chrome *chrome)
{
    struct stint_chrome_profile **all = chrome->profiles.items;
    for (size_t i = 0; i < chrome->profiles.count; i++) {
        add_sample(chrome, all[i], IDLE, all[i]->end_ns);
        put_chunk(chrome, all[i]);
    }
}

/* ----------------------------------------------------------------------------------------------------------- events */

static void key_number(struct stint_chrome *chrome, const char *key, double value)
{
    stint_out_string(chrome->walk.out, key);
    stint_out_number(chrome->walk.out, value);
}

/* -------------------------------------------------------------------------------------------------------- arguments */

static void put_dimensions(struct stint_chrome *chrome, const uint32_t dimensions[3])
{
    for (size_t i = 0; i < 3; i++) {
        stint_out_put(chrome->walk.out, i ? ", " : "[", i ? 2 : 1);
        stint_out_u64(chrome->walk.out, dimensions[i]);
    }
    PUT(chrome, "]");
}

static void put_occupancy(struct stint_chrome *chrome, const struct stint_gpu_event *gpu)
{
    struct stint_kernel_launch launch;
    if (stint_kernel_launch_of(&launch, chrome->walk.snapshot, gpu))
        return;
    struct stint_occupancy occupancy = stint_occupancy_of(&launch);
    if (launch.multiprocessors) {
        double blocks = (double)launch.blocks / launch.multiprocessors;
        key_number(chrome, ", \"blocks per SM\": ", blocks);
        key_number(chrome, ", \"warps per SM\": ", blocks * (double)((launch.threads + 31) / 32));
    }
    if (occupancy.most)
        stint_chrome_key(chrome, "est. achieved occupancy %",
                         (UINT64_C(100) * occupancy.warps + occupancy.most / 2) / occupancy.most);
}

static void put_kernel(struct stint_chrome *chrome, const struct stint_gpu_event *gpu)
{
    stint_chrome_key(chrome, "registers per thread", gpu->registers);
    stint_chrome_key(chrome, "shared memory", (uint64_t)gpu->static_shared + gpu->dynamic_shared);
    put_occupancy(chrome, gpu);
    PUT(chrome, ", \"grid\": ");
    put_dimensions(chrome, gpu->grid);
    PUT(chrome, ", \"block\": ");
    put_dimensions(chrome, gpu->block);
}

static void put_bytes(struct stint_chrome *chrome, const struct stint_gpu_event *gpu)
{
    stint_chrome_key(chrome, "bytes", gpu->bytes);
    if (gpu->end_ns > gpu->start_ns)
        key_number(chrome,
                   ", \"memory bandwidth (GB/s)\": ", (double)gpu->bytes / (double)(gpu->end_ns - gpu->start_ns));
    if (gpu->peer)
        stint_chrome_key(chrome, "to device", gpu->peer_device);
}

static void put_device_arguments(struct stint_chrome *chrome, const struct stint_event *event, const char *word)
{
    const struct stint_gpu_event *gpu = event->gpu;
    PUT(chrome, "\"device\": ");
    stint_out_u64(chrome->walk.out, gpu->device);
    stint_chrome_key(chrome, "context", gpu->device_context);
    stint_chrome_key(chrome, "stream", gpu->stream);
    stint_chrome_key(chrome, "correlation", gpu->correlation);
    if (gpu->kind == STINT_GPU_KERNEL)
        put_kernel(chrome, gpu);
    else if (stint_gpu_occupies(gpu->kind))
        put_bytes(chrome, gpu);
    if (gpu->kind == STINT_GPU_SYNC) {
        PUT(chrome, ", \"cuda_sync_kind\": ");
        stint_out_json(chrome->walk.out, word);
    }
    if (gpu->graph) {
        stint_chrome_key(chrome, "graph id", gpu->graph);
        stint_chrome_key(chrome, "graph node id", gpu->graph_node);
    }
}

/* In an object of their own, because keys may be any words. */
static void put_data(struct stint_chrome *chrome, const struct stint_event *event)
{
    struct stint_words_data data;
    size_t count = 0;
    for (stint_words_data_begin(&data, event); stint_words_data_next(&data); count++) {
        stint_out_string(chrome->walk.out, count ? ", " : ", \"data\": {");
        stint_out_json(chrome->walk.out, data.key);
        PUT(chrome, ": ");
        stint_out_json(chrome->walk.out, data.value);
    }
    if (count)
        PUT(chrome, "}");
}

static void put_attributes(struct stint_chrome *chrome)
{
    char digits[STINT_NUMBER_SIZE];
    for (size_t i = 0; i < chrome->walk.attribute_count; i++) {
        const struct stint_attribute *attribute = &chrome->walk.attributes[i];
        stint_out_string(chrome->walk.out, i ? ", " : ", \"payload\": {");
        stint_out_json(chrome->walk.out, attribute->name);
        PUT(chrome, ": ");
        stint_out_put(chrome->walk.out, digits, stint_number_exact(digits, attribute->value));
    }
    if (chrome->walk.attribute_count)
        PUT(chrome, "}");
}

static void put_look(struct stint_chrome *chrome, const struct stint_event *event)
{
    char color[32], buffer[STINT_WORDS_SIZE];
    const char *category = stint_words_category(buffer, chrome->walk.snapshot, event);
    if (event->color) {
        (void)snprintf(color, sizeof color, ", \"color\": \"#%06x\"", (unsigned)(event->color & 0xFFFFFF));
        stint_out_string(chrome->walk.out, color);
    }
    if (category) {
        PUT(chrome, ", \"category\": ");
        stint_out_json(chrome->walk.out, category);
    }
}

static void put_arguments(struct stint_chrome *chrome, const struct stint_event *event, const char *word)
{
    const struct stint_snapshot *snapshot = chrome->walk.snapshot;
    const char *scope = stint_words_scope(snapshot, event);
    int is_scope = event->kind == STINT_EVENT_SCOPE;
    PUT(chrome, ", \"args\": {");
    if (event->kind == STINT_EVENT_DEVICE)
        put_device_arguments(chrome, event, word);
    if (event->kind == STINT_EVENT_CALL) {
        PUT(chrome, "\"correlation\": ");
        stint_out_u64(chrome->walk.out, event->gpu->correlation);
    }
    if (!event->gpu) {
        PUT(chrome, "\"set\": ");
        stint_out_json(chrome->walk.out, event->set);
    }
    if (scope && !is_scope) {
        PUT(chrome, ", \"scope\": ");
        stint_out_json(chrome->walk.out, scope);
    }
    put_look(chrome, event);
    if (event->text)
        put_data(chrome, event);
    put_attributes(chrome);
    PUT(chrome, "}");
}

/* ----------------------------------------------------------------------------------------------------------- events */

static const char *category_of(const struct stint_event *event)
{
    static const char *const devices[STINT_GPU_KINDS] = {
        [STINT_GPU_KERNEL] = "kernel",      [STINT_GPU_COPY] = "gpu_memcpy",   [STINT_GPU_SET] = "gpu_memset",
        [STINT_GPU_UNIFIED] = "gpu_memcpy", [STINT_GPU_FAULT] = "gpu_memcpy",  [STINT_GPU_SPAN] = "gpu_user_annotation",
        [STINT_GPU_SYNC] = "cuda_sync",     [STINT_GPU_OVERHEAD] = "overhead", [STINT_GPU_UNMEASURED] = "overhead",
    };
    switch (event->kind) {
    case STINT_EVENT_CALL:
        return stint_call_is_driver(event->name) ? "cuda_driver" : "cuda_runtime";
    case STINT_EVENT_MARK:
        return "cpu_instant_event";
    case STINT_EVENT_DEVICE:
        return (unsigned)event->gpu->kind < STINT_GPU_KINDS ? devices[event->gpu->kind] : "overhead";
    default:
        return stint_event_is_os_call(event) ? "osrt" : "user_annotation";
    }
}

static void put_event(struct stint_chrome *chrome, const struct stint_event *event, const struct stint_lane *lane)
{
    char buffer[STINT_WORDS_SIZE];
    const char *word = stint_words_event(buffer, event);
    int instant = stint_walk_is_instant(event);
    stint_chrome_begin(chrome, instant ? "i" : "X");
    PUT(chrome, "\"cat\": \"");
    stint_out_string(chrome->walk.out, category_of(event));
    PUT(chrome, "\", \"name\": ");
    stint_out_json(chrome->walk.out, word);
    PUT(chrome, ", ");
    stint_chrome_place(chrome, lane->pid, lane->id, event->start_ns);
    if (instant) {
        PUT(chrome, ", \"s\": \"t\"");
    } else {
        PUT(chrome, ", \"dur\": ");
        stint_out_thousandths(chrome->walk.out, event->end_ns - event->start_ns);
    }
    put_arguments(chrome, event, word);
    PUT(chrome, "}");
}

/* An arrow begins at the call and ends at the work that the call launched. Correlation numbers are unique within a
 * process only. */
static int put_arrow(struct stint_chrome *chrome, const struct stint_event *event, const struct stint_lane *lane)
{
    int begins = event->kind == STINT_EVENT_CALL;
    size_t process = stint_walk_process(&chrome->walk, event->pid);
    if (process == STINT_INDEX_NONE)
        return -1;
    stint_chrome_begin(chrome, begins ? "s" : "f");
    PUT(chrome, "\"id\": ");
    stint_out_u64(chrome->walk.out, (uint64_t)process << 32 | (event->gpu->correlation & UINT32_MAX));
    PUT(chrome, ", ");
    stint_chrome_place(chrome, lane->pid, lane->id, event->start_ns);
    PUT(chrome, ", \"cat\": \"ac2g\", \"name\": \"ac2g\"");
    if (!begins)
        PUT(chrome, ", \"bp\": \"e\"");
    PUT(chrome, "}");
    return 0;
}

static int has_arrow(const struct stint_event *event)
{
    if (!event->gpu || !event->gpu->correlation)
        return 0;
    return event->kind == STINT_EVENT_CALL ? stint_call_is_work(event->name) : stint_gpu_occupies(event->gpu->kind);
}

static int put_slice(struct stint_walk *walk, const struct stint_event *event, const struct stint_lane *lane)
{
    struct stint_chrome *chrome = (struct stint_chrome *)walk;
    put_event(chrome, event, lane);
    if (has_arrow(event) && put_arrow(chrome, event, lane))
        return -1;
    return event->kind == STINT_EVENT_DEVICE && stint_gpu_occupies(event->gpu->kind) ? stint_walk_busy(walk, event) : 0;
}

static void put_tail(struct stint_walk *walk)
{
    struct stint_chrome *chrome = (struct stint_chrome *)walk;
    end_samples(chrome);
    PUT(chrome, "\n]}\n");
}

const struct stint_encoder stint_encoder_chrome = {
    .size = sizeof(struct stint_chrome),
    .begin = stint_chrome_head,
    .has_long_instants = 1,
    .lane = stint_chrome_lane,
    .slice = put_slice,
    .point = stint_chrome_point,
    .busy = stint_chrome_busy,
    .sample = put_sample,
    .end = put_tail,
};
