#include "report/gpu_fixture.h"

#include <stdio.h>
#include <string.h>

#include "model/model.h"
#include "stat/builder.h"

static struct stint_snapshot *s_snapshot;
static struct stint_builder s_builder;
static struct stint_dropped s_dropped;
static size_t s_contexts[32];
static size_t s_threads;

static const char global[] = "GlobalStatInfo";
static const char api[] = STINT_API_SET;

enum { NO_SCOPE = -1, UNATTRIBUTED = -2 };

/* A scope or a call: `count` times, `ns` each. */
struct scope {
    const char *set;
    const char *name;
    int parent; /* -1: none */
    uint64_t count;
    uint64_t ns;
};

/* Something on a device: `count` times, `ns` and `bytes` each, launched by a scope. */
struct work {
    enum stint_gpu_kind kind;
    const char *name;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    uint64_t count;
    uint64_t ns;
    uint64_t bytes;
    int scope;
};

/* --------------------------------------------------------------------------------------------------------- building */

static void begin(void)
{
    stint_builder_begin(&s_builder);
    s_dropped = (struct stint_dropped){0};
    stint_builder_set(&s_builder, global);
    s_threads = stint_builder_add(&s_builder, STINT_ROWS_THREADS,
                                  &(struct stint_thread){.pid = 4711, .tid = 4711, .name = "train"});
}

static const struct stint_snapshot *finish(const char *command, uint64_t wall_ns)
{
    const struct stint_process process = {.pid = 4711,
                                          .command = command,
                                          .host = "node07",
                                          .start_unix_ns = UINT64_C(1735689600000000000),
                                          .wall_ns = wall_ns,
                                          .clock = "tsc",
                                          .clock_hz = 2494140000,
                                          .clock_read_ns = 8.3,
                                          .scope_ns = 19.2};
    stint_snapshot_free(s_snapshot);
    s_snapshot = stint_builder_end(&s_builder, &process, &s_dropped);
    return s_snapshot;
}

void fixture_gpu_free(void)
{
    stint_snapshot_free(s_snapshot);
    s_snapshot = NULL;
}

int fixture_gpu_teardown(void **state)
{
    fixture_gpu_free();
    return 0;
}

static void add_scopes(const struct scope *scopes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct scope *scope = &scopes[i];
        const size_t parent = scope->parent < 0 ? STINT_NO_PARENT : s_contexts[scope->parent];
        const struct stint_stat like = {
            .set = scope->set, .name = scope->name, .file = "src/train.c", .function = "train", .line = 10};
        const struct stint_bin bin = {scope->ns, scope->count};
        struct stint_numbers numbers = {.count = scope->count,
                                        .total_ns = scope->count * scope->ns,
                                        .self_ns = scope->count * scope->ns,
                                        .min_ns = scope->ns,
                                        .max_ns = scope->ns,
                                        .bins = &bin,
                                        .bin_count = 1};
        const size_t stat = stint_builder_stat(&s_builder, &like);
        numbers.square_ns2 = (double)scope->ns * (double)scope->ns * (double)scope->count;
        for (size_t j = 0; j < count; j++)
            if (scopes[j].parent == (int)i)
                numbers.self_ns -= scopes[j].count * scopes[j].ns;
        s_contexts[i] = stint_builder_context(&s_builder, parent, stat);
        stint_builder_add_context(&s_builder, s_contexts[i], &numbers);
        stint_builder_add_stat(&s_builder, stat, &numbers);
    }
}

static size_t context_of(int scope)
{
    if (scope == NO_SCOPE)
        return STINT_GPU_NO_SCOPE;
    return scope == UNATTRIBUTED ? STINT_GPU_UNATTRIBUTED : s_contexts[scope];
}

