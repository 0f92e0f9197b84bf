/* The driver, libcuda.so.1, and the device. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gpu/cupti.h"
#include "gpu_mock/mock.h"

enum {
    NOT_INITIALIZED = 3,
    DEINITIALIZED = 4,
    UNKNOWN_ERROR = 999,
    ILLEGAL_STATE = 401,
    NOT_READY = 600,
    LAUNCH_NS = 500,
    STREAMS = 64,
    CAPTURED = 64, /* launches */
    FIRST_STREAM = 7
};

struct mock_stream {
    uint32_t id;
    uint64_t busy_until;
};

static struct {
    pthread_mutex_t lock;
    struct mock_stream streams[STREAMS]; /* [0] is the default stream */
    uint32_t stream_count;
    int initialized;
    int injecting; /* 1: in InitializeInjection */
    int context;   /* 1: the primary context exists */
    int over;      /* the exit handler has run */
    pid_t pid;     /* of the process that initialized it */
    uint32_t correlation;
    uint32_t graphs;
    int capturing; /* launches are not carried out */
    struct mock_kernel captured[CAPTURED];
    size_t captured_count;
    uint64_t nodes; /* of all graphs */
    uintptr_t next_address;
} s_driver = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .streams = {{FIRST_STREAM, 0}},
    .stream_count = 1,
    .next_address = 0x7f0000000000u,
};

static const struct mock_tool *s_tool;

static _Thread_local struct {
    int depth;
    uint32_t correlation;
} tl_calls;

/* ---------------------------------------------------------------------------------------------------------- helpers */

void mock_misuse(const char *what)
{
    static const char begin[] = "mock: misuse: ";
    if (write(STDERR_FILENO, begin, sizeof begin - 1) < 0 || write(STDERR_FILENO, what, strlen(what)) < 0 ||
        write(STDERR_FILENO, "\n", 1) < 0)
        abort();
}

static int s_forbidden;

void mock_cupti_forbid(void)
{
    __atomic_store_n(&s_forbidden, 1, __ATOMIC_RELAXED);
}

static long s_told[MOCK_RUNTIME + 1];

void mock_count_told(int domain)
{
    __atomic_add_fetch(&s_told[domain], 1, __ATOMIC_RELAXED);
}

long mock_told(int domain)
{
    return __atomic_load_n(&s_told[domain], __ATOMIC_RELAXED);
}

int mock_cupti_is_forbidden(void)
{
    return __atomic_load_n(&s_forbidden, __ATOMIC_RELAXED);
}

long mock_option(const char *word)
{
    const char *at = getenv("MOCK_CUPTI");
    const size_t length = strlen(word);
    while (at) {
        if (!strncmp(at, word, length) && at[length] == '=')
            return atol(at + length + 1);
        at = strchr(at, ',');
        at = at ? at + 1 : NULL;
    }
    return 0;
}

uint64_t mock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void lock(void)
{
    pthread_mutex_lock(&s_driver.lock);
}

static void unlock(void)
{
    pthread_mutex_unlock(&s_driver.lock);
}

static const struct mock_tool *tool(void)
{
    return __atomic_load_n(&s_tool, __ATOMIC_ACQUIRE);
}

void mock_attach(const struct mock_tool *attached)
{
    __atomic_store_n(&s_tool, attached, __ATOMIC_RELEASE);
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static uint32_t next_correlation(void)
{
    const long wrap = mock_option("wrap");
    const uint32_t number = __atomic_fetch_add(&s_driver.correlation, 1, __ATOMIC_RELAXED);
    return 1 + (wrap ? number % (uint32_t)wrap : number);
}

/* In a child made by fork, the real driver answers every call with an error; here, its locks may be held. */
static int is_forked(void)
{
    const pid_t pid = __atomic_load_n(&s_driver.pid, __ATOMIC_RELAXED);
    return pid && pid != getpid();
}

/* From here on the real driver answers every call with an error, and CUPTI's records are lost. */
static void shut_down(void)
{
    __atomic_store_n(&s_driver.over, 1, __ATOMIC_RELAXED);
}

static int is_over(void)
{
    return __atomic_load_n(&s_driver.over, __ATOMIC_RELAXED);
}

/* Like the real driver, this happens within the first cuInit; the injected library must not call cuInit again. */
static void inject(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path && *path ? dlopen(path, RTLD_NOW) : NULL;
    void *found = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*initialize)(void);
    if (path && *path && !found)
        mock_misuse("nothing to inject");
    memcpy(&initialize, &found, sizeof found);
    __atomic_store_n(&s_driver.injecting, 1, __ATOMIC_RELAXED);
    if (found && initialize() != 1)
        mock_misuse("the injected library failed");
    __atomic_store_n(&s_driver.injecting, 0, __ATOMIC_RELAXED);
}

