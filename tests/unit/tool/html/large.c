#include "html/large.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "stat/builder.h"

enum {
    THREADS = 4,
    LAYERS = 16, /* of each step and pass */
    NAMES = 498, /* of layers in each pass */
    KERNELS = 12,
    SCOPES_MOST = 2 * NAMES + 8,
    PID = 4242
};

static const char *const s_kernels[KERNELS] = {
    "void gemm::tile<half, 128, 128>(gemm::params)",
    "void attention::forward<64, true>(half const*, half const*, half*, int, float)",
    "void attention::backward<64, true>(half const*, half*, int, float)",
    "void norm::layer<float4>(float const*, float*, int)",
    "softmax(float*, int, int)",
    "gelu(float*, float const*, int)",
    "void reduce::sum<256>(float const*, float*, int)",
    "void adam::step<float>(float*, float const*, float*, float*, float)",
    "transpose(half const*, half*, int, int)",
    "embedding(int const*, half const*, half*, int)",
    "dropout(half*, unsigned long long, float)",
    "cross_entropy(float const*, int const*, float*, int)",
};

struct large {
    struct stint_event_source source; /* first */
    struct stint_builder builder;
    struct stint_snapshot *snapshot;
    struct stint_event *events;
    struct stint_gpu_event *gpu; /* of the same position */
    size_t *order;
    size_t count, room, at;
    uint64_t seed;
    uint64_t now[THREADS];
    uint64_t stream_end[2 * THREADS];
    uint64_t correlation;
    size_t contexts[2 * NAMES + 5];
    char names[2 * NAMES][32];
    size_t step, load, forward, backward, update;
};

/* ---------------------------------------------------------------------------------------------------------- numbers */

static uint64_t random_below(struct large *large, uint64_t most)
{
    large->seed = large->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (large->seed >> 33) % most;
}

static struct stint_numbers numbers_of(uint64_t ns, uint64_t inner_ns)
{
    return (struct stint_numbers){.count = 1,
                                  .total_ns = ns,
                                  .self_ns = ns - inner_ns,
                                  .min_ns = ns,
                                  .max_ns = ns,
                                  .square_ns2 = (double)ns * (double)ns};
}

/* ----------------------------------------------------------------------------------------------------------- events */

static struct stint_event *add(struct large *large, enum stint_event_kind kind, const char *name, uint64_t start_ns,
                               uint64_t ns, unsigned thread, size_t context)
{
    if (large->count == large->room)
        abort();
    struct stint_event *event = &large->events[large->count];
    *event = (struct stint_event){.kind = kind,
                                  .start_ns = start_ns,
                                  .end_ns = start_ns + ns,
                                  .pid = PID,
                                  .tid = PID + thread,
                                  .context = context,
                                  .name = name,
                                  .set = kind == STINT_EVENT_SCOPE ? "GlobalStatInfo" : ""};
    large->gpu[large->count++] = (struct stint_gpu_event){.context = context, .tid = PID + thread};
    return event;
}

static void count_activity(struct large *large, const struct stint_gpu_event *gpu, const char *name, uint64_t ns)
{
    const struct stint_gpu_activity like = {.kind = gpu->kind,
                                            .name = name,
                                            .mangled = "",
                                            .context = 1,
                                            .stream = gpu->stream,
                                            .numbers = numbers_of(ns, 0),
                                            .bytes = gpu->bytes,
                                            .min_bytes = gpu->bytes,
                                            .max_bytes = gpu->bytes};
    size_t activity = stint_builder_gpu_activity(&large->builder, &like);
    stint_builder_add_gpu_activity(&large->builder, activity, &like);
    stint_builder_add(&large->builder, STINT_ROWS_GPU_CHARGES,
                      &(struct stint_gpu_charge){.activity = activity,
                                                 .context = gpu->context,
                                                 .count = 1,
                                                 .total_ns = ns,
                                                 .min_ns = ns,
                                                 .max_ns = ns,
                                                 .bytes = gpu->bytes});
}

static void count_scope(struct large *large, size_t context, size_t stat, uint64_t ns, uint64_t inner_ns)
{
    struct stint_numbers numbers = numbers_of(ns, inner_ns);
    stint_builder_add_context(&large->builder, context, &numbers);
    stint_builder_add_stat(&large->builder, stat, &numbers);
}

static size_t stat_named(struct large *large, const char *set, const char *name)
{
    return stint_builder_stat(
        &large->builder,
        &(struct stint_stat){.set = set, .name = name, .file = "src/train.c", .function = "train", .line = 42});
}

/* From a time until now. Returns its duration; `inner_ns` is that of the scopes and calls in it. */
static uint64_t scope(struct large *large, const char *name, size_t context, unsigned thread, uint64_t start_ns,
                      uint64_t inner_ns)
{
    uint64_t ns = large->now[thread] - start_ns;
    add(large, STINT_EVENT_SCOPE, name, start_ns, ns, thread, context);
    count_scope(large, context, stat_named(large, "GlobalStatInfo", name), ns, inner_ns);
    return ns;
}