static void add_work(const struct work *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct work *work = &rows[i];
        const struct stint_bin bin = {work->ns, work->count};
        const struct stint_gpu_activity like = {
            .kind = work->kind,
            .direction = stint_gpu_direction_of(work->kind, work->name),
            .wait = stint_gpu_wait_of(work->kind, work->name),
            .name = work->name,
            .mangled = work->kind == STINT_GPU_KERNEL ? "_Zmangled" : "",
            .device = work->device,
            .context = work->context,
            .stream = work->stream,
            .numbers = {.count = work->count,
                        .total_ns = work->count * work->ns,
                        .self_ns = work->count * work->ns,
                        .min_ns = work->ns,
                        .max_ns = work->ns,
                        .square_ns2 = (double)work->ns * (double)work->ns * (double)work->count,
                        .bins = &bin,
                        .bin_count = 1},
            .bytes = work->count * work->bytes,
            .min_bytes = work->bytes,
            .max_bytes = work->bytes,
            .square_bytes2 = (double)work->bytes * (double)work->bytes * (double)work->count,
        };
        const struct stint_gpu_charge charge = {.activity = stint_builder_gpu_activity(&s_builder, &like),
                                                .context = context_of(work->scope),
                                                .count = work->count,
                                                .total_ns = work->count * work->ns,
                                                .min_ns = work->ns,
                                                .max_ns = work->ns,
                                                .bytes = work->count * work->bytes};
        stint_builder_add_gpu_activity(&s_builder, charge.activity, &like);
        stint_builder_add(&s_builder, STINT_ROWS_GPU_CHARGES, &charge);
    }
}

static void add_info(uint32_t cupti_version)
{
    stint_builder_add(&s_builder, STINT_ROWS_GPU,
                      &(struct stint_gpu_info){.collected = 1,
                                               .status = STINT_OK,
                                               .reason = "",
                                               .what = 127,
                                               .cupti_version = cupti_version,
                                               .clock_error_ns = 412.5,
                                               .early = 2});
}

#define ADD(function, rows) function((rows), sizeof(rows) / sizeof((rows)[0]))

/* --------------------------------------------------------------------------------------------------------- training */

enum { PASS, FORWARD, CONVOLUTION, LAUNCH_FORWARD, BACKWARD, LAUNCH_BACKWARD, GRAPH, LOAD, COPY, COPY_ASYNC, EVALUATE };

static const struct scope s_training[] = {
    [PASS] = {global, "trainOnePass", -1, 1, 2100000000},
    [FORWARD] = {global, "forward", PASS, 100, 7512345},
    [CONVOLUTION] = {"Layers", "convolution", FORWARD, 400, 1012345},
    [LAUNCH_FORWARD] = {api, "cudaLaunchKernel", CONVOLUTION, 800, 6123},
    [BACKWARD] = {global, "backward", PASS, 100, 9123456},
    [LAUNCH_BACKWARD] = {api, "cudaLaunchKernel", BACKWARD, 400, 5912},
    [GRAPH] = {api, "cudaGraphLaunch", BACKWARD, 100, 21234},
    [LOAD] = {global, "loadBatch", PASS, 100, 2123456},
    [COPY] = {api, "cudaMemcpy", LOAD, 20, 1500123},
    [COPY_ASYNC] = {api, "cudaMemcpyAsync", LOAD, 100, 8765},
    [EVALUATE] = {global, "evaluate", -1, 1, 150000000},
    {api, "cudaMalloc", -1, 12, 9123456},
    {api, "cudaFree", -1, 12, 145678},
    {api, "cudaDeviceSynchronize", PASS, 4, 31234567},
    {api, "cudaStreamCreate", -1, 3, 812345},
    {api, "cudaStreamSynchronize", PASS, 100, 12345},
    {api, "cudaMemPrefetchAsync", -1, 2, 45678},
    {api, "cudaGetDeviceCount", -1, 1, 3456},
    {api, "cudaSetDevice", -1, 2, 612},
    {api, "cuDeviceGetAttribute", -1, 348, 1252},
    {api, "cuDeviceGet", -1, 2, 345},
    {api, "cudaGetLastError", PASS, 1200, 102},
};

static const char convolve[] = "void convolve<float, 3>(float const*, float const*, float*, int, int)";
static const char update[] = "update(float*, float const*, float, int)";

