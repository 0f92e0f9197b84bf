/* Chrome's trace events in JSON, as PyTorch's profiler (Kineto) writes them: with its categories, names of arguments,
 * and arrows, so that programs that read its traces read these. Times are microseconds since baseTimeNanoseconds, with
 * three decimals. */
#include "export/chrome.h"

#include <stdio.h>

#include "report/gpu_sum.h"
#include "report/launch_shape.h"
#include "stat/call_names.h"

#define PUT STINT_CHROME_PUT

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
    stint_chrome_samples_end(chrome);
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
    .sample = stint_chrome_sample,
    .end = put_tail,
};
