/* Writes the pages that the browser test looks at into a folder: pages FOLDER */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu_profile.h"
#include "html/large.h"
#include "html/overview.h"
#include "listed_events.h"
#include "op/op_recording.h"
#include "report/fixture.h"
#include "report/gpu_fixture.h"
#include "report/nvtx_fixture.h"
#include "report/sample_fixture.h"

static const char *s_folder;

static int write_file(void *context, const char *text, size_t length)
{
    return fwrite(text, 1, length, context) == length ? 0 : -1;
}

static void write_page(const char *name, const struct stint_snapshot *snapshot, struct stint_event_source *events)
{
    struct stint_snapshot_events own;
    struct stint_overview *overview = malloc(sizeof *overview);
    struct stint_html html = {.snapshot = snapshot,
                              .overview = overview,
                              .operations = op_rows.count ? &op_rows : NULL,
                              .source_path = getenv("SOURCES")};
    struct stint_symbols *symbols = stint_symbols_begin(STINT_SYMBOLS_LINES);
    struct stint_function_names names = stint_cpu_names(symbols);
    struct stint_export_input input = {.snapshot = snapshot, .names = &names};
    struct stint_functions functions;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.html", s_folder, name);
    FILE *file = fopen(path, "w");
    stint_snapshot_events_begin(&own, snapshot);
    if (!overview || !file || stint_functions_begin(&functions, &input) ||
        stint_overview_read(overview, events ? events : &own.source, &functions, STINT_OVERVIEW_MOST) ||
        stint_html_write(&html, write_file, file) || fclose(file)) {
        perror(path);
        exit(1);
    }
    stint_functions_free(&functions);
    stint_symbols_end(symbols);
    stint_overview_free(overview);
    free(overview);
}

/* A program of several threads, with both kinds of barriers. */
static void write_barriers(void)
{
    static const struct stint_barrier_part slowest[] = {{17, 40, 4000000000, 99500000, 123000000, 3900000000, 0, 0},
                                                        {3, 59, 5900000000, 98000000, 101000000, 5000000000, 0, 0}};
    static const struct stint_barrier_stat barriers[] = {
        {"GlobalStatInfo",
         "gradients",
         STINT_BARRIER_END,
         64,
         2,
         100,
         {0, 99, 9900000000, 0, 0, 9200000000, 0, 0},
         slowest,
         2},
        {"server", "steps", STINT_BARRIER_DELTA, 64, 0, 1, {0}, NULL, 0},
    };
    struct stint_snapshot snapshot = *fixture_training();
    snapshot.barriers = barriers;
    snapshot.barrier_count = sizeof barriers / sizeof barriers[0];
    write_page("barriers", &snapshot, NULL);
}

/* Ranges with a colour and a category, a counter of many samples, and memory. */
struct styled {
    struct stint_event_source source; /* first */
    struct stint_event_memory memory;
    uint64_t at;
};

static int styled_begin(struct stint_event_source *source)
{
    ((struct styled *)source)->at = 0;
    return 0;
}

/* Every microsecond a sample: 0, 1, …, 99, 0, 1, … Every 100 µs a range, by turns red, without a colour, in a category,
 * with a number of no range that identifies something, and memory is allocated and freed. The payload of each range but
 * the first identifies it. */
static int styled_next(struct stint_event_source *source, struct stint_event *event)
{
    struct styled *styled = (struct styled *)source;
    uint64_t step = styled->at / 104, i = styled->at % 104;
    if (step == 40)
        return 0;
    styled->at++;
    *event = (struct stint_event){.kind = STINT_EVENT_VALUE,
                                  .start_ns = 100000 * step + (i < 2 ? 0 : 1000 * (i - 2)),
                                  .pid = 4711,
                                  .tid = 4711,
                                  .context = STINT_GPU_NO_SCOPE,
                                  .name = "queue length",
                                  .set = "NVTX counters",
                                  .field = "",
                                  .value = (double)i - 2};
    event->end_ns = event->start_ns;
    if (i == 102) {
        event->name = "communicator";
        event->value = 0x1.e55p52 + (double)(step % 7);
    } else if (i == 103) {
        event->start_ns = event->end_ns = 100000 * (step + 1);
        event->set = "NVTX";
        event->name = (step + 1) % 3 ? "step" : "red step";
        event->field = "Rank";
        event->value = (double)step + 1;
    } else if (i == 0) {
        event->kind = STINT_EVENT_SCOPE;
        event->name = step % 3 ? "step" : "red step";
        event->set = "NVTX";
        event->end_ns += 60000;
        event->color = step % 3 ? 0 : 0xffc00010;
        event->category = step % 3 == 2 ? 7 : 0;
    } else if (i == 1) {
        styled->memory = (struct stint_event_memory){
            .bytes = 1 << 20, .current_bytes = step % 2 << 20, .kind = STINT_GPU_MEMORY_DEVICE, .freed = !(step % 2)};
        event->kind = STINT_EVENT_MEMORY;
        event->name = event->set = "";
        event->memory = &styled->memory;
    }
    return 1;
}

