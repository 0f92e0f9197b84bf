/* Turns calls of cudaMalloc, cuMemFree and their like into allocations for the ledger, and calls that wait for a
 * device, a stream or an event into waits, from the names and parameters that CUPTI's callbacks show. Tables say which
 * functions these are, and which parameter holds what. */
#include "gpu/callback.h"

#include <string.h>

#include "gpu/activity_table.h"

/* ----------------------------------------------------------------------------------------------------- what is told */

/* What CUPTI's callbacks tell about a call, for those that look at its parameters. In CUPTI's parameter structures each
 * parameter of the calls that matter here takes one word, so its position is its number. */

/* Whether a name as cuptiGetCallbackName spells it is that of `call`: it may be followed by "_ptsz" (per-thread default
 * stream), and then by a version, "_v2", or for runtime calls any. */
static int is_call(const char *name, const char *call)
{
    size_t length = strlen(call);
    if (strncmp(name, call, length) != 0)
        return 0;
    name += length;
    if (strncmp(name, "_ptsz", 5) == 0)
        name += 5;
    return *name == '\0' || (strncmp(call, "cuda", 4) == 0 && strncmp(name, "_v", 2) == 0) || strcmp(name, "_v2") == 0;
}

/* The parameter with that number. */
static uint64_t parameter(const void *parameters, size_t number)
{
    uint64_t word;
    memcpy(&word, (const char *)parameters + number * sizeof word, sizeof word);
    return word;
}

/* The device of the current context, which is also the call's; 0 if there is none. */
static uint32_t current_device(void)
{
    const struct stint_driver *driver = stint_driver_find();
    int device = 0;
    stint_driver_own++;
    if (!driver || driver->device(&device) || device < 0)
        device = 0;
    stint_driver_own--;
    return (uint32_t)device;
}

/* Whether a call was told before: a call of the runtime and the driver's call within it are both told, with the same
 * correlation id, and the latter ends first. `last` is the thread's, 0 at first. */
static int was_told(uint32_t *last, uint32_t correlation)
{
    int again = correlation == *last;
    *last = correlation;
    return again;
}

/* ------------------------------------------------------------------------------------------------------ allocations */

enum bytes { PLAIN = 1, PITCH_BY_HEIGHT };

struct allocation_call {
    char name[24];
    uint8_t frees;
    uint8_t maps;  /* the address is given, not returned */
    uint8_t bytes; /* enum bytes: how to compute the size */
    uint8_t memory;
    uint8_t pool;
};

static const struct allocation_call s_allocations[] = {
    {"cuMemAlloc_v2", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_DEVICE},
    {"cuMemAllocPitch_v2", .bytes = PITCH_BY_HEIGHT, .memory = STINT_GPU_MEMORY_DEVICE},
    {"cuMemAllocManaged", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_MANAGED},
    {"cuMemAllocHost_v2", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_PINNED},
    {"cuMemHostAlloc", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_PINNED},
    {"cuMemAllocAsync", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_DEVICE, .pool = 1},
    {"cuMemAllocFromPoolAsync", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_DEVICE, .pool = 1},
    {"cuMemMap", .maps = 1, .bytes = PLAIN, .memory = STINT_GPU_MEMORY_DEVICE},
    {"cuMemFree_v2", .frees = 1},
    {"cuMemFreeHost", .frees = 1},
    {"cuMemFreeAsync", .frees = 1},
    {"cuMemUnmap", .frees = 1, .bytes = PLAIN},
    {"cudaMalloc", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_DEVICE},
    {"cudaMallocPitch", .bytes = PITCH_BY_HEIGHT, .memory = STINT_GPU_MEMORY_DEVICE},
    {"cudaMallocManaged", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_MANAGED},
    {"cudaMallocHost", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_PINNED},
    {"cudaHostAlloc", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_PINNED},
    {"cudaMallocAsync", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_DEVICE, .pool = 1},
    {"cudaMallocFromPoolAsync", .bytes = PLAIN, .memory = STINT_GPU_MEMORY_DEVICE, .pool = 1},
    {"cudaFree", .frees = 1},
    {"cudaFreeHost", .frees = 1},
    {"cudaFreeAsync", .frees = 1},
};

enum { ALLOCATIONS = sizeof s_allocations / sizeof s_allocations[0] };

unsigned stint_allocation_call(const char *name)
{
    for (unsigned i = 0; i < ALLOCATIONS; i++)
        if (is_call(name, s_allocations[i].name))
            return i + 1;
    return 0;
}

/* The value that the call returned through the pointer in the parameter with that number. */
static uint64_t returned_in(const void *parameters, size_t number)
{
    const void *at;
    memcpy(&at, (const char *)parameters + number * sizeof at, sizeof at);
    return at ? parameter(at, 0) : 0;
}

