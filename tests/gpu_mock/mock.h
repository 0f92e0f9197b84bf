/* A CUDA and a CUPTI without a GPU: shared objects with the real names, so that programs that open them do not notice.
 * The device computes nothing, but takes exactly as long as it is told to.
 *
 *     static const struct mock_kernel s_add = {"_Z3addPf", 1000};      // takes 1000 ns
 *     cudaLaunchKernel(&s_add, (struct mock_dim){1, 1, 1}, (struct mock_dim){32, 1, 1}, NULL, 0, NULL);
 *
 * CUPTI's subscriber is called as by the real libraries: for a call of the runtime, and for the driver's call within it
 * with the same correlation id; and there are records of what the device did. Contexts are created by the first call
 * that needs one. Both libraries shut down in exit handlers; the driver registers its own when it is first used.
 *
 * What the real libraries forbid, or would not survive, is written to stderr: "mock: misuse: ...". Then the test fails.
 *
 * The environment variable MOCK_CUPTI is a list "word=number,..." of what is to go wrong:
 *
 *     subscribe=R   cuptiSubscribe returns R
 *     enable=R      enabling kernel records returns R
 *     optional=R    enabling any other kind, and configuring unified memory, returns R
 *     drop=N        the first N records are dropped
 *     swap=1        each record changes places with the one before
 *     zero=N        the first N kernels have no times
 *     inverted=N    the N kernels after these end before they begin
 *     lose=N        there are no records of the N kernels after these
 *     inline=1      buffers are handed over by the thread that flushes; otherwise by a worker
 *     hang=1        flushing never returns
 *     crash=1       flushing faults
 *     fatal=N       after N records CUPTI ends itself, and reports that
 *     wrap=N        correlation ids run from 1 to N, then start over
 *     version=V     cuptiGetVersion reports V
 *     lost=N        after N kernels the device falls off the bus: calls return 999, and nothing is done any more
 *     module=R      cuModuleLoadData, the driver's, returns R
 *     slow=N        each call of CUPTI's subscriber takes N ns longer
 *
 * and of the range profiler (range.c):
 *
 *     unsupported=1                      the device is too old for it
 *     range_initialize=R                 cuptiProfilerInitialize returns R
 *     range_enable=R, range_config=R     enabling or configuring it returns R
 *     range_start=R, range_decode=R      each start, or each decoding, returns R
 *     range_stops=N                      the first N stops fail */
#ifndef STINT_TESTS_GPU_MOCK_H
#define STINT_TESTS_GPU_MOCK_H

#include <stddef.h>
#include <stdint.h>

#define MOCK_API __attribute__((visibility("default")))

/* A kernel; launching functions take its address. */
struct mock_kernel {
    const char *name;
    uint64_t ns;
};

#define MOCK_FOREVER UINT64_MAX /* for `ns`: it never ends */

struct mock_dim {
    unsigned x, y, z;
};

/* What a graph launches: its kernels, one after another. */
struct mock_graph {
    const struct mock_kernel *kernels;
    size_t count;
    uint64_t node; /* of the first kernel; the others follow; 0: those of a graph that nobody has seen being made */
};

struct mock_stream; /* NULL: the default stream */

/* CUDA's functions, of the runtime and the driver; they return 0 or an error. They only have the arguments that the
 * mock uses. */
MOCK_API int cudaMalloc(void **address, size_t bytes);
MOCK_API int cudaFree(void *address);
MOCK_API int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
MOCK_API int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct mock_stream *stream);
MOCK_API int cudaMemset(void *address, int value, size_t bytes);
MOCK_API int cudaLaunchKernel(const void *kernel, struct mock_dim grid, struct mock_dim block, void **arguments,
                              size_t shared, struct mock_stream *stream);
MOCK_API int cudaGraphLaunch(const struct mock_graph *graph, struct mock_stream *stream);
MOCK_API int cudaStreamCreate(struct mock_stream **stream);
MOCK_API int cudaStreamSynchronize(struct mock_stream *stream);
MOCK_API int cudaStreamBeginCapture(struct mock_stream *stream, int mode);               /* of all streams */
MOCK_API int cudaStreamEndCapture(struct mock_stream *stream, struct mock_graph *graph); /* until the next capture */
MOCK_API int cudaGraphInstantiate(struct mock_graph *copy, const struct mock_graph *graph);
MOCK_API int cudaGetDevice(int *device);                                /* makes no call of the driver */
MOCK_API int cudaFuncGetAttributes(int *registers, const void *kernel); /* calls cuKernelGetAttribute */
MOCK_API int cudaDeviceSynchronize(void);
MOCK_API int cudaDeviceReset(void);
MOCK_API int cudaProfilerStart(void);
MOCK_API int cudaProfilerStop(void);

MOCK_API int cuInit(unsigned flags);
MOCK_API int cuKernelGetAttribute(int *value, int attribute, const void *kernel, int device);
MOCK_API int cuCtxSynchronize(void);
MOCK_API int cuLaunchKernel(const void *kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared, struct mock_stream *stream,
                            void **arguments, void **extra);

enum { MOCK_DRIVER = 1, MOCK_RUNTIME = 2 }; /* CUPTI's callback domains */

/* Unified memory moves, or pages of it fault: enum stint_cupti_unified_memory. A byte, or a fault of the device, takes
 * a nanosecond. As of CUPTI, there are records only if they are enabled while there is a context. */
MOCK_API void mock_unified_memory(uint32_t counter, uint64_t address, uint64_t bytes);

/* Returns how often CUPTI's subscriber was called for MOCK_DRIVER or MOCK_RUNTIME; beginnings and ends of calls count
 * separately. */