static void write_styled(void)
{
    static const struct stint_nvtx_name names[] = {
        {.pid = 4711, .what = STINT_NVTX_CATEGORY, .domain = "", .handle = 7, .name = "loading"}};
    struct stint_snapshot snapshot = *fixture_training();
    struct styled styled = {.source = {.begin = styled_begin, .next = styled_next}};
    snapshot.process.wall_ns = 4200000;
    snapshot.nvtx_names = names;
    snapshot.nvtx_name_count = 1;
    write_page("styled", &snapshot, &styled.source);
}

/* A kernel that computes in fp64 by mistake and is bound by it, one that is bound by DRAM, and what a scope moved. */
static void write_counters(void)
{
#define KERNEL(metric, number)                                                                                         \
    {                                                                                                                  \
        STINT_COUNTER_SET, "void scale<4>(float *)", metric, 2, 2 * (number), number, number                           \
    }
#define COPY(metric, number)                                                                                           \
    {                                                                                                                  \
        STINT_COUNTER_SET, "<i>copy</i>", metric, 1, number, number, number                                            \
    }
#define SCOPE(metric, number)                                                                                          \
    {                                                                                                                  \
        STINT_COUNTER_SCOPE_SET, "step/forward", metric, 3, 3 * (number), number, number                               \
    }
    static const struct stint_nvtx_value values[] = {
        {STINT_COUNTER_SET, "void scale<4>(float *)", STINT_COUNTER_LAUNCHES, 1, 5, 5, 5},
        KERNEL("profiler__replayer_passes", 7),
        KERNEL("gpu__time_duration.sum", 4000),
        KERNEL("sm__throughput.avg.pct_of_peak_sustained_elapsed", 95),
        KERNEL("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 12),
        KERNEL("sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_elapsed", 95),
        KERNEL("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 1e6),
        KERNEL("smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0),
        KERNEL("smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0),
        COPY(STINT_COUNTER_LAUNCHES, 1),
        COPY("gpu__time_duration.sum", 9000),
        COPY("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 91),
        SCOPE(STINT_COUNTER_LAUNCHES, 1),
        SCOPE("gpu__time_duration.sum", 3000),
        SCOPE("dram__bytes_read.sum", 1000),
        SCOPE("dram__bytes_write.sum", 500),
        {"NVTX counters", "queue", "", 1, 3, 3, 3},
    };
    struct stint_snapshot snapshot = *fixture_empty();
    snapshot.nvtx_values = values;
    snapshot.nvtx_value_count = sizeof values / sizeof values[0];
    write_page("counters", &snapshot, NULL);
}

/* Three passes over 64 MiB on one device, and other moves on a second. */
static void write_unified(void)
{
#define MOVE(on, way, name_of, moves, moved)                                                                           \
    {                                                                                                                  \
        .kind = STINT_GPU_UNIFIED, .direction = STINT_GPU_##way, .name = "[CUDA Unified Memory memcpy " name_of "]",   \
        .mangled = "", .device = on, .numbers = {.count = moves, .total_ns = 1000 * (moves)}, .bytes = moved           \
    }
#define FAULT(on, name_of, groups, faults)                                                                             \
    {                                                                                                                  \
        .kind = STINT_GPU_FAULT, .name = "[CUDA Unified Memory " name_of " page faults]", .mangled = "", .device = on, \
        .numbers = {.count = groups, .total_ns = groups}, .bytes = faults                                              \
    }
    static const struct stint_gpu_activity activities[] = {
        MOVE(0, HTOD, "HtoD", 10138, 201326592),
        MOVE(0, DTOH, "DtoH", 1152, 201326592),
        MOVE(1, HTOD, "HtoD", 1, 4096),
        FAULT(0, "GPU", 387, 1500),
        FAULT(1, "GPU", 1, 2),
        FAULT(0, "CPU", 768, 768),
    };
    struct stint_snapshot snapshot = *fixture_empty();
    snapshot.gpu_activities = activities;
    snapshot.gpu_activity_count = sizeof activities / sizeof activities[0];
    write_page("unified", &snapshot, NULL);
}

static int add_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the program comes first */
}

static const struct stint_event s_sampled[] = {
    {.kind = STINT_EVENT_SCOPE,
     .start_ns = 0,
     .end_ns = 30000000,
     .pid = 4711,
     .tid = 4711,
     .name = "outer",
     .set = ""},
    {.kind = STINT_EVENT_SAMPLE,
     .start_ns = 6000000,
     .end_ns = 6000000,
     .pid = 4711,
     .tid = 4711,
     .name = "",
     .set = "",
     .sample = {1, 4000000}},
    {.kind = STINT_EVENT_SAMPLE,
     .start_ns = 10000000,
     .end_ns = 10000000,
     .pid = 4711,
     .tid = 4711,
     .name = "",
     .set = "",
     .sample = {0, 4000000}},
    {.kind = STINT_EVENT_SAMPLE,
     .start_ns = 28000000,
     .end_ns = 28000000,
     .pid = 4711,
     .tid = 4711,
     .name = "",
     .set = "",
     .sample = {1, 4000000}},
};

/* Samples in this program, whose source is at hand. */
static void write_source(void)
{
    struct stint_snapshot *made = fixture_samples(), snapshot = *made;
    struct listed_events listed = LISTED_EVENTS(s_sampled, sizeof s_sampled / sizeof s_sampled[0]);
    struct stint_sample_module modules[3];
    struct stint_sample_frame frames[4];
    uint64_t bias = 0;
    (void)dl_iterate_phdr(add_bias, &bias);
    memcpy(modules, made->sample_modules, sizeof modules);
    memcpy(frames, made->sample_frames, sizeof frames);
    modules[0].path = "/proc/self/exe";
    modules[0].build_id = "";
    frames[0].address = (uint64_t)(uintptr_t)write_counters - bias;
    frames[1].address = (uint64_t)(uintptr_t)write_styled - bias;
    snapshot.sample_modules = modules;
    snapshot.sample_frames = frames;
    write_page("source", &snapshot, &listed.source);
    stint_snapshot_free(made);
}

#define ONE_SCOPE(its_pid, its_name)                                                                                   \
    {                                                                                                                  \
        .kind = STINT_EVENT_SCOPE, .start_ns = 0, .end_ns = 30000000, .pid = its_pid, .tid = its_pid,                  \
        .name = its_name, .set = ""                                                                                    \
    }

static const struct stint_event s_processes[] = {ONE_SCOPE(4711, "first"), ONE_SCOPE(4712, "second")};

static void write_processes(void)
{
    struct listed_events listed = LISTED_EVENTS(s_processes, 2);
    write_page("processes", fixture_training(), &listed.source);
}

/* A training run of two processes with a GPU each: steps with a counter and memory, in which NCCL's ranges have a
 * payload. */
enum { RANKS = 2, STEPS = 40, STEP_NS = 1000000, EVENTS_OF_STEP = 10 };

struct training {
    struct stint_event events[RANKS * STEPS * EVENTS_OF_STEP];
    struct stint_gpu_event work[2 * RANKS * STEPS];
    struct stint_event_memory memory[RANKS * STEPS];
    size_t count, works;
};

static struct stint_event *add(struct training *run, enum stint_event_kind kind, int64_t pid, const char *name,
                               uint64_t start_ns, uint64_t ns)
{
    struct stint_event *event = &run->events[run->count++];
    *event = (struct stint_event){.kind = kind,
                                  .start_ns = start_ns,
                                  .end_ns = start_ns + ns,
                                  .pid = pid,
                                  .tid = pid,
                                  .context = STINT_GPU_NO_SCOPE,
                                  .name = name,
                                  .set = kind == STINT_EVENT_DEVICE ? "" : "NVTX",
                                  .field = ""};
    return event;
}

static void add_number(struct training *run, int64_t pid, const char *name, const char *field, uint64_t ns,
                       double value)
{
    struct stint_event *event = add(run, STINT_EVENT_VALUE, pid, name, ns, 0);
    event->field = field;
    event->value = value;
}

static void add_work(struct training *run, int64_t pid, const char *name, uint64_t start_ns, uint64_t ns,
                     uint32_t stream)
{
    struct stint_gpu_event *work = &run->work[run->works++];
    *work = (struct stint_gpu_event){.kind = STINT_GPU_KERNEL,
                                     .name = name,
                                     .device = (uint32_t)(pid - 4711),
                                     .device_context = 1,
                                     .stream = stream};
    add(run, STINT_EVENT_DEVICE, pid, name, start_ns, ns)->gpu = work;
}

static void add_step(struct training *run, int64_t pid, unsigned step)
{
    static const char all_reduce[] = "ncclAllReduce";
    uint64_t ns = (uint64_t)step * STEP_NS, at = ns + 400000;
    add(run, STINT_EVENT_SCOPE, pid, "step", ns, 900000);
    add_work(run, pid, "gemm", ns + 100000, 300000, 7);
    struct stint_event *memory = add(run, STINT_EVENT_MEMORY, pid, "", ns + 200000, 0);
    run->memory[run->count % (RANKS * STEPS)] = (struct stint_event_memory){.bytes = 1 << 20,
                                                                            .current_bytes = (1 + step % 4) << 20,
                                                                            .kind = STINT_GPU_MEMORY_DEVICE,
                                                                            .device = (uint32_t)(pid - 4711)};
    memory->memory = &run->memory[run->count % (RANKS * STEPS)];
    add_number(run, pid, all_reduce, "Communicator ID", at, 0x1.e55p52);
    add_number(run, pid, all_reduce, "Operation", at, step);
    add_number(run, pid, all_reduce, "Message size [bytes]", at, (1 + step % 3) * 1e6);
    add(run, STINT_EVENT_SCOPE, pid, all_reduce, at, 100000);
    add_work(run, pid, "ncclDevKernel_AllReduce", at + 50000, 300000, 13);
    struct stint_event *counter = add(run, STINT_EVENT_VALUE, pid, "loss", ns + 800000, 0);
    counter->set = "NVTX counters";
    counter->value = 5.0 / (1 + step);
}

static void write_training(void)
{
    static struct training run;
    static const struct stint_nvtx_value sums[] = {
        {"NVTX", "ncclAllReduce", "Operation", RANKS * STEPS, RANKS * STEPS * (STEPS - 1) / 2, 0, STEPS - 1}};
    struct stint_snapshot snapshot = *fixture_training();
    static struct stint_merged_process processes[RANKS];
    for (unsigned step = 0; step < STEPS; step++)
        for (int64_t pid = 4711; pid < 4711 + RANKS; pid++)
            add_step(&run, pid, step);
    snapshot.nvtx_values = sums;
    snapshot.nvtx_value_count = 1;
    snapshot.process.wall_ns = STEPS * STEP_NS;
    for (int64_t i = 0; i < RANKS; i++)
        processes[i] = (struct stint_merged_process){.pid = 4711 + i, .command = "train"};
    snapshot.processes = processes;
    snapshot.process_count = RANKS;
    struct listed_events listed = LISTED_EVENTS(run.events, run.count);
    write_page("training", &snapshot, &listed.source);
}

static void write_large(const char *name, unsigned steps)
{
    struct large *large = large_make(steps);
    write_page(name, large_snapshot(large), large_events(large));
    large_free(large);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    s_folder = arguments[1];
    write_page("cpu", fixture_training(), NULL);
    write_barriers();
    write_styled();
    write_counters();
    write_unified();
    write_source();
    write_processes();
    write_training();
    write_page("empty", fixture_empty(), NULL);
    write_page("nasty", fixture_nasty(), NULL);
    write_page("deep", fixture_deep(), NULL);
    write_page("running", fixture_running(), NULL);
    write_page("gpu", fixture_gpu(), NULL);
    write_page("gpu_nasty", fixture_gpu_nasty(), NULL);
    fixture_gpu_free();
    struct stint_snapshot *values = fixture_nvtx_values();
    write_page("values", values, NULL);
    stint_snapshot_free(values);
    struct stint_snapshot *samples = fixture_samples();
    write_page("samples", samples, NULL);
    stint_snapshot_free(samples);
    op_example();
    write_page("operations", fixture_empty(), NULL);
    (void)op_forget(NULL);
    write_large("small", 3);
    write_large("large", 300);
    write_large("huge", 1500);
    return 0;
}