static int be_first(void)
{
    lock();
    int first = !s_driver.initialized;
    s_driver.initialized = 1;
    unlock();
    return first;
}

int cuInit(unsigned flags)
{
    if (is_forked())
        return NOT_INITIALIZED;
    if (__atomic_load_n(&s_driver.injecting, __ATOMIC_RELAXED))
        mock_misuse("cuInit within InitializeInjection");
    if (be_first()) {
        __atomic_store_n(&s_driver.pid, getpid(), __ATOMIC_RELAXED);
        inject();
        (void)atexit(shut_down);
    }
    return is_over() ? DEINITIALIZED : 0;
}

static void need_context(void)
{
    if (cuInit(0))
        return;
    lock();
    int made = !mock_has_context();
    __atomic_store_n(&s_driver.context, 1, __ATOMIC_RELAXED);
    unlock();
    if (made && tool())
        tool()->context(1);
}

int mock_has_context(void)
{
    return __atomic_load_n(&s_driver.context, __ATOMIC_RELAXED);
}

static void enter(struct mock_call *call, const struct mock_call *what)
{
    if (!tl_calls.depth++) {
        need_context();
        tl_calls.correlation = next_correlation();
    }
    *call = *what;
    call->correlation = tl_calls.correlation;
    call->result = is_over() ? DEINITIALIZED : 0;
    if (tool())
        tool()->enter(call);
}

void mock_enter(struct mock_call *call, int domain, uint32_t id, const char *function, const char *symbol)
{
    enter(call, &(struct mock_call){.domain = domain, .id = id, .function = function, .symbol = symbol});
}

void mock_enter_with(struct mock_call *call, int domain, uint32_t id, const char *function, const void *parameters)
{
    enter(call, &(struct mock_call){.domain = domain, .id = id, .function = function, .parameters = parameters});
}

/* Counts a kernel. After lost=N of them the device falls off the bus. */
static int is_lost(unsigned kernels)
{
    static unsigned s_kernels;
    const long most = mock_option("lost");
    return __atomic_add_fetch(&s_kernels, kernels, __ATOMIC_RELAXED) > most && most;
}

int mock_leave(struct mock_call *call)
{
    if (!call->result && is_lost(0))
        call->result = UNKNOWN_ERROR;
    if (tool())
        tool()->leave(call);
    --tl_calls.depth;
    return call->result;
}

/* ----------------------------------------------------------------------------------------------------------- device */

static struct mock_stream *or_default(struct mock_stream *stream)
{
    return stream ? stream : &s_driver.streams[0];
}

uint32_t mock_stream_id(struct mock_stream *stream)
{
    return or_default(stream)->id;
}

struct mock_stream *mock_new_stream(void)
{
    lock();
    if (s_driver.stream_count == STREAMS)
        abort();
    struct mock_stream *stream = &s_driver.streams[s_driver.stream_count];
    stream->id = FIRST_STREAM + s_driver.stream_count++;
    unlock();
    return stream;
}

/* Makes the stream busy for `ns` after its current work. */
static void occupy(struct mock_stream *stream, uint64_t ns, struct mock_event *event)
{
    const uint64_t soon = mock_now() + LAUNCH_NS;
    if (is_forked())
        return;
    stream = or_default(stream);
    lock();
    event->start = stream->busy_until > soon ? stream->busy_until : soon;
    event->end = ns == MOCK_FOREVER || event->start == MOCK_FOREVER ? MOCK_FOREVER : event->start + ns;
    stream->busy_until = event->end;
    unlock();
    event->stream = stream->id;
    event->correlation = tl_calls.correlation;
    if (tool() && !is_over() && !is_lost(event->kind == STINT_CUPTI_KIND_CONCURRENT_KERNEL))
        tool()->happened(event);
}

