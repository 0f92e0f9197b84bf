#include "export/fixture.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define US UINT64_C(1000)

enum { MOST_EVENTS = 64 };

static struct fixture {
    struct stint_event_source source; /* first */
    struct stint_event events[MOST_EVENTS];
    struct stint_gpu_event gpu[MOST_EVENTS];
    size_t count;
    size_t at;
    size_t fails_at;
} s_fixture;

static int begin(struct stint_event_source *source)
{
    ((struct fixture *)(void *)source)->at = 0;
    return 0;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct fixture *const fixture = (struct fixture *)(void *)source;
    if (fixture->at == fixture->fails_at) {
        snprintf(source->reason, sizeof source->reason, "the file ends too early");
        return -1;
    }
    if (fixture->at == fixture->count)
        return 0;
    *event = fixture->events[fixture->at++];
    return 1;
}

/* ----------------------------------------------------------------------------------------------------------- events */

static const struct stint_snapshot *s_snapshot;

static size_t context_of(const char *name)
{
    for (size_t i = 0; i < s_snapshot->context_count; i++)
        if (strcmp(s_snapshot->stats[s_snapshot->contexts[i].stat].name, name) == 0)
            return i;
    return STINT_GPU_NO_SCOPE;
}

static void restart(const struct stint_snapshot *snapshot)
{
    s_snapshot = snapshot;
    s_fixture = (struct fixture){.source = {.begin = begin, .next = next}, .fails_at = SIZE_MAX};
}

static struct stint_event *add(enum stint_event_kind kind, const char *name, uint64_t start_ns, uint64_t end_ns)
{
    struct stint_event *event = &s_fixture.events[s_fixture.count++];
    *event = (struct stint_event){.kind = kind,
                                  .start_ns = start_ns,
                                  .end_ns = end_ns,
                                  .pid = 4711,
                                  .tid = 4711,
                                  .context = STINT_GPU_NO_SCOPE,
                                  .name = name,
                                  .set = ""};
    return event;
}

static void add_scope(const char *name, int64_t tid, uint64_t start_ns, uint64_t end_ns)
{
    struct stint_event *event = add(STINT_EVENT_SCOPE, name, start_ns, end_ns);
    event->tid = tid;
    event->set = "GlobalStatInfo";
    event->context = context_of(name);
}

static struct stint_gpu_event *add_gpu(enum stint_event_kind kind, const struct stint_gpu_event *like)
{
    struct stint_gpu_event *gpu = &s_fixture.gpu[s_fixture.count];
    struct stint_event *event = add(kind, like->name, like->start_ns, like->end_ns);
    *gpu = *like;
    gpu->context = like->context ? like->context - 1 : STINT_GPU_NO_SCOPE; /* 0: none */
    event->context = gpu->context;
    event->tid = kind == STINT_EVENT_CALL ? gpu->tid : 0;
    event->gpu = gpu;
    return gpu;
}

static void add_call(const char *name, int64_t tid, uint64_t start_ns, uint64_t end_ns, uint64_t correlation)
{
    (void)add_gpu(STINT_EVENT_CALL, &(struct stint_gpu_event){.api = 1,
                                                              .name = name,
                                                              .start_ns = start_ns,
                                                              .end_ns = end_ns,
                                                              .correlation = correlation,
                                                              .context = context_of("forward") + 1,
                                                              .tid = tid});
}

static struct stint_gpu_event *add_work(enum stint_gpu_kind kind, const char *name, uint64_t start_ns, uint64_t end_ns,
                                        uint64_t correlation)
{
    return add_gpu(STINT_EVENT_DEVICE, &(struct stint_gpu_event){.kind = kind,
                                                                 .direction = stint_gpu_direction_of(kind, name),
                                                                 .wait = stint_gpu_wait_of(kind, name),
                                                                 .name = name,
                                                                 .start_ns = start_ns,
                                                                 .end_ns = end_ns,
                                                                 .correlation = correlation,
                                                                 .context = context_of("convolution") + 1,
                                                                 .device_context = 1,
                                                                 .stream = 7});
}

