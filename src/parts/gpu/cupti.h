/* The part of CUPTI that stint uses, declared here so that stint is built without a CUDA toolkit and works with any
 * CUPTI from 11.0 to 13, by API version (struct stint_cupti). Record structures end with the last field that is read;
 * gpu/decode.c knows which versions have which fields. tests/compile/cupti_abi.c compares all of it with NVIDIA's
 * headers where they are installed.
 *
 * CUPTI's enumerations have the size of an int; those to which every release adds values are plain numbers here. */
#ifndef STINT_GPU_CUPTI_H
#define STINT_GPU_CUPTI_H

#include <stddef.h>
#include <stdint.h>

#include "model/cupti_library.h"

/* Kinds of records (CUpti_ActivityKind). */
enum stint_cupti_kind {
    STINT_CUPTI_KIND_MEMCPY = 1,
    STINT_CUPTI_KIND_MEMSET = 2,
    STINT_CUPTI_KIND_KERNEL = 3, /* serializes kernels; has the same record as CONCURRENT_KERNEL */
    STINT_CUPTI_KIND_DRIVER = 4,
    STINT_CUPTI_KIND_RUNTIME = 5,
    STINT_CUPTI_KIND_DEVICE = 8,
    STINT_CUPTI_KIND_CONTEXT = 9,
    STINT_CUPTI_KIND_CONCURRENT_KERNEL = 10,
    STINT_CUPTI_KIND_OVERHEAD = 17,
    STINT_CUPTI_KIND_MEMCPY2 = 22, /* from one device to another */
    STINT_CUPTI_KIND_UNIFIED_MEMORY_COUNTER = 25,
    STINT_CUPTI_KIND_STREAM = 37,
    STINT_CUPTI_KIND_SYNCHRONIZATION = 38,
    STINT_CUPTI_KIND_INTERNAL_LAUNCH_API = 48
};

/* For activity_set_attribute (CUpti_ActivityAttribute); the values are size_t, unless noted. */
enum stint_cupti_attribute {
    STINT_CUPTI_ATTR_DEVICE_BUFFER_SIZE = 0,
    STINT_CUPTI_ATTR_DEVICE_BUFFER_POOL_LIMIT = 2,
    STINT_CUPTI_ATTR_PROFILING_SEMAPHORE_POOL_SIZE = 3,
    STINT_CUPTI_ATTR_PROFILING_SEMAPHORE_POOL_LIMIT = 4,
    STINT_CUPTI_ATTR_ZEROED_OUT_ACTIVITY_BUFFER = 5, /* uint8_t */
    STINT_CUPTI_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE = 6,
    STINT_CUPTI_ATTR_PROFILING_SEMAPHORE_PRE_ALLOCATE_VALUE = 7,
    STINT_CUPTI_ATTR_MEM_ALLOCATION_TYPE_HOST_PINNED = 8, /* uint8_t */
    STINT_CUPTI_ATTR_PER_THREAD_ACTIVITY_BUFFER = 9       /* uint8_t; since 12.3; 1 by default since 13.0 */
};

/* For activity_flush_all (CUpti_ActivityFlag): also hands over buffers that are not full, and unfinished records. */
enum { STINT_CUPTI_FLUSH_FORCED = 1 };

/* Callbacks. */
enum stint_cupti_domain {
    STINT_CUPTI_DOMAIN_DRIVER = 1,
    STINT_CUPTI_DOMAIN_RUNTIME = 2,
    STINT_CUPTI_DOMAIN_RESOURCE = 3,
    STINT_CUPTI_DOMAIN_SYNCHRONIZE = 4,
    STINT_CUPTI_DOMAIN_NVTX = 5,
    STINT_CUPTI_DOMAIN_STATE = 6
};

enum stint_cupti_site { STINT_CUPTI_ENTER = 0, STINT_CUPTI_EXIT = 1 };

/* Of the domain RESOURCE; the callback's data is struct stint_cupti_resource. */
enum stint_cupti_resource_id {
    STINT_CUPTI_CONTEXT_CREATED = 1,
    STINT_CUPTI_CONTEXT_DESTROY_STARTING = 2,
    STINT_CUPTI_STREAM_CREATED = 3,
    STINT_CUPTI_STREAM_DESTROY_STARTING = 4,
    STINT_CUPTI_GRAPH_NODE_CREATED = 13, /* the descriptor of this and the next: struct stint_cupti_graph */
    STINT_CUPTI_GRAPH_NODE_CLONED = 20
};

