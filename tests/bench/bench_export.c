/* Measures what exporting an event costs. The events are those of a made-up program with 8 threads, 2 devices and 16
 * streams: scopes, calls of CUDA, kernels and copies. The output is counted and discarded. Prints the maximum, median
 * and minimum of events per second over rounds in which the formats take turns, the bytes per event, and the process's
 * peak resident memory.
 *
 *     bench_export [EVENTS [ROUNDS]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "export/export.h"

enum { MOST_ROUNDS = 99, THREADS = 8, STREAMS = 8, KERNELS = 64 };

static uint64_t s_events = 10000000;
static char s_names[KERNELS][128];

/* ---------------------------------------------------------------------------------------------------------- program */

static const struct stint_stat s_stats[] = {
    {.set = "GlobalStatInfo", .name = "train", .file = "train.c", .function = "train", .line = 10},
    {.set = "GlobalStatInfo", .name = "forward", .file = "train.c", .function = "forward", .line = 20},
};

static const struct stint_context s_contexts[] = {
    {.stat = 0, .parent = STINT_NO_PARENT, .depth = 0},
    {.stat = 1, .parent = 0, .depth = 1},
};

static const struct stint_gpu_device s_devices[] = {
    {.id = 0, .name = "NVIDIA H200", .compute_major = 9, .multiprocessors = 132},
    {.id = 1, .name = "NVIDIA H200", .compute_major = 9, .multiprocessors = 132},
};

static const char *const s_sets[] = {"GlobalStatInfo"};

static const struct stint_snapshot s_snapshot = {
    .size = sizeof s_snapshot,
    .process = {.pid = 4711, .command = "./train", .host = "", .clock = "", .wall_ns = UINT64_C(10000000000)},
    .sets = s_sets,
    .set_count = 1,
    .stats = s_stats,
    .stat_count = 2,
    .contexts = s_contexts,
    .context_count = 2,
    .gpu_devices = s_devices,
    .gpu_device_count = 2,
};

struct program {
    struct stint_event_source source;
    uint64_t at;
    struct stint_gpu_event gpu;
};

static int begin(struct stint_event_source *source)
{
    ((struct program *)(void *)source)->at = 0;
    return 0;
}

static void make_scope(struct program *program, struct stint_event *event)
{
    event->kind = STINT_EVENT_SCOPE;
    event->end_ns = event->start_ns + 20000;
    event->context = 1;
    event->name = "forward";
    event->set = "GlobalStatInfo";
    event->gpu = NULL;
    (void)program;
}

static void make_call(struct program *program, struct stint_event *event)
{
    event->kind = STINT_EVENT_CALL;
    event->end_ns = event->start_ns + 5000;
    event->context = 1;
    event->name = "cudaLaunchKernel";
    program->gpu = (struct stint_gpu_event){.api = 1, .name = event->name, .correlation = program->at};
}

static void make_kernel(struct program *program, struct stint_event *event)
{
    event->kind = STINT_EVENT_DEVICE;
    event->end_ns = event->start_ns + 30000;
    event->tid = 0;
    event->context = 1;
    event->name = s_names[program->at / 4 % KERNELS];
    program->gpu = (struct stint_gpu_event){.kind = STINT_GPU_KERNEL,
                                            .name = event->name,
                                            .correlation = program->at,
                                            .device = program->at / 4 % 2,
                                            .device_context = 1,
                                            .stream = 7 + program->at / 8 % STREAMS,
                                            .grid = {1024, 1, 1},
                                            .block = {256, 1, 1},
                                            .registers = 32,
                                            .dynamic_shared = 4096};
}

static void make_copy(struct program *program, struct stint_event *event)
{
    make_kernel(program, event);
    event->name = program->gpu.name = "[CUDA memcpy HtoD]";
    program->gpu.kind = STINT_GPU_COPY;
    program->gpu.direction = STINT_GPU_HTOD;
    program->gpu.bytes = 1 << 20;
    program->gpu.source = STINT_GPU_MEMORY_PINNED;
    program->gpu.destination = STINT_GPU_MEMORY_DEVICE;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    static void (*const make[])(struct program *, struct stint_event *) = {make_scope, make_call, make_kernel,
                                                                           make_copy};
    struct program *const program = (struct program *)(void *)source;
    if (program->at == s_events)
        return 0;
    uint64_t at = program->at++;
    *event = (struct stint_event){
        .start_ns = 1000 * at, .pid = 4711, .tid = 4711 + (int64_t)(at / 4 % THREADS), .set = "", .gpu = &program->gpu};
    make[at % 4](program, event);
    program->gpu.start_ns = event->start_ns;
    program->gpu.end_ns = event->end_ns;
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- rounds */

static int count_bytes(void *context, const char *bytes, size_t length)
{
    (void)bytes;
    *(uint64_t *)context += length;
    return 0;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double export_s(enum stint_export_format format, uint64_t *bytes)
{
    struct program program = {.source = {.begin = begin, .next = next}};
    char reason[200];
    double start = now_s();
    *bytes = 0;
    if (stint_export_write(&(struct stint_export_input){.snapshot = &s_snapshot, .events = &program.source}, format,
                           count_bytes, bytes, reason, sizeof reason)) {
        fprintf(stderr, "bench_export: %s\n", reason);
        exit(1);
    }
    return now_s() - start;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const enum stint_export_format formats[] = {STINT_EXPORT_CHROME, STINT_EXPORT_PERFETTO};
    static double rate[2][MOST_ROUNDS];
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    struct rusage usage;
    uint64_t bytes[2];
    if (argc > 1)
        s_events = strtoull(argv[1], NULL, 10);
    if (rounds < 1 || rounds > MOST_ROUNDS || !s_events) {
        fprintf(stderr, "usage: bench_export [EVENTS [ROUNDS]]\n");
        return 2;
    }
    for (int i = 0; i < KERNELS; i++)
        snprintf(s_names[i], sizeof s_names[i], "void layer_%d<float, 3>(float const*, float const*, float*, int, int)",
                 i);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < 2; i++)
            rate[i][round] = (double)s_events / export_s(formats[i], &bytes[i]);
    for (int i = 0; i < 2; i++) {
        qsort(rate[i], (size_t)rounds, sizeof rate[i][0], compare);
        printf("%-9s %10.0f events/s at most, %10.0f median, %10.0f at least, of %d rounds; %.1f bytes per event\n",
               stint_export_name((int)formats[i]), rate[i][rounds - 1], rate[i][rounds / 2], rate[i][0], rounds,
               (double)bytes[i] / (double)s_events);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("resident  %10ld KiB at most, %llu events\n", usage.ru_maxrss, (unsigned long long)s_events);
    return 0;
}