static struct stint_gpu_event *add_kernel(const char *name, uint64_t start_ns, uint64_t end_ns, uint64_t correlation)
{
    struct stint_gpu_event *gpu = add_work(STINT_GPU_KERNEL, name, start_ns, end_ns, correlation);
    gpu->grid[0] = 100;
    gpu->grid[1] = 2;
    gpu->grid[2] = gpu->block[2] = 1;
    gpu->block[0] = 64;
    gpu->block[1] = 4;
    gpu->registers = 40;
    gpu->dynamic_shared = 1024;
    return gpu;
}

static void add_host(void)
{
    add_scope("trainOnePass", 4711, 0, 1000 * US);
    add_scope("forward", 4711, 10 * US, 400 * US);
    struct stint_event *event = add(STINT_EVENT_VALUE, "request", 19 * US, 19 * US);
    event->set = "NVTX start/end:serve";
    event->field = "peer\"rank";
    event->value = 3;
    add(STINT_EVENT_RANGE, "request", 20 * US, 60 * US)->set = event->set;
    add_scope("evaluate", 4720, 30 * US, 30 * US); /* no time at all */
    event = add(STINT_EVENT_SCOPE, "Thunk", 35 * US, 38 * US);
    event->set = "NVTX:TSL";
    event->text = "Thunk:#name=jit(step)/mul,hlo_op=fusion.1,shape=\"f32[2,3]\"#";
    event = add(STINT_EVENT_RANGE, "request", 40 * US, 90 * US); /* overlaps the first */
    event->set = "NVTX start/end:serve";
    event->tid = 4720;
    event = add(STINT_EVENT_MARK, "a \"mark\",\n\xff\\", 50 * US, 50 * US);
    event->set = "NVTX marks";
    event->tid = 0; /* unknown */
    event->context = context_of("forward");
    event->color = 0xFF76B900;
    event->category = 7;
}

static void add_points(void)
{
    static const struct stint_event_memory memory[] = {
        {.address = 4096, .bytes = 1000, .current_bytes = 1000, .kind = STINT_GPU_MEMORY_DEVICE},
        {.address = 8192, .bytes = 24, .current_bytes = 24, .kind = STINT_GPU_MEMORY_MANAGED, .pool = 1},
        {.address = 4096, .bytes = 1000, .current_bytes = 0, .kind = STINT_GPU_MEMORY_DEVICE, .freed = 1}};
    for (uint64_t i = 0; i < 3; i++) {
        struct stint_event *event = add(STINT_EVENT_VALUE, "lo\"ss", (320 + i) * US, (320 + i) * US);
        event->set = i ? "NVTX counters" : "NVTX counters:cuDF";
        event->field = i == 1 ? "of an epoch" : "";
        event->value = 0.5 - (double)i;
        event = add(STINT_EVENT_MEMORY, "", (320 + i) * US, (320 + i) * US);
        event->set = "";
        event->memory = &memory[i];
    }
}

static void add_devices(void)
{
    add_call("cudaLaunchKernel", 4711, 100 * US, 105 * US, 11);
    add_call("cuLaunchKernelEx", 4720, 101 * US, 104 * US, 12);
    add_kernel("first(float*)", 110 * US, 150 * US, 11);
    add_kernel("second(float*)", 150 * US - 2, 160 * US, 12); /* begins before the first has ended */
    add_kernel("third(float*)", 160 * US, 170 * US, 0);       /* the launch was not seen */
    s_fixture.events[s_fixture.count - 1].context = STINT_GPU_UNATTRIBUTED;
    struct stint_gpu_event *gpu = add_kernel("first(float*)", 165 * US, 180 * US, 13);
    gpu->device_context = 2; /* whose stream 7 is another */
    gpu->graph = 5;
    gpu->graph_node = 77;
    gpu = add_work(STINT_GPU_COPY, "[CUDA memcpy PtoP]", 170 * US, 170 * US, 14); /* in no time */
    gpu->device = 1;
    gpu->bytes = 4096;
    gpu->source = STINT_GPU_MEMORY_DEVICE;
    gpu->peer = 1;
    gpu = add_work(STINT_GPU_SET, "[CUDA memset]", 180 * US, 181 * US, 15);
    gpu->bytes = 512;
    add_work(STINT_GPU_FAULT, "[CUDA Unified Memory CPU page faults]", 182 * US, 182 * US, 0);
    add_work(STINT_GPU_UNIFIED, "[CUDA Unified Memory memcpy HtoD]", 183 * US, 185 * US, 0)->bytes = 65536;
    add_work(STINT_GPU_SYNC, "[CUDA context synchronize]", 190 * US, 250 * US, 16)->stream = UINT32_MAX;
    add_work(STINT_GPU_SPAN, "epoch", 200 * US, 300 * US, 0);
    add_work(STINT_GPU_OVERHEAD, "[CUPTI buffer flush]", 310 * US, 320 * US, 0);
}