/* Of the domain STATE; the callback's data is struct stint_cupti_state. */
enum stint_cupti_state_id { STINT_CUPTI_STATE_FATAL_ERROR = 1 }; /* CUPTI has finalized itself */

/* The data that a callback of the domains DRIVER and RUNTIME receives (CUpti_CallbackData). The function's name lives
 * until the process ends; the kernel's, if there is one, is its symbol name in the object file. */
struct stint_cupti_call {
    uint32_t site;
    const char *function;
    const void *parameters;
    void *result; /* on exit: points to an int, 0 if the call succeeded */
    const char *symbol;
    void *context;
    uint32_t context_id;
    uint64_t *shared; /* preserved from a call's entry to its exit */
    uint32_t correlation;
};

struct stint_cupti_resource {
    void *context;
    void *stream;
    void *descriptor;
};

/* The first members of CUpti_GraphData. */
struct stint_cupti_graph {
    void *graph;
    void *original_graph;
    void *node;
    void *original_node; /* that it is a clone of */
};

struct stint_cupti_state {
    int result;
    const char *message; /* or NULL */
};

/* For subscribe_v2 (CUpti_SubscriberParams). */
struct stint_cupti_subscription {
    size_t size;       /* of this structure */
    const char *name;  /* at most 53 bytes */
    char *other_name;  /* receives the name of the current subscriber, if that is why the call failed */
    size_t other_size; /* of that buffer: 64 at least */
};

/* For activity_configure_unified_memory_counter. */
struct stint_cupti_unified_memory_config {
    uint32_t scope;   /* enum stint_cupti_unified_memory_scope */
    uint32_t counter; /* enum stint_cupti_unified_memory */
    uint32_t device;
    uint32_t enable;
};

enum stint_cupti_unified_memory_scope { STINT_CUPTI_UM_ONE_DEVICE = 1, STINT_CUPTI_UM_ALL_DEVICES = 2 };

enum stint_cupti_unified_memory {
    STINT_CUPTI_UM_HTOD = 1, /* value: bytes */
    STINT_CUPTI_UM_DTOH = 2,
    STINT_CUPTI_UM_CPU_PAGE_FAULT = 3, /* one fault; value: where in the program */
    STINT_CUPTI_UM_GPU_PAGE_FAULT = 4, /* value: number of faults */
    STINT_CUPTI_UM_THRASHING = 5,
    STINT_CUPTI_UM_THROTTLING = 6,
    STINT_CUPTI_UM_REMOTE_MAP = 7,
    STINT_CUPTI_UM_DTOD = 8
};

#define STINT_CUPTI_CPU 0xffffffffU /* a device id in unified memory's records */

/* Records, by kind. */

/* The header of every record. Records are aligned to 8 bytes. */
struct stint_cupti_record {
    uint32_t kind;
};

/* KERNEL, CONCURRENT_KERNEL: CUpti_ActivityKernel4 to 10. */
struct stint_cupti_kernel {
    uint32_t kind;
    uint8_t cache_config;
    uint8_t shared_memory_config;
    uint16_t registers;
    uint32_t global_cache_requested;
    uint32_t global_cache_executed;
    uint64_t start;
    uint64_t end;
    uint64_t completed;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    int32_t grid[3];
    int32_t block[3];
    int32_t static_shared;
    int32_t dynamic_shared;
    uint32_t local_per_thread;
    uint32_t local_total;
    uint32_t correlation;
    int64_t grid_id;
    const char *name; /* valid as long as the record */
    void *reserved;
    uint64_t queued;
    uint64_t submitted;
    uint8_t launch_type;
    uint8_t carveout_requested;
    uint8_t carveout;
    uint8_t padding;
    uint32_t shared_executed;
    uint64_t graph_node; /* since 11.0 */
    uint32_t shared_limit;
    uint32_t graph; /* since 11.1 */
};

