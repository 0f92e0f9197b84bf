/* Turns calls of cudaMalloc, cuMemFree and their like into allocations for the ledger, from the parameters that CUPTI's
 * callbacks show. A table says of each function which parameter holds the address and which the size. */
#include "gpu/allocation_calls.h"

#include <string.h>

#include "gpu/ledger.h"
#include "gpu/told_call.h"

enum bytes { PLAIN = 1, PITCH_BY_HEIGHT };

struct allocation_call {
    char name[24];
    uint8_t frees;
    uint8_t maps;  /* the address is given, not returned */
    uint8_t bytes; /* enum bytes: how to compute the size */
    uint8_t memory;
    uint8_t pool;
};

static const struct allocation_call s_calls[] = {
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

enum { CALLS = sizeof s_calls / sizeof s_calls[0] };

unsigned stint_allocation_call(const char *name)
{
    for (unsigned i = 0; i < CALLS; i++)
        if (stint_told_is(name, s_calls[i].name))
            return i + 1;
    return 0;
}

/* The value that the call returned through the pointer in the parameter with that number. */
static uint64_t returned_in(const void *parameters, size_t number)
{
    const void *at;
    memcpy(&at, (const char *)parameters + number * sizeof at, sizeof at);
    return at ? stint_told_word(at, 0) : 0;
}

static uint64_t bytes_of(const struct allocation_call *allocation, const void *parameters)
{
    if (allocation->bytes == PITCH_BY_HEIGHT)
        return returned_in(parameters, 1) * stint_told_word(parameters, 3);
    return allocation->bytes == PLAIN ? stint_told_word(parameters, 1) : 0;
}

void stint_allocation_note(unsigned number, const struct stint_cupti_call *call)
{
    static STINT_I_THREAD_LOCAL uint32_t tl_told __attribute__((tls_model("initial-exec")));
    const struct allocation_call *allocation = &s_calls[number - 1];
    if ((call->site == STINT_CUPTI_ENTER) != allocation->frees)
        return;
    if (!allocation->frees && *(const int *)call->result != 0)
        return;
    struct stint_allocation noted = {
        .freed = allocation->frees,
        .address = allocation->frees || allocation->maps ? stint_told_word(call->parameters, 0)
                                                         : returned_in(call->parameters, 0),
        .bytes = bytes_of(allocation, call->parameters),
        .kind = (enum stint_gpu_memory_kind)allocation->memory,
        .pool = allocation->pool,
    };
    if (noted.address == 0 || stint_told_again(&tl_told, call->correlation))
        return;
    if (!noted.freed)
        noted.device = stint_told_device();
    stint_ledger_lock();
    stint_ledger_allocate(&noted);
    stint_ledger_unlock();
}