static uint64_t busy_until(const struct mock_stream *stream)
{
    uint64_t until = 0;
    lock();
    for (uint32_t i = 0; i < s_driver.stream_count; ++i)
        if ((!stream || stream == &s_driver.streams[i]) && s_driver.streams[i].busy_until > until)
            until = s_driver.streams[i].busy_until;
    unlock();
    return until;
}

static void sleep_until(uint64_t until)
{
    struct timespec time = {(time_t)(until / 1000000000u), (long)(until % 1000000000u)};
    if (until == MOCK_FOREVER)
        for (;;)
            pause();
    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL))
        ;
}

/* Waits for a stream; NULL: for all. */
static void wait_for(const struct mock_stream *stream)
{
    if (!is_forked())
        sleep_until(busy_until(stream));
}

/* ------------------------------------------------------------------------------------------------- the driver's API */

static uint64_t new_node(uint64_t original)
{
    uint64_t node = UINT64_C(1) << 40 | __atomic_add_fetch(&s_driver.nodes, 1, __ATOMIC_RELAXED);
    if (s_tool)
        s_tool->node(node, original);
    return node;
}

static void capture(const struct mock_kernel *kernel)
{
    if (s_driver.captured_count == CAPTURED)
        mock_misuse("more launches are captured than the mock has room for");
    s_driver.captured[s_driver.captured_count++] = *kernel;
    (void)new_node(0);
}

static void launch(const struct mock_kernel *kernel, const struct mock_event *shape, struct mock_stream *stream)
{
    struct mock_event event = *shape;
    if (__atomic_load_n(&s_driver.capturing, __ATOMIC_RELAXED)) {
        capture(kernel);
        return;
    }
    event.kind = STINT_CUPTI_KIND_CONCURRENT_KERNEL;
    event.name = kernel->name;
    occupy(stream, kernel->ns, &event);
}

int cuLaunchKernel(const void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, struct mock_stream *stream, void **arguments,
                   void **extra)
{
    const struct mock_event shape = {
        .grid = {grid_x, grid_y, grid_z}, .block = {block_x, block_y, block_z}, .shared = shared};
    const struct {
        const void *kernel;
        unsigned grid[3], block[3], shared;
    } parameters = {kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    struct mock_call call;

    enter(&call, &(struct mock_call){.domain = MOCK_DRIVER,
                                     .id = 307,
                                     .function = "cuLaunchKernel",
                                     .symbol = ((const struct mock_kernel *)kernel)->name,
                                     .parameters = &parameters});
    launch(kernel, &shape, stream);
    return mock_leave(&call);
}

int cuGraphLaunch(const struct mock_graph *graph, struct mock_stream *stream)
{
    struct mock_event shape = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 514, "cuGraphLaunch", NULL);
    shape.graph = 1 + __atomic_fetch_add(&s_driver.graphs, 1, __ATOMIC_RELAXED) % 4;
    for (size_t i = 0; i < graph->count; ++i) {
        shape.graph_node = graph->node ? graph->node + i : (uint64_t)shape.graph << 32 | i;
        launch(&graph->kernels[i], &shape, stream);
    }
    return mock_leave(&call);
}

int cuMemAlloc_v2(void **address, size_t bytes)
{
    const struct {
        void **address;
        size_t bytes;
    } parameters = {address, bytes};
    struct mock_call call;

    mock_enter_with(&call, MOCK_DRIVER, 243, "cuMemAlloc_v2", &parameters);
    uint64_t next = __atomic_fetch_add(&s_driver.next_address, (bytes + 4095) / 4096 * 4096, __ATOMIC_RELAXED);
    memcpy(address, &next, sizeof *address);
    return mock_leave(&call);
}

int cuMemFree_v2(void *address)
{
    struct mock_call call;
    mock_enter_with(&call, MOCK_DRIVER, 245, "cuMemFree_v2", &address);
    return mock_leave(&call);
}

/* A byte takes a nanosecond. `kind` is the runtime's enumerator: 1 HtoD, 2 DtoH, 3 DtoD (8 for CUPTI). */
int cuMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct mock_stream *stream)
{
    struct mock_event event = {
        .kind = STINT_CUPTI_KIND_MEMCPY, .bytes = bytes, .what = kind == 3 ? 8u : (uint32_t)kind};
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 306, "cuMemcpyAsync", NULL);
    occupy(stream, bytes, &event);
    return mock_leave(&call);
}