/* A call that launches something on a stream of the thread's. Returns the time that the call took. */
static uint64_t launch(struct large *large, unsigned thread, size_t context, enum stint_gpu_kind kind, const char *name,
                       uint64_t ns, uint64_t bytes)
{
    const char *call = kind == STINT_GPU_KERNEL ? "cudaLaunchKernel" : "cudaMemcpyAsync";
    unsigned stream = kind == STINT_GPU_KERNEL ? thread : THREADS + thread;
    uint64_t took_ns = 3800 + random_below(large, 2400), start_ns = large->now[thread];
    uint64_t begin_ns = start_ns + took_ns + 1500;
    size_t stat = stat_named(large, STINT_API_SET, call);
    count_scope(large, stint_builder_context(&large->builder, context, stat), stat, took_ns, 0);
    struct stint_event *event = add(large, STINT_EVENT_CALL, call, start_ns, took_ns, thread, context);
    struct stint_gpu_event *gpu = &large->gpu[large->count - 1];
    gpu->api = 1;
    gpu->correlation = ++large->correlation;
    event->gpu = gpu;
    large->now[thread] += took_ns;
    if (begin_ns < large->stream_end[stream])
        begin_ns = large->stream_end[stream];
    large->stream_end[stream] = begin_ns + ns;
    event = add(large, STINT_EVENT_DEVICE, name, begin_ns, ns, thread, context);
    gpu = &large->gpu[large->count - 1];
    *gpu = (struct stint_gpu_event){.kind = kind,
                                    .correlation = large->correlation,
                                    .context = context,
                                    .device_context = 1,
                                    .stream = 7 + stream,
                                    .bytes = bytes};
    if (kind == STINT_GPU_KERNEL) {
        size_t which = random_below(large, 3);
        memcpy(gpu->grid, (const uint32_t[]){64u << which, 8, 1}, sizeof gpu->grid);
        memcpy(gpu->block, (const uint32_t[]){128u << which / 2, 1, 1}, sizeof gpu->block);
        gpu->registers = 32 + 16 * (uint32_t)which;
        gpu->dynamic_shared = 16384 * (uint32_t)which;
    } else {
        gpu->source = STINT_GPU_MEMORY_PINNED;
        gpu->destination = STINT_GPU_MEMORY_DEVICE;
    }
    event->gpu = gpu;
    event->tid = 0;
    count_activity(large, gpu, name, ns);
    return took_ns;
}

/* --------------------------------------------------------------------------------------------------------- training */

static uint64_t run_layer(struct large *large, unsigned thread, size_t layer)
{
    uint64_t start_ns = large->now[thread], inner_ns;
    large->now[thread] += 9000 + random_below(large, 30000);
    inner_ns = launch(large, thread, large->contexts[layer], STINT_GPU_KERNEL, s_kernels[layer % KERNELS],
                      3000 + random_below(large, 4000 * (1 + layer % KERNELS)), 0);
    large->now[thread] += 2000 + random_below(large, 5000);
    return scope(large, large->names[layer], large->contexts[layer], thread, start_ns, inner_ns);
}

static uint64_t run_pass(struct large *large, unsigned thread, unsigned step, int back)
{
    uint64_t start_ns = large->now[thread], inner_ns = 0;
    for (unsigned i = 0; i < LAYERS; i++)
        inner_ns += run_layer(large, thread, (back ? NAMES : 0) + (step * LAYERS + i) % NAMES);
    large->now[thread] += 3000;
    return scope(large, back ? "backward" : "forward", back ? large->backward : large->forward, thread, start_ns,
                 inner_ns);
}

/* Now and then a batch is late. */
static uint64_t run_load(struct large *large, unsigned thread, unsigned step)
{
    uint64_t start_ns = large->now[thread], inner_ns;
    large->now[thread] += 60000 + random_below(large, 60000) + (step % 60 == 59 ? 9000000 : 0);
    inner_ns = launch(large, thread, large->load, STINT_GPU_COPY, "[CUDA memcpy HtoD]",
                      80000 + random_below(large, 9000), 4194304);
    return scope(large, "load batch", large->load, thread, start_ns, inner_ns);
}

static uint64_t run_update(struct large *large, unsigned thread)
{
    uint64_t start_ns = large->now[thread], inner_ns;
    inner_ns =
        launch(large, thread, large->update, STINT_GPU_KERNEL, s_kernels[7], 60000 + random_below(large, 20000), 0);
    large->now[thread] += 12000;
    return scope(large, "update", large->update, thread, start_ns, inner_ns);
}

static void train(struct large *large, unsigned thread, unsigned step)
{
    uint64_t start_ns = large->now[thread], inner_ns;
    large->now[thread] += 4000;
    inner_ns = run_load(large, thread, step);
    inner_ns += run_pass(large, thread, step, 0);
    inner_ns += run_pass(large, thread, step, 1);
    inner_ns += run_update(large, thread);
    large->now[thread] += 8000;
    scope(large, "step", large->step, thread, start_ns, inner_ns);
}

static size_t context_named(struct large *large, size_t parent, const char *name)
{
    return stint_builder_context(&large->builder, parent, stat_named(large, "GlobalStatInfo", name));
}