MOCK_API long mock_told(int domain);

/* From now on, every call of CUPTI is misuse, as in a process that has crashed. */
MOCK_API void mock_cupti_forbid(void);

/* --------------------------------------------------------------------------------------- among the mock's libraries */

struct mock_call {
    int domain;
    uint32_t id;
    const char *function;
    const char *symbol;
    uint32_t correlation;
    uint64_t shared;
    const void *parameters; /* in CUPTI's structure for them; NULL: not provided */
    int result;
};

/* Something that a device did, or that happened to its memory. `kind` is enum stint_cupti_kind. */
struct mock_event {
    uint32_t kind;
    const char *name;
    uint64_t start;
    uint64_t end;
    uint32_t correlation;
    uint32_t stream;
    uint64_t bytes;
    uint32_t what; /* for copies: CUPTI's copy kind; for waits: their type; for memory: 1 allocation, 2 release */
    uint64_t address;
    struct mock_dim grid;
    struct mock_dim block;
    uint32_t shared;
    uint32_t graph;
    uint64_t graph_node;
};

/* The driver's callbacks for CUPTI. */
struct mock_tool {
    void (*enter)(struct mock_call *call);
    void (*leave)(struct mock_call *call);
    void (*happened)(const struct mock_event *event);
    void (*context)(int created);                   /* or is about to be destroyed */
    void (*node)(uint64_t node, uint64_t original); /* of a graph was made, and is a copy unless that is 0 */
};

MOCK_API void mock_attach(const struct mock_tool *tool); /* NULL: none */

/* Begins and ends a call; calls within a call have its correlation id. The first call creates the context. */
MOCK_API void mock_enter(struct mock_call *call, int domain, uint32_t id, const char *function, const char *symbol);
MOCK_API void mock_enter_with(struct mock_call *call, int domain, uint32_t id, const char *function,
                              const void *parameters);
MOCK_API int mock_leave(struct mock_call *call);
MOCK_API struct mock_stream *mock_new_stream(void);
MOCK_API uint32_t mock_stream_id(struct mock_stream *stream); /* as in CUPTI's records; NULL: the default stream */
MOCK_API int mock_has_context(void);

MOCK_API void mock_count_told(int domain);
MOCK_API int mock_cupti_is_forbidden(void);
MOCK_API void mock_misuse(const char *what);
MOCK_API long mock_option(const char *word);
MOCK_API uint64_t mock_now(void); /* CUPTI's clock: CLOCK_REALTIME, ns */

/* The driver's functions that the runtime calls. */
MOCK_API int cuMemAlloc_v2(void **address, size_t bytes);
MOCK_API int cuMemFree_v2(void *address);
MOCK_API int cuMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct mock_stream *stream);
MOCK_API int cuMemsetD8Async(void *address, int value, size_t bytes, struct mock_stream *stream);
MOCK_API int cuGraphLaunch(const struct mock_graph *graph, struct mock_stream *stream);
MOCK_API int cuStreamSynchronize(struct mock_stream *stream);
MOCK_API int cuMemGetInfo_v2(size_t *free_bytes, size_t *all_bytes);
MOCK_API int cuStreamBeginCapture_v2(struct mock_stream *stream, int mode);
MOCK_API int cuStreamEndCapture(struct mock_stream *stream, struct mock_graph *graph);
MOCK_API int cuGraphInstantiateWithFlags(struct mock_graph *copy, const struct mock_graph *graph);
MOCK_API int cuDevicePrimaryCtxReset_v2(int device);
MOCK_API int cuProfilerStart(void);
MOCK_API int cuProfilerStop(void);

/* The driver's functions that a tool may look up. */
MOCK_API int cuDriverGetVersion(int *version);
MOCK_API int cuDeviceGetCount(int *count);
MOCK_API int cuDeviceGetName(char *name, int size, int device);
MOCK_API int cuDeviceTotalMem_v2(size_t *bytes, int device);
MOCK_API int cuDeviceGetAttribute(int *value, int attribute, int device);
MOCK_API int cuDeviceGetPCIBusId(char *id, int size, int device);
MOCK_API int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active);
MOCK_API int cuDevicePrimaryCtxRetain(void **context, int device);
MOCK_API int cuDevicePrimaryCtxRelease_v2(int device);
MOCK_API int cuCtxGetCurrent(void **context);
MOCK_API int cuCtxPushCurrent_v2(void *context);
MOCK_API int cuCtxPopCurrent_v2(void **context);
MOCK_API int cuFuncGetAttribute(int *value, int attribute, const void *kernel);
MOCK_API int cuCtxGetDevice(int *device);

struct mock_cuda_event;

MOCK_API int cuEventCreate(struct mock_cuda_event **event, unsigned flags);
MOCK_API int cuEventRecord(struct mock_cuda_event *event, struct mock_stream *stream);
MOCK_API int cuEventElapsedTime(float *ms, const struct mock_cuda_event *begin, const struct mock_cuda_event *end);
MOCK_API int cuEventSynchronize(const struct mock_cuda_event *event);
MOCK_API int cuEventDestroy_v2(struct mock_cuda_event *event);
MOCK_API int cuModuleLoadData(const void **module, const char *text);
MOCK_API int cuModuleGetFunction(const void **function, const void *module, const char *name);
MOCK_API int cuModuleUnload(const void *module);
MOCK_API int cuMemsetD32_v2(const void *address, unsigned value, size_t count);
MOCK_API int cuStreamIsCapturing(struct mock_stream *stream, int *status);

#endif
