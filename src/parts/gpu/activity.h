/* Something that a GPU did, or that concerns a GPU: the content of CUPTI's records, whatever their version. This header
 * does not depend on CUPTI. */
#ifndef STINT_GPU_ACTIVITY_H
#define STINT_GPU_ACTIVITY_H

#include <stdint.h>

#include "stint/gpu_stats.h"

struct stint_activity {
    enum stint_gpu_kind kind;
    /* Kernels: the mangled name, not NULL, valid during the call. Spans: the scope's name. Others: NULL; their names
     * follow from kind and what. */
    const char *name;
    uint32_t what;  /* copies, unified memory: enum stint_gpu_direction; syncs: enum stint_gpu_wait; faults: enum
                       stint_gpu_fault; overhead: enum stint_overhead */
    uint64_t start; /* ns of CUPTI's clock; both 0: not collected */
    uint64_t end;
    uint32_t correlation; /* of the launching call; 0: none */
    uint32_t path;        /* of the launching scope, if it is known without a correlation; else 0 */
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    uint64_t bytes;
    uint64_t address; /* of unified memory that moved or faulted; else 0 */
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t registers;
    uint32_t static_shared;
    uint32_t dynamic_shared;
    uint32_t graph;
    uint64_t graph_node;
    enum stint_gpu_memory_kind source;
    enum stint_gpu_memory_kind destination;
    int peer;
    uint32_t peer_device;
    uint32_t peer_context;
};

static inline enum stint_gpu_direction stint_activity_direction(enum stint_gpu_kind kind, uint32_t what)
{
    int has_direction = kind == STINT_GPU_COPY || kind == STINT_GPU_UNIFIED;
    return has_direction && what <= STINT_GPU_PTOP ? (enum stint_gpu_direction)what : STINT_GPU_DIRECTION_UNKNOWN;
}

static inline enum stint_gpu_wait stint_activity_wait(enum stint_gpu_kind kind, uint32_t what)
{
    int is_known = kind == STINT_GPU_SYNC && what <= STINT_GPU_WAIT_CONTEXT;
    return is_known ? (enum stint_gpu_wait)what : STINT_GPU_WAIT_UNKNOWN;
}

/* stint's own numbering: CUpti_ActivityOverheadKind has values in two ranges. */
enum stint_overhead {
    STINT_OVERHEAD_UNKNOWN,
    STINT_OVERHEAD_COMPILER,
    STINT_OVERHEAD_BUFFER_FLUSH,
    STINT_OVERHEAD_INSTRUMENTATION,
    STINT_OVERHEAD_RESOURCE,
    STINT_OVERHEAD_RUNTIME_LOADING,
    STINT_OVERHEAD_LAZY_LOADING,
    STINT_OVERHEAD_BUFFER_REQUEST,
    STINT_OVERHEAD_INITIALIZATION,
    STINT_OVERHEAD_COMMAND_BUFFER_FULL /* a call waited for room in the queue to the device */
};

/* The start of an allocation (bytes at address), or its end. */
struct stint_allocation {
    int freed;
    uint64_t address;
    uint64_t bytes;
    uint32_t device;
    enum stint_gpu_memory_kind kind;
    int pool; /* stream-ordered */
};

#endif