/* MEMCPY: CUpti_ActivityMemcpy, 3 to 6. */
struct stint_cupti_memcpy {
    uint32_t kind;
    uint8_t copy;   /* enum stint_gpu_direction */
    uint8_t source; /* enum stint_gpu_memory_kind, here and below */
    uint8_t destination;
    uint8_t flags;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    uint32_t correlation;
    uint32_t runtime_correlation; /* unused by CUPTI */
    uint32_t padding;
    void *reserved;
    uint64_t graph_node; /* since 11.0 */
    uint32_t graph;      /* since 11.1 */
};

/* MEMCPY2: CUpti_ActivityMemcpyPtoP, 2 to 4. */
struct stint_cupti_memcpy_peer {
    uint32_t kind;
    uint8_t copy;
    uint8_t source;
    uint8_t destination;
    uint8_t flags;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t device; /* the device on which it ran */
    uint32_t context;
    uint32_t stream;
    uint32_t source_device;
    uint32_t source_context;
    uint32_t destination_device;
    uint32_t destination_context;
    uint32_t correlation;
    void *reserved;
    uint64_t graph_node; /* since 11.0 */
    uint32_t graph;      /* since 11.1 */
};

/* MEMSET: CUpti_ActivityMemset, 2 to 4. */
struct stint_cupti_memset {
    uint32_t kind;
    uint32_t value;
    uint64_t bytes;
    uint64_t start;
    uint64_t end;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    uint32_t correlation;
    uint16_t flags;
    uint16_t memory;
    uint32_t padding;
    void *reserved;
    uint64_t graph_node; /* since 11.0 */
    uint32_t graph;      /* since 11.1 */
};

/* UNIFIED_MEMORY_COUNTER: CUpti_ActivityUnifiedMemoryCounter2 and 3. */
struct stint_cupti_unified_memory_counter {
    uint32_t kind;
    uint32_t counter; /* enum stint_cupti_unified_memory */
    uint64_t value;
    uint64_t start;
    uint64_t end;
    uint64_t address;
    uint32_t source; /* a device, or STINT_CUPTI_CPU */
    uint32_t destination;
    uint32_t stream;
    uint32_t process;
};

/* Kinds of overhead. CUPTI's values are in two ranges. */
enum stint_cupti_overhead_kind {
    STINT_CUPTI_OVERHEAD_COMPILER = 1,
    STINT_CUPTI_OVERHEAD_BUFFER_FLUSH = 1 << 16,
    STINT_CUPTI_OVERHEAD_INSTRUMENTATION = 2 << 16,
    STINT_CUPTI_OVERHEAD_RESOURCE = 3 << 16,
    STINT_CUPTI_OVERHEAD_RUNTIME_LOADING = 4 << 16,
    STINT_CUPTI_OVERHEAD_LAZY_LOADING = 5 << 16,
    STINT_CUPTI_OVERHEAD_COMMAND_BUFFER_FULL = 6 << 16, /* a launch waited for room in the queue */
    STINT_CUPTI_OVERHEAD_BUFFER_REQUEST = 7 << 16,
    STINT_CUPTI_OVERHEAD_INITIALIZATION = 8 << 16 /* of unified memory's counters */
};

/* What an overhead concerns. From device to stream, the object's ids are stored in this order. */
enum { STINT_CUPTI_OBJECT_DEVICE = 3, STINT_CUPTI_OBJECT_STREAM = 5 };

/* OVERHEAD: CUpti_ActivityOverhead, 2 and 3. */
struct stint_cupti_overhead {
    uint32_t kind;
    uint32_t overhead;
    uint32_t object_kind;
    uint32_t object[3];
    uint64_t start;
    uint64_t end;
    uint32_t correlation; /* since 12.2 */
};

/* DEVICE: CUpti_ActivityDevice2 to 5. */
struct stint_cupti_device {
    uint32_t kind;
    uint32_t flags;
    uint64_t memory_kb_per_s;
    uint64_t memory_bytes;
    uint32_t constant_bytes;
    uint32_t l2_bytes;
    uint32_t threads_per_warp;
    uint32_t core_khz;
    uint32_t copy_engines;
    uint32_t multiprocessors;
    uint32_t limits[14];
    uint32_t compute_major;
    uint32_t compute_minor;
    uint32_t id;
    uint32_t ecc;
    uint8_t uuid[16];
    const char *name; /* newer versions let the reader free it, older ones do not */
    uint8_t visible;  /* since 11.5; 0: hidden from CUDA by CUDA_VISIBLE_DEVICES, and its id is not one of CUDA's */
};

#endif