static const struct work s_training_work[] = {
    {STINT_GPU_KERNEL, convolve, 0, 1, 7, 400, 812345, 0, CONVOLUTION},
    {STINT_GPU_KERNEL, convolve, 1, 2, 14, 400, 798765, 0, CONVOLUTION},
    {STINT_GPU_KERNEL, "relu(float*, int)", 0, 1, 13, 300, 61234, 0, FORWARD},
    {STINT_GPU_KERNEL, update, 0, 1, 7, 400, 212345, 0, BACKWARD},
    {STINT_GPU_KERNEL, update, 0, 1, 13, 300, 112345, 0, BACKWARD}, /* of the graph */
    {STINT_GPU_KERNEL, "warmUp()", 0, 1, 7, 3, 1536, 0, NO_SCOPE},
    {STINT_GPU_KERNEL, "library_kernel", 1, 2, 14, 5, 23456, 0, UNATTRIBUTED},
    {STINT_GPU_COPY, "[CUDA memcpy HtoD]", 0, 1, 7, 100, 172345, 8388608, LOAD},
    {STINT_GPU_COPY, "[CUDA memcpy HtoD]", 1, 2, 14, 10, 181234, 8388608, NO_SCOPE},
    {STINT_GPU_COPY, "[CUDA memcpy DtoH]", 0, 1, 7, 20, 4123, 4096, LOAD},
    {STINT_GPU_COPY, "[CUDA memcpy DtoD]", 0, 1, 13, 50, 31234, 67108864, BACKWARD},
    {STINT_GPU_COPY, "[CUDA memcpy PtoP]", 0, 1, 7, 4, 212345, 67108864, PASS},
    {STINT_GPU_SET, "[CUDA memset]", 0, 1, 7, 100, 2176, 1048576, FORWARD},
    {STINT_GPU_UNIFIED, "[CUDA Unified Memory memcpy HtoD]", 0, 0, 0, 48, 17581, 174762, LOAD},
    {STINT_GPU_UNIFIED, "[CUDA Unified Memory memcpy DtoH]", 0, 0, 0, 24, 14886, 174762, UNATTRIBUTED},
    {STINT_GPU_UNIFIED, "[CUDA Unified Memory memcpy HtoD]", 1, 0, 0, 2, 25056, 262144, UNATTRIBUTED},
    {STINT_GPU_FAULT, "[CUDA Unified Memory CPU page faults]", 0, 0, 0, 36, 0, 1, UNATTRIBUTED},
    {STINT_GPU_SPAN, "epoch", 0, 1, 7, 1, 1900000000, 0, PASS},
    {STINT_GPU_SYNC, "[CUDA stream synchronize]", 0, 1, 7, 100, 11234, 0, PASS},
    {STINT_GPU_SYNC, "[CUDA context synchronize]", 0, 1, 0, 4, 31200000, 0, PASS},
    {STINT_GPU_OVERHEAD, "[CUPTI buffer flush]", 0, 0, 0, 12, 51234, 0, UNATTRIBUTED},
    {STINT_GPU_OVERHEAD, "[CUPTI instrumentation]", 0, 0, 0, 1, 3123456, 0, UNATTRIBUTED},
};

static const struct stint_gpu_device s_h200 = {.name = "NVIDIA H200",
                                               .compute_major = 9,
                                               .multiprocessors = 132,
                                               .core_clock_khz = 1980000,
                                               .memory_bytes = UINT64_C(150110011392),
                                               .memory_bytes_per_s = UINT64_C(4814592000000),
                                               .link_bytes_per_s = UINT64_C(63015384615)};

static void add_devices(void)
{
    struct stint_gpu_device device = s_h200;
    stint_builder_add(&s_builder, STINT_ROWS_GPU_DEVICES, &device);
    device.id = 1;
    stint_builder_add(&s_builder, STINT_ROWS_GPU_DEVICES, &device);
}