static void add_other_process(void)
{
    struct stint_event *event = add(STINT_EVENT_SCOPE, "of another process", 500 * US, UINT64_C(1) << 62);
    event->pid = 1;
    event->tid = 1;
    event->set = "GlobalStatInfo";
    add_call("cudaMemcpyAsync", 1, 600 * US, 601 * US, 11); /* the same number */
    s_fixture.events[s_fixture.count - 1].pid = 1;
    add_kernel("third(float*)", 610 * US, (UINT64_C(1) << 62) + 1, 11);
    s_fixture.events[s_fixture.count - 1].pid = 1;
    event = add(STINT_EVENT_SCOPE, "later", 700 * US, 600 * US); /* ends before it begins */
    event->set = "GlobalStatInfo";
}

struct stint_event_source *fixture_events(const struct stint_snapshot *snapshot)
{
    restart(snapshot);
    add_host();
    add_devices();
    add_points();
    add_other_process();
    return &s_fixture.source;
}

struct stint_event_source *fixture_failing_events(const struct stint_snapshot *snapshot)
{
    (void)fixture_events(snapshot);
    s_fixture.fails_at = 5;
    return &s_fixture.source;
}

struct stint_event_source *fixture_no_events(void)
{
    restart(NULL);
    return &s_fixture.source;
}

/* -------------------------------------------------------------------------------------------------------- exporting */

struct capture export_as(enum stint_export_format format, const struct stint_snapshot *snapshot,
                         struct stint_event_source *events)
{
    struct stint_snapshot_events own;
    struct capture out = {0};
    char reason[200] = "";
    stint_snapshot_events_begin(&own, snapshot);
    if (stint_export_write(&(struct stint_export_input){.snapshot = snapshot, .events = events ? events : &own.source},
                           format, capture_write, &out, reason, sizeof reason))
        fail_msg("%s", reason);
    return out;
}

/* A line that is "}" ends a packet; others become a part of its line. */
static void read_packets(FILE *decoded, struct capture *packets)
{
    char *line = NULL;
    size_t size = 0;
    for (ssize_t length; (length = getline(&line, &size, decoded)) > 0;) {
        const char *text = line + strspn(line, " ");
        if (line[0] != '}')
            line[length - 1] = ' ';
        assert_int_equal(capture_write(packets, text, strlen(text)), 0);
    }
    free(line);
}

struct capture perfetto_packets(const struct capture *trace)
{
    char path[] = "/tmp/stint_perfetto_XXXXXX", command[64];
    struct capture packets = {0};
    if (system("command -v protoc >/dev/null") != 0)
        skip();
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, trace->text, trace->length), trace->length);
    assert_int_equal(close(file), 0);
    (void)snprintf(command, sizeof command, "protoc --decode_raw <%s", path);
    FILE *decoded = popen(command, "r");
    assert_non_null(decoded);
    read_packets(decoded, &packets);
    assert_int_equal(pclose(decoded), 0);
    assert_int_equal(unlink(path), 0);
    return packets;
}

void check_export(enum stint_export_format format, const struct stint_snapshot *snapshot,
                  struct stint_event_source *events, const char *file)
{
    assert_golden(export_as(format, snapshot, events), file);
}

struct capture packets_of(const struct stint_snapshot *snapshot, struct stint_event_source *events)
{
    struct capture trace = export_as(STINT_EXPORT_PERFETTO, snapshot, events);
    return perfetto_packets(&trace);
}