static void name_scopes(struct large *large)
{
    large->step = context_named(large, STINT_NO_PARENT, "step");
    large->load = context_named(large, large->step, "load batch");
    large->forward = context_named(large, large->step, "forward");
    large->backward = context_named(large, large->step, "backward");
    large->update = context_named(large, large->step, "update");
    for (unsigned i = 0; i < 2 * NAMES; i++) {
        int back = i >= NAMES;
        snprintf(large->names[i], sizeof large->names[i], "block%02u.layer%u%s", i % NAMES / 16, i % NAMES % 16,
                 back ? ".grad" : "");
        large->contexts[i] = context_named(large, back ? large->backward : large->forward, large->names[i]);
    }
}

/* ----------------------------------------------------------------------------------------------------------- source */

static struct large *s_sorted;

static int compare(const void *a, const void *b)
{
    const struct stint_event *x = &s_sorted->events[*(const size_t *)a], *y = &s_sorted->events[*(const size_t *)b];
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    return x->end_ns == y->end_ns ? 0 : x->end_ns > y->end_ns ? -1 : 1;
}

/* Positions in the builder become those in the snapshot. Each scope is in one calling context. */
static size_t place_of(const struct large *large, const char *name)
{
    const struct stint_snapshot *snapshot = large->snapshot;
    for (size_t i = 0; i < snapshot->context_count; i++)
        if (strcmp(snapshot->stats[snapshot->contexts[i].stat].name, name) == 0)
            return i;
    return STINT_GPU_UNATTRIBUTED;
}

enum { PLACES = 8192 }; /* more than there are contexts */

static void place_events(struct large *large)
{
    static size_t places[PLACES];
    places[large->step] = place_of(large, "step");
    places[large->load] = place_of(large, "load batch");
    places[large->forward] = place_of(large, "forward");
    places[large->backward] = place_of(large, "backward");
    places[large->update] = place_of(large, "update");
    for (unsigned i = 0; i < 2 * NAMES; i++)
        places[large->contexts[i]] = place_of(large, large->names[i]);
    for (size_t i = 0; i < large->count; i++)
        large->events[i].context = large->gpu[i].context = places[large->gpu[i].context];
}

static void sort(struct large *large)
{
    for (size_t i = 0; i < large->count; i++)
        large->order[i] = i;
    s_sorted = large;
    qsort(large->order, large->count, sizeof *large->order, compare);
}

static int begin(struct stint_event_source *source)
{
    ((struct large *)(void *)source)->at = 0;
    return 0;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct large *large = (struct large *)(void *)source;
    if (large->at == large->count)
        return 0;
    *event = large->events[large->order[large->at++]];
    return 1;
}

struct large *large_make(unsigned steps)
{
    const struct stint_gpu_device device = {.name = "Made-up GPU",
                                            .compute_major = 9,
                                            .multiprocessors = 132,
                                            .memory_bytes = UINT64_C(85899345920),
                                            .memory_bytes_per_s = UINT64_C(3350000000000),
                                            .link_bytes_per_s = UINT64_C(64000000000)};
    struct large *large = calloc(1, sizeof *large);
    size_t room = (size_t)steps * THREADS * (6 * LAYERS + 12);
    if (!large || !(large->events = calloc(room, sizeof *large->events)) ||
        !(large->gpu = calloc(room, sizeof *large->gpu)) || !(large->order = calloc(room, sizeof *large->order)))
        abort();
    large->room = room;
    large->source = (struct stint_event_source){.begin = begin, .next = next};
    stint_builder_begin(&large->builder);
    stint_builder_set(&large->builder, "GlobalStatInfo");
    stint_builder_add(&large->builder, STINT_ROWS_GPU_DEVICES, &device);
    name_scopes(large);
    for (unsigned thread = 0; thread < THREADS; thread++) {
        struct stint_thread like = {.pid = PID, .tid = PID + thread};
        snprintf(like.name, sizeof like.name, thread ? "worker %u" : "main", thread);
        stint_builder_add(&large->builder, STINT_ROWS_THREADS, &like);
        large->now[thread] = 50000000 + thread * 130000;
        for (unsigned step = 0; step < steps; step++)
            train(large, thread, step);
    }
    sort(large);
    const struct stint_process process = {.pid = PID,
                                          .command = "./train --layers 498",
                                          .host = "node01",
                                          .start_unix_ns = UINT64_C(1767225600000000000),
                                          .wall_ns = large->now[0] + 30000000,
                                          .clock = "tsc",
                                          .clock_hz = 2.5e9,
                                          .clock_read_ns = 8.1,
                                          .scope_ns = 19.4};
    large->snapshot = stint_builder_end(&large->builder, &process, &(struct stint_dropped){.gpu_events = 0});
    if (!large->snapshot)
        abort();
    place_events(large);
    return large;
}

const struct stint_snapshot *large_snapshot(const struct large *large)
{
    return large->snapshot;
}

struct stint_event_source *large_events(struct large *large)
{
    return &large->source;
}

void large_free(struct large *large)
{
    stint_snapshot_free(large->snapshot);
    free(large->events);
    free(large->gpu);
    free(large->order);
    free(large);
}