static void add_memory(void)
{
    static const struct stint_gpu_memory rows[] = {
        {0, STINT_GPU_MEMORY_PINNED, 0, 2, 2, 0, 16777216},
        {0, STINT_GPU_MEMORY_DEVICE, 0, 8, 6, 33554432, 402653184},
        {0, STINT_GPU_MEMORY_DEVICE, 1, 400, 400, 0, 134217728},
        {0, STINT_GPU_MEMORY_MANAGED, 0, 2, 1, 8388608, 16777216},
        {1, STINT_GPU_MEMORY_DEVICE, 0, 4, 4, 0, 268435456},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        stint_builder_add(&s_builder, STINT_ROWS_GPU_MEMORY, &rows[i]);
}

static void add_call(const char *name, uint64_t start_us, uint64_t ns, uint64_t correlation, int scope)
{
    stint_builder_add(&s_builder, STINT_ROWS_GPU_EVENTS,
                      &(struct stint_gpu_event){.api = 1,
                                                .name = name,
                                                .start_ns = 1000 * start_us,
                                                .end_ns = 1000 * start_us + ns,
                                                .correlation = correlation,
                                                .context = context_of(scope),
                                                .tid = 4711});
}

static struct stint_gpu_event event_of(enum stint_gpu_kind kind, const char *name, uint64_t start_us, uint64_t ns,
                                       uint64_t correlation, int scope)
{
    return (struct stint_gpu_event){.kind = kind,
                                    .direction = stint_gpu_direction_of(kind, name),
                                    .wait = stint_gpu_wait_of(kind, name),
                                    .name = name,
                                    .start_ns = 1000 * start_us,
                                    .end_ns = 1000 * start_us + ns,
                                    .correlation = correlation,
                                    .context = context_of(scope),
                                    .device_context = 1,
                                    .stream = 7};
}

static void add_event(const struct stint_gpu_event *event)
{
    stint_builder_add(&s_builder, STINT_ROWS_GPU_EVENTS, event);
}

static void add_launch(const char *name, uint64_t start_us, uint64_t ns, uint64_t correlation, int scope,
                       uint32_t graph)
{
    struct stint_gpu_event event = event_of(STINT_GPU_KERNEL, name, start_us, ns, correlation, scope);
    event.grid[0] = 195313;
    event.grid[1] = event.grid[2] = event.block[1] = event.block[2] = 1;
    event.block[0] = 256;
    event.registers = 32;
    event.static_shared = 1142;
    event.graph = graph;
    event.graph_node = graph ? UINT64_C(8589934595) : 0;
    event.captured = graph ? 131 : 0;
    add_event(&event);
}

static void add_copy(const char *name, uint64_t start_us, uint64_t ns, uint64_t bytes, enum stint_gpu_memory_kind from,
                     enum stint_gpu_memory_kind to)
{
    struct stint_gpu_event event = event_of(STINT_GPU_COPY, name, start_us, ns, 120 + start_us / 1000, LOAD);
    event.bytes = bytes;
    event.source = from;
    event.destination = to;
    event.peer = !strcmp(name, "[CUDA memcpy PtoP]");
    event.peer_device = event.peer ? 1 : 0;
    event.peer_context = event.peer ? 2 : 0;
    add_event(&event);
}

static void add_trace(void)
{

    add_call("cudaGetDeviceCount", 5000, 3456, 1, NO_SCOPE);
    add_call("cudaMemcpy", 9000, 1500123, 129, LOAD);
    add_copy("[CUDA memcpy HtoD]", 9100, 172345, 8388608, STINT_GPU_MEMORY_PAGEABLE, STINT_GPU_MEMORY_DEVICE);
    struct stint_gpu_event event = event_of(STINT_GPU_SET, "[CUDA memset]", 10200, 2176, 130, FORWARD);
    event.bytes = 1048576;
    event.destination = STINT_GPU_MEMORY_DEVICE;
    add_event(&event);
    add_call("cudaLaunchKernel", 10300, 6123, 131, CONVOLUTION);
    add_launch(convolve, 10310, 812345, 131, CONVOLUTION, 0);
    add_call("cudaGraphLaunch", 11500, 21234, 132, BACKWARD);
    add_launch(update, 11530, 112345, 132, BACKWARD, 3);
    add_launch(update, 11650, 112346, 132, BACKWARD, 3);
    event = event_of(STINT_GPU_FAULT, "[CUDA Unified Memory CPU page faults]", 12000, 0, 0, UNATTRIBUTED);
    event.bytes = 1;
    event.address = UINT64_C(0x7f9c80003000);
    add_event(&event);
    event = event_of(STINT_GPU_UNIFIED, "[CUDA Unified Memory memcpy DtoH]", 12010, 14886, 0, UNATTRIBUTED);
    event.bytes = 174762;
    event.address = UINT64_C(0x7f9c80000000);
    add_event(&event);
    add_copy("[CUDA memcpy DtoH]", 12100, 4123, 4096, STINT_GPU_MEMORY_DEVICE, STINT_GPU_MEMORY_PINNED);
    add_copy("[CUDA memcpy PtoP]", 13000, 212345, 67108864, STINT_GPU_MEMORY_DEVICE, STINT_GPU_MEMORY_DEVICE);
    event = event_of(STINT_GPU_SYNC, "[CUDA stream synchronize]", 13100, 11234, 140, PASS);
    add_event(&event);
    event = event_of(STINT_GPU_SPAN, "epoch", 3000000, 1900000000, 0, PASS);
    add_event(&event);
}

static void add_training(void)
{
    begin();
    ADD(add_scopes, s_training);
    ADD(add_work, s_training_work);
    add_info(130001);
    add_devices();
    add_memory();
    add_trace();
}

const struct stint_snapshot *fixture_gpu(void)
{
    add_training();
    return finish("./train --gpus 2", UINT64_C(2612345678));
}

const struct stint_snapshot *fixture_gpu_processes(void)
{
    static const uint64_t start = UINT64_C(1735689600000000000);
    add_training();
    stint_builder_add(&s_builder, STINT_ROWS_PROCESSES,
                      &(struct stint_merged_process){.pid = 4711,
                                                     .command = "/usr/bin/torchrun --gpus 2 train.py",
                                                     .start_unix_ns = start,
                                                     .wall_ns = UINT64_C(2612345678)});
    stint_builder_add(&s_builder, STINT_ROWS_PROCESSES,
                      &(struct stint_merged_process){.pid = 4713,
                                                     .rank = "1",
                                                     .command = "python3 train.py \x1b[2J",
                                                     .start_unix_ns = start + 100000000,
                                                     .wall_ns = UINT64_C(2410000000),
                                                     .gpu_ns = 900000000,
                                                     .kernels = 4100,
                                                     .dropped = 3});
    stint_builder_add(&s_builder, STINT_ROWS_PROCESSES,
                      &(struct stint_merged_process){.pid = 4712,
                                                     .rank = "0",
                                                     .command = "python3 train.py",
                                                     .start_unix_ns = start + 101000000,
                                                     .wall_ns = UINT64_C(2420000000),
                                                     .gpu_ns = 910000000,
                                                     .kernels = 4200});
    return finish("3 processes: torchrun --gpus 2 train.py", UINT64_C(2612345678));
}

/* ------------------------------------------------------------------------------------------------------------ nasty */

const struct stint_snapshot *fixture_gpu_nasty(void)
{
    static char long_name[601];
    static const struct scope scopes[] = {{global, "gpu\nscope", -1, 1, 5000000}};
    const struct work work[] = {
        {STINT_GPU_KERNEL, long_name, 0, 1, 7, 10, 90000, 0, 0},
        {STINT_GPU_KERNEL, "comma, \"quote\" and \\backslash", 0, 1, 7, 10, 80000, 0, 0},
        {STINT_GPU_KERNEL, "line\nbreak\x1b[31m and \xff", 0, 1, 7, 10, 70000, 0, NO_SCOPE},
        {STINT_GPU_COPY, "[CUDA memcpy HtoD]", 3, 1, 4294967295, 10, 60000, 1000, 0},
    };
    memset(long_name, 'x', sizeof long_name - 1);
    memcpy(long_name, "void begin<", 11);
    memcpy(long_name + 592, ">(float)", 8);
    begin();
    ADD(add_scopes, scopes);
    ADD(add_work, work);
    add_info(12);
    stint_builder_add(&s_builder, STINT_ROWS_GPU_DEVICES,
                      &(struct stint_gpu_device){.id = 0, .name = "NVIDIA H100 80GB HBM3"});
    add_launch(long_name, 0, 90000, 1, 0, 0);
    add_launch("comma, \"quote\" and \\backslash", 100, 80000, 2, 0, 0);
    struct stint_gpu_event event = event_of(STINT_GPU_COPY, "[CUDA memcpy HtoD]", 200, 0, 3, 0);
    event.device = 3;
    event.bytes = 1000;
    add_event(&event);
    add_call("cuda\nNew", 300, 50, 4, 0);
    return finish("./\x1b[2Jnasty", 6000000);
}

/* --------------------------------------------------------------------------------------------------------- extremes */

static struct stint_dropped every_loss(void)
{
    return (struct stint_dropped){.gpu_records = 12018,
                                  .gpu_invalid = 1,
                                  .gpu_unknown = 2,
                                  .gpu_activities = 3,
                                  .gpu_events = UINT64_MAX,
                                  .gpu_spans = 4};
}

const struct stint_snapshot *fixture_gpu_extreme(void)
{
    static const struct scope scopes[] = {
        {global, "forever", -1, 1, UINT64_C(1) << 62},
        {api, "cudaLaunchKernel", 0, UINT64_C(10000000000), 2000},
        {api, "cudaGetLastError", 0, 1, 1},
    };
    static const struct work work[] = {
        {STINT_GPU_KERNEL, "forever()", 0, 1, 7, 1, UINT64_C(1) << 62, 0, 0},
        {STINT_GPU_KERNEL, "often()", 0, 1, 7, UINT64_C(10000000000), 999996, 0, 0},
        {STINT_GPU_SET, "[CUDA memset]", 0, 1, 7, 1, 1, 1, 0},
        {STINT_GPU_COPY, "[CUDA memcpy HtoD]", 0, 1, 4294967295, 1, 0, UINT64_C(1) << 60, 0},
        {STINT_GPU_COPY, "[CUDA memcpy DtoH]", 4294967295, 4294967295, 4294967295, 1, UINT64_C(1) << 61, 1, NO_SCOPE},
        {STINT_GPU_UNIFIED, "[CUDA Unified Memory memcpy HtoD]", 4294967295, 0, 0, 3, UINT64_C(1) << 59,
         UINT64_C(1) << 59, UNATTRIBUTED},
    };
    begin();
    s_dropped = every_loss();
    ADD(add_scopes, scopes);
    ADD(add_work, work);
    add_info(130001);
    add_call("cudaLaunchKernel", 0, 1, UINT64_MAX, 0);
    struct stint_gpu_event event = event_of(STINT_GPU_KERNEL, "forever()", 1, UINT64_C(1) << 62, UINT64_MAX, 0);
    event.grid[0] = event.grid[1] = event.grid[2] = UINT32_MAX;
    event.block[0] = event.block[1] = event.block[2] = UINT32_MAX;
    event.registers = event.static_shared = event.dynamic_shared = UINT32_MAX;
    event.device = event.device_context = event.stream = UINT32_MAX;
    add_event(&event);
    event = event_of(STINT_GPU_COPY, "[CUDA memcpy DtoH]", 2, 1, 0, NO_SCOPE);
    event.bytes = UINT64_C(1) << 60;
    event.peer = 1;
    event.peer_device = event.peer_context = UINT32_MAX;
    add_event(&event);
    return finish("./forever", UINT64_C(1) << 62);
}

/* ------------------------------------------------------------------------------------------------------- partly GPU */

const struct stint_snapshot *fixture_gpu_spans(void)
{
    static const struct scope scopes[] = {{global, "step", -1, 10, 1000000}, {global, "log", -1, 10, 20000}};
    static const struct work work[] = {
        {STINT_GPU_SPAN, "forward", 0, 0, 0, 10, 612345, 0, 0},
        {STINT_GPU_SPAN, "backward", 0, 0, 0, 10, 212345, 0, 0},
        {STINT_GPU_SPAN, "warm up", 0, 0, 0, 1, 12345, 0, NO_SCOPE},
    };
    begin();
    ADD(add_scopes, scopes);
    ADD(add_work, work);
    stint_builder_add(&s_builder, STINT_ROWS_GPU,
                      &(struct stint_gpu_info){.status = STINT_ERROR_TAKEN,
                                               .reason = "CUPTI is in use by another profiler: stop "
                                                         "it, or collect without"});
    return finish("./train", 12000000);
}

const struct stint_snapshot *fixture_gpu_calls(void)
{
    static const struct scope scopes[] = {{global, "main", -1, 1, 1000000},
                                          {api, "cudaGetDeviceCount", 0, 1, 612345},
                                          {api, "cudaFree", -1, 1, 5212345},
                                          {global, "hook", 2, 1, 1000}};
    begin();
    ADD(add_scopes, scopes);
    add_info(130001);
    add_call("cudaGetDeviceCount", 100, 612345, 1, 0);
    return finish("./query", 7000000);
}

/* ------------------------------------------------------------------------------------------------------------- NVTX */

enum { EPOCH, STEP, FWD, LINEAR, BWD, LINEAR_BACK, REDUCE, VALIDATE };

static const struct scope s_nvtx[] = {
    [EPOCH] = {"NVTX", "epoch", -1, 1, 61000000},
    [STEP] = {"NVTX", "train_step", EPOCH, 4, 14000000},
    [FWD] = {"NVTX", "forward", STEP, 4, 5000000},
    [LINEAR] = {"NVTX", "linear", FWD, 8, 1200000},
    [BWD] = {"NVTX", "backward", STEP, 4, 8000000},
    [LINEAR_BACK] = {"NVTX", "linear", BWD, 4, 2600000},
    [REDUCE] = {"NVTX:NCCL", "ncclAllReduce", BWD, 2, 450000},
    [VALIDATE] = {"Evaluation", "validate", -1, 2, 2500000},
    {"NVTX start/end", "prefetch", -1, 3, 3000000},
    {"NVTX start/end:data, \"loader\"", "read batch", -1, 2, 700000},
    {"NVTX marks", "checkpoint", -1, 7, 0},
    {"NVTX marks:NCCL", "abort", -1, 1, 0},
    {api, "cudaLaunchKernel", LINEAR, 8, 6100},
    {api, "cudaLaunchKernel", LINEAR_BACK, 4, 7300},
    {api, "cudaMemcpyAsync", STEP, 4, 9100},
};

static const char gemm[] = "void gemm<float, 128, 64>(float const*, float const*, float*)";
static const char reduce[] = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)";