int cuMemsetD8Async(void *address, int value, size_t bytes, struct mock_stream *stream)
{
    struct mock_event event = {.kind = STINT_CUPTI_KIND_MEMSET, .bytes = bytes, .what = (uint32_t)value};
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 216, "cuMemsetD8Async", NULL);
    occupy(stream, bytes, &event);
    return mock_leave(&call);
}

void mock_unified_memory(uint32_t counter, uint64_t address, uint64_t bytes)
{
    struct mock_event event = {
        .kind = STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER, .what = counter, .address = address, .bytes = bytes};
    occupy(NULL, bytes, &event);
}

/* A device whose memory nobody uses, unless MOCK_CUPTI=used_gb=N says so. */
int cuMemGetInfo_v2(size_t *free_bytes, size_t *all_bytes)
{
    const size_t used = (size_t)mock_option("used_gb") << 30;
    *free_bytes = (size_t)1 << 30;
    *all_bytes = used + *free_bytes;
    return 0;
}

int cuStreamBeginCapture_v2(struct mock_stream *stream, int mode)
{
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 539, "cuStreamBeginCapture_v2", NULL);
    s_driver.captured_count = 0;
    if (__atomic_exchange_n(&s_driver.capturing, 1, __ATOMIC_RELAXED))
        call.result = ILLEGAL_STATE;
    return mock_leave(&call);
}

int cuStreamEndCapture(struct mock_stream *stream, struct mock_graph *graph)
{
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 497, "cuStreamEndCapture", NULL);
    if (!__atomic_exchange_n(&s_driver.capturing, 0, __ATOMIC_RELAXED))
        call.result = ILLEGAL_STATE;
    if (graph)
        *graph = (struct mock_graph){s_driver.captured, s_driver.captured_count,
                                     (UINT64_C(1) << 40 | s_driver.nodes) + 1 - s_driver.captured_count};
    return mock_leave(&call);
}

/* As CUDA does, it makes nodes, and then says what they are copies of. */
int cuGraphInstantiateWithFlags(struct mock_graph *copy, const struct mock_graph *graph)
{
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 513, "cuGraphInstantiateWithFlags", NULL);
    *copy = *graph;
    copy->node = new_node(0);
    for (size_t i = 1; i < graph->count; ++i)
        (void)new_node(0);
    for (size_t i = 0; s_tool && i < graph->count; ++i)
        s_tool->node(copy->node + i, graph->node + i);
    return mock_leave(&call);
}

int cuStreamSynchronize(struct mock_stream *stream)
{
    struct mock_call call;
    mock_enter_with(&call, MOCK_DRIVER, 126, "cuStreamSynchronize", &stream);
    wait_for(or_default(stream));
    return mock_leave(&call);
}

int cuCtxSynchronize(void)
{
    struct mock_call call;
    if (is_over())
        return DEINITIALIZED;
    if (!mock_has_context())
        return 201; /* no context: the real function does not create one, either */
    mock_enter(&call, MOCK_DRIVER, 17, "cuCtxSynchronize", NULL);
    wait_for(NULL);
    return mock_leave(&call);
}

/* Destroys the context; launched work ends first. */
int cuProfilerStart(void)
{
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 311, "cuProfilerStart", NULL);
    return mock_leave(&call);
}

int cuProfilerStop(void)
{
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 312, "cuProfilerStop", NULL);
    return mock_leave(&call);
}

int cuDevicePrimaryCtxReset_v2(int device)
{
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 545, "cuDevicePrimaryCtxReset_v2", NULL);
    sleep_until(busy_until(NULL));
    if (tool())
        tool()->context(0);
    __atomic_store_n(&s_driver.context, 0, __ATOMIC_RELAXED);
    return mock_leave(&call);
}

int cuDriverGetVersion(int *version)
{
    *version = 13000;
    return 0;
}

int cuDeviceGetCount(int *count)
{
    *count = 1;
    return is_over() ? DEINITIALIZED : 0;
}

int cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, "Mock GPU");
    return is_over() ? DEINITIALIZED : 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    *bytes = 1 << 30;
    return is_over() ? DEINITIALIZED : 0;
}

/* The memory clock is 1 GHz, the bus has 256 bits, the L2 cache 4 MB; every other attribute is its own number. */
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 36 ? 1000000 : attribute == 37 ? 256 : attribute == 38 ? 4 << 20 : attribute;
    return is_over() ? DEINITIALIZED : 0;
}