static uint64_t bytes_of(const struct allocation_call *allocation, const void *parameters)
{
    if (allocation->bytes == PITCH_BY_HEIGHT)
        return returned_in(parameters, 1) * parameter(parameters, 3);
    return allocation->bytes == PLAIN ? parameter(parameters, 1) : 0;
}

void stint_allocation_note(unsigned number, const struct stint_cupti_call *call)
{
    static STINT_I_THREAD_LOCAL uint32_t tl_told __attribute__((tls_model("initial-exec")));
    const struct allocation_call *allocation = &s_allocations[number - 1];
    if ((call->site == STINT_CUPTI_ENTER) != allocation->frees)
        return;
    if (!allocation->frees && *(const int *)call->result != 0)
        return;
    struct stint_allocation noted = {
        .freed = allocation->frees,
        .address =
            allocation->frees || allocation->maps ? parameter(call->parameters, 0) : returned_in(call->parameters, 0),
        .bytes = bytes_of(allocation, call->parameters),
        .kind = (enum stint_gpu_memory_kind)allocation->memory,
        .pool = allocation->pool,
    };
    if (noted.address == 0 || was_told(&tl_told, call->correlation))
        return;
    if (!noted.freed)
        noted.device = current_device();
    stint_ledger_lock();
    stint_ledger_allocate(&noted);
    stint_ledger_unlock();
}

/* ------------------------------------------------------------------------------------------------------------ waits */

static const struct wait_call {
    char name[24];
    uint8_t wait;      /* enum stint_gpu_wait */
    uint8_t on_stream; /* the first parameter is a stream */
} s_waits[] = {
    {"cuStreamSynchronize", STINT_GPU_WAIT_STREAM, 1},       {"cuEventSynchronize", STINT_GPU_WAIT_EVENT, 0},
    {"cuCtxSynchronize", STINT_GPU_WAIT_CONTEXT, 0},         {"cuStreamWaitEvent", STINT_GPU_WAIT_STREAM_EVENT, 1},
    {"cudaStreamSynchronize", STINT_GPU_WAIT_STREAM, 1},     {"cudaEventSynchronize", STINT_GPU_WAIT_EVENT, 0},
    {"cudaDeviceSynchronize", STINT_GPU_WAIT_CONTEXT, 0},    {"cudaThreadSynchronize", STINT_GPU_WAIT_CONTEXT, 0},
    {"cudaStreamWaitEvent", STINT_GPU_WAIT_STREAM_EVENT, 1},
};

enum { WAITS = sizeof s_waits / sizeof s_waits[0] };

static const struct wait_call *wait_called(const char *name)
{
    for (int i = 0; i < WAITS; i++)
        if (is_call(name, s_waits[i].name))
            return &s_waits[i];
    return NULL;
}

int stint_wait_call(const char *name)
{
    return wait_called(name) != NULL;
}

/* As records of work name it; the driver numbers streams differently. For calls whose names end in "_ptsz", no stream
 * is the thread's own. */
static uint32_t stream_of(const struct stint_cupti *cupti, const struct stint_cupti_call *call)
{
    void *stream;
    uint32_t id = 0;
    memcpy(&stream, call->parameters, sizeof stream);
    if (!cupti->get_stream_id || cupti->get_stream_id(NULL, stream, strstr(call->function, "_ptsz") != NULL, &id))
        return 0;
    return id;
}

static void note_wait(const struct stint_cupti *cupti, const struct wait_call *wait, uint64_t end,
                      const struct stint_cupti_call *call)
{
    struct stint_activity activity = {
        .kind = STINT_GPU_SYNC,
        .what = wait->wait,
        .start = *call->shared,
        .end = end,
        .correlation = call->correlation,
        .device = current_device(),
        .context = call->context_id,
        .stream = wait->on_stream ? stream_of(cupti, call) : 0,
    };
    stint_ledger_lock();
    stint_ledger_add(&activity);
    stint_ledger_unlock();
}

void stint_wait_note(const struct stint_cupti *cupti, const struct stint_cupti_call *call)
{
    static STINT_I_THREAD_LOCAL uint32_t tl_told __attribute__((tls_model("initial-exec")));
    uint64_t now = 0;
    if (cupti->get_timestamp(&now))
        now = 0;
    if (call->site == STINT_CUPTI_ENTER) {
        *call->shared = now;
        return;
    }
    const struct wait_call *wait = wait_called(call->function);
    if (wait && *call->shared && !was_told(&tl_told, call->correlation))
        note_wait(cupti, wait, now, call);
}