static size_t begin_instance(size_t parent, int scope)
{
    return stint_builder_add(&s_builder, STINT_ROWS_GPU_INSTANCES,
                             &(struct stint_gpu_instance){s_contexts[scope], parent});
}

/* A launch on stream 7, and its event. */
static void add_traced(enum stint_gpu_kind kind, const char *name, uint64_t start_us, uint64_t ns, uint64_t bytes,
                       uint32_t grid, int scope, size_t instance)
{
    const struct work work[] = {{kind, name, 0, 1, 7, 1, ns, bytes, scope}};
    struct stint_gpu_event event = event_of(kind, name, start_us, ns, start_us, scope);
    ADD(add_work, work);
    event.instance = instance;
    event.bytes = bytes;
    event.grid[0] = grid;
    event.grid[1] = event.grid[2] = event.block[1] = event.block[2] = grid != 0;
    event.block[0] = grid ? 256 : 0;
    add_event(&event);
}

const struct stint_snapshot *fixture_gpu_nvtx(void)
{

    begin();
    ADD(add_scopes, s_nvtx);
    size_t epoch = begin_instance(STINT_GPU_NO_INSTANCE, EPOCH);
    for (uint64_t step = 0; step < 4; step++) {
        const uint64_t start_us = 1000 + 15000 * step;
        const size_t whole = begin_instance(epoch, STEP), forward = begin_instance(whole, FWD),
                     backward = begin_instance(whole, BWD);
        add_traced(STINT_GPU_COPY, "[CUDA memcpy HtoD]", start_us, 91000 + 1000 * step * step,
                   UINT64_C(1000000) << step, 0, STEP, whole);
        add_traced(STINT_GPU_KERNEL, gemm, start_us + 500, 800000 + 1000 * step, 0, 896, LINEAR,
                   begin_instance(forward, LINEAR));
        add_traced(STINT_GPU_KERNEL, gemm, start_us + 1500, 400000, 0, 148, LINEAR, begin_instance(forward, LINEAR));
        add_traced(STINT_GPU_KERNEL, gemm, start_us + 6500, 1700000 + 100 * step, 0, 896, LINEAR_BACK,
                   begin_instance(backward, LINEAR_BACK));
        if (step % 2)
            add_traced(STINT_GPU_KERNEL, reduce, start_us + 9000, 350000 + 1000 * step, 0, 24, REDUCE,
                       begin_instance(backward, REDUCE));
    }
    add_traced(STINT_GPU_SET, "[CUDA memset]", 62000, 2100, 4096, 0, VALIDATE,
               begin_instance(STINT_GPU_NO_INSTANCE, VALIDATE));
    add_traced(STINT_GPU_KERNEL, "warmUp()", 63000, 1500, 0, 1, NO_SCOPE, STINT_GPU_NO_INSTANCE);
    add_info(130001);
    add_devices();
    return finish("python3 train.py", 70000000);
}

const struct stint_snapshot *fixture_gpu_streams(void)
{
    static const struct scope scopes[] = {{global, "serve", -1, 1, 50000000}};
    begin();
    ADD(add_scopes, scopes);
    for (uint32_t stream = 0; stream < 40; stream++) {
        const struct work work[] = {{STINT_GPU_KERNEL, "answer()", 0, 1, 100 + stream, 2, 1000, 0, 0}};
        ADD(add_work, work);
    }
    add_info(130001);
    add_devices();
    return finish("./serve", 60000000);
}