int cuDeviceGetPCIBusId(char *id, int size, int device)
{
    snprintf(id, (size_t)size, "FFFF:00:1F.0");
    return is_over() ? DEINITIALIZED : 0;
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    *flags = 0;
    *active = mock_has_context();
    return is_over() ? DEINITIALIZED : 0;
}

/* There is one context, shared by all threads. */
int cuDevicePrimaryCtxRetain(void **context, int device)
{
    *context = &s_driver;
    return is_over() ? DEINITIALIZED : 0;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    return is_over() ? DEINITIALIZED : 0;
}

int cuCtxGetCurrent(void **context)
{
    *context = mock_has_context() ? &s_driver : NULL;
    return is_over() ? DEINITIALIZED : 0;
}

int cuCtxPushCurrent_v2(void *context)
{
    return is_over() ? DEINITIALIZED : 0;
}

int cuCtxPopCurrent_v2(void **context)
{
    return cuCtxGetCurrent(context);
}

/* --------------------------------------------------------------------------------------- events, for who times them */

struct mock_cuda_event {
    uint64_t ns;
};

/* Every kernel has 40 registers and 1 KB of shared memory. */
int cuFuncGetAttribute(int *value, int attribute, const void *kernel)
{
    *value = attribute == 4 ? 40 : attribute == 1 ? 1024 : 0;
    return is_over() ? DEINITIALIZED : 0;
}

int cuKernelGetAttribute(int *value, int attribute, const void *kernel, int device)
{
    struct mock_call call;
    mock_enter(&call, MOCK_DRIVER, 686, "cuKernelGetAttribute", NULL);
    call.result = cuFuncGetAttribute(value, attribute, kernel);
    return mock_leave(&call);
}

int cuCtxGetDevice(int *device)
{
    struct mock_call call;
    *device = 0;
    mock_enter(&call, MOCK_DRIVER, 16, "cuCtxGetDevice", NULL);
    return mock_leave(&call);
}

int cuEventCreate(struct mock_cuda_event **event, unsigned flags)
{
    *event = calloc(1, sizeof **event);
    return *event ? 0 : 2;
}

int cuEventRecord(struct mock_cuda_event *event, struct mock_stream *stream)
{
    const uint64_t until = busy_until(or_default(stream));
    const uint64_t now = mock_now();
    event->ns = until > now ? until : now;
    return is_over() ? DEINITIALIZED : 0;
}

int cuEventElapsedTime(float *ms, const struct mock_cuda_event *begin, const struct mock_cuda_event *end)
{
    if (is_over())
        return DEINITIALIZED;
    if (end->ns > mock_now())
        return NOT_READY;
    *ms = (float)(end->ns - begin->ns) / 1e6F;
    return 0;
}

int cuEventSynchronize(const struct mock_cuda_event *event)
{
    sleep_until(event->ns);
    return is_over() ? DEINITIALIZED : 0;
}

int cuEventDestroy_v2(struct mock_cuda_event *event)
{
    free(event);
    return is_over() ? DEINITIALIZED : 0;
}

/* --------------------------------------------------------------------------------- kernels that come as text in PTX */

static const struct mock_kernel s_work = {"work", 2000000}, s_empty = {"empty", 1};

int cuModuleLoadData(const void **module, const char *text)
{
    *module = strstr(text, ".entry empty(") ? &s_empty : &s_work;
    if (strncmp(text, ".version ", 9) != 0 || strcmp(text + strlen(text) - 7, "ret;\n}\n") != 0)
        mock_misuse("a module is no PTX, or not whole");
    return (int)mock_option("module");
}

int cuModuleGetFunction(const void **function, const void *module, const char *name)
{
    *function = module;
    return strcmp(name, ((const struct mock_kernel *)module)->name) == 0 ? 0 : 500; /* not found */
}

int cuModuleUnload(const void *module)
{
    return module == &s_work || module == &s_empty ? 0 : 1;
}

int cuMemsetD32_v2(const void *address, unsigned value, size_t count)
{
    return cuMemsetD8Async((void *)(uintptr_t)address, (int)value, count / 1000000, NULL);
}

int cuStreamIsCapturing(struct mock_stream *stream, int *status)
{
    *status = 0;
    return 0;
}
