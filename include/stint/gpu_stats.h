/* stint/gpu_stats.h - the part of a snapshot (snapshot.h, which includes this header) that is about GPUs: devices,
 * activities, the scopes that launched them, memory, and the events of a trace if one was asked for. The functions of
 * gpu.h collect it.
 *
 * Times of devices and of the host are on one time axis. Every activity is charged to the scope that was running on the
 * launching thread. The charges of an activity add up to it exactly; some are to STINT_GPU_NO_SCOPE and
 * STINT_GPU_UNATTRIBUTED. */
#ifndef STINT_GPU_STATS_H
#define STINT_GPU_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"
#include "stint/numbers.h"

STINT_EXTERN_C_BEGIN

/** The kinds of activity. The first four occupy a device, and make up its total. */
enum stint_gpu_kind {
    STINT_GPU_KERNEL = 0,   /* name: demangled */
    STINT_GPU_COPY = 1,     /* "[CUDA memcpy HtoD]", by its direction */
    STINT_GPU_SET = 2,      /* "[CUDA memset]" */
    STINT_GPU_UNIFIED = 3,  /* unified memory moved: "[CUDA Unified Memory memcpy HtoD]", by its direction */
    STINT_GPU_SPAN = 4,     /* STINT_GPU_SCOPE: from one CUDA event to another; has the scope's name */
    STINT_GPU_SYNC = 5,     /* a thread waited: "[CUDA stream synchronize]", by what it waited for */
    STINT_GPU_FAULT = 6,    /* page faults of unified memory: "[CUDA Unified Memory CPU page faults]", without duration;
                            "[... GPU page faults]", in groups; "[CUDA Unified Memory thrashing]" */
    STINT_GPU_OVERHEAD = 7, /* the cost of collecting, as CUPTI reports it: "[CUPTI buffer flush]", ... */
    STINT_GPU_UNMEASURED = 8 /* launched, but without a record that says when it ran: the kernel's name, or that of the
                                copy or memset. Only counts are known. "[launch without a record]": not even the name */
};

enum { STINT_GPU_KINDS = 9 };

/** The direction of a copy, in CUPTI's numbers. */
enum stint_gpu_direction {
    STINT_GPU_DIRECTION_UNKNOWN = 0,
    STINT_GPU_HTOD = 1, /* from the host to a device */
    STINT_GPU_DTOH = 2,
    STINT_GPU_HTOA = 3, /* to a CUDA array, which is on a device */
    STINT_GPU_ATOH = 4,
    STINT_GPU_ATOA = 5,
    STINT_GPU_ATOD = 6,
    STINT_GPU_DTOA = 7,
    STINT_GPU_DTOD = 8, /* within a device */
    STINT_GPU_HTOH = 9,
    STINT_GPU_PTOP = 10 /* from one device to another */
};

/** What a thread waited for, in CUPTI's numbers. */
enum stint_gpu_wait {
    STINT_GPU_WAIT_UNKNOWN = 0,
    STINT_GPU_WAIT_EVENT = 1,
    STINT_GPU_WAIT_STREAM_EVENT = 2, /* a stream, not a thread, waited for an event */
    STINT_GPU_WAIT_STREAM = 3,
    STINT_GPU_WAIT_CONTEXT = 4
};

/** Kinds of memory, of allocations and of the source and destination of copies. */
enum stint_gpu_memory_kind {
    STINT_GPU_MEMORY_UNKNOWN = 0,
    STINT_GPU_MEMORY_PAGEABLE = 1,
    STINT_GPU_MEMORY_PINNED = 2,
    STINT_GPU_MEMORY_DEVICE = 3,
    STINT_GPU_MEMORY_ARRAY = 4,
    STINT_GPU_MEMORY_MANAGED = 5,
    STINT_GPU_MEMORY_DEVICE_STATIC = 6,
    STINT_GPU_MEMORY_MANAGED_STATIC = 7
};

/** A device that was used. Ordered by id. Numbers that are unknown are 0. */
struct stint_gpu_device {
    uint32_t id;
    const char *name; /* "NVIDIA H200"; "" if unknown */
    uint32_t compute_major;
    uint32_t compute_minor;
    uint32_t multiprocessors;
    uint32_t core_clock_khz;
    uint64_t memory_bytes;
    uint64_t memory_bytes_per_s; /* peak bandwidth of its memory */
    uint64_t link_bytes_per_s;   /* peak bandwidth to the host, in one direction */
};

/** Memory of one kind on one device. Ordered by device, then kind. */
struct stint_gpu_memory {
    uint32_t device;
    enum stint_gpu_memory_kind kind;
    int pool; /* 1: allocated from a stream-ordered pool */
    uint64_t allocations;
    uint64_t frees; /* only of allocations that were seen */
    uint64_t current_bytes;
    uint64_t peak_bytes;
};

/** One activity on one stream. Ordered by descending total of (kind, name), then by device, context and stream. */
struct stint_gpu_activity {
    enum stint_gpu_kind kind;
    enum stint_gpu_direction direction; /* for STINT_GPU_COPY and STINT_GPU_UNIFIED; otherwise unknown */
    enum stint_gpu_wait wait;           /* for STINT_GPU_SYNC; otherwise unknown */
    const char *name;                   /* for people, as in nvprof if it has one; programs use the three above */
    const char *mangled;                /* mangled name of a kernel; "" for the others */
    uint32_t device;
    uint32_t context;
    uint32_t stream;
    struct stint_numbers numbers; /* self_ns equals total_ns; nothing is recursive or running */
    uint64_t bytes;               /* copied, set or moved; for faults, their number */
    uint64_t min_bytes;
    uint64_t max_bytes;
    double square_bytes2;
};

#define STINT_GPU_NO_SCOPE ((size_t)-1)     /* launched while no scope ran on the launching thread: "(no scope)" */
#define STINT_GPU_UNATTRIBUTED ((size_t)-2) /* the launch was not seen: "(unattributed)" */

/** A scope's part of an activity. Ordered by activity, then context. */
struct stint_gpu_charge {
    size_t activity; /* index in gpu_activities */
    size_t context;  /* index in contexts, or one of the two above */
    uint64_t count;
    uint64_t total_ns;
    uint64_t min_ns;
    uint64_t max_ns;
    uint64_t bytes;
};

/** The GPU work of one scope; a sum of charges. */
struct stint_gpu_use {
    uint64_t kernels;
    uint64_t kernel_ns;
    uint64_t copies; /* including moves of unified memory */
    uint64_t copy_ns;
    uint64_t copy_bytes;
    uint64_t sets;
    uint64_t set_ns;
    uint64_t set_bytes;
    uint64_t spans;
    uint64_t span_ns;
    uint64_t launches;  /* calls of CUDA that launch kernels or graphs; 0 if API calls are not recorded */
    uint64_t launch_ns; /* host time in them */
};

/** Returns the time that kernels, copies and memsets took, in ns; UINT64_MAX if it is more. */
static inline uint64_t stint_gpu_use_ns(const struct stint_gpu_use *use)
{
    uint64_t ns;
    if (__builtin_add_overflow(use->kernel_ns, use->copy_ns, &ns) || __builtin_add_overflow(ns, use->set_ns, &ns))
        return UINT64_MAX;
    return ns;
}

#define STINT_GPU_NO_INSTANCE ((size_t)-1)

/** One activation of a scope, on one thread, that launched an event of the trace. In the order of the events. */
struct stint_gpu_instance {
    size_t context; /* index in contexts, STINT_GPU_NO_SCOPE or STINT_GPU_UNATTRIBUTED */
    size_t parent;  /* index in gpu_instances, less than this one's; STINT_GPU_NO_INSTANCE: no scope encloses it */
};

/** One event of the trace. Ordered by start. */
struct stint_gpu_event {
    int api; /* 1: a call of CUDA by the host; `kind` then has no meaning */
    enum stint_gpu_kind kind;
    enum stint_gpu_direction direction; /* this and the next as in struct stint_gpu_activity */
    enum stint_gpu_wait wait;
    const char *name;  /* that of the activity, or of the function: "cudaLaunchKernel" */
    uint64_t start_ns; /* since the process' start_unix_ns */
    uint64_t end_ns;
    uint64_t correlation; /* equal for a call and what it launched; 0: none */
    size_t context;       /* as in struct stint_gpu_charge */
    size_t instance;      /* of device work: index in gpu_instances of the innermost activation that launched it;
                             STINT_GPU_NO_INSTANCE: unknown, or launched while no scope ran */
    int64_t pid;          /* process; 0: the snapshot's own */
    int64_t tid;          /* thread of an API call; 0: none */
    uint32_t device;
    uint32_t device_context;
    uint32_t stream;
    uint32_t grid[3]; /* of a kernel; this and the next four are 0 for other events */
    uint32_t block[3];
    uint32_t registers;     /* per thread */
    uint32_t static_shared; /* bytes per block */
    uint32_t dynamic_shared;
    uint32_t graph; /* 0: not launched by a graph */
    uint64_t graph_node;
    uint64_t captured; /* of what a graph launched: the correlation of the call that made its node, as a rule the launch
                          that was captured; 0: unknown */
    uint64_t bytes;
    uint64_t address; /* of unified memory: where what moved begins, or the page that faulted; 0: unknown, or another
                         kind */
    enum stint_gpu_memory_kind source;
    enum stint_gpu_memory_kind destination;
    uint32_t peer_device; /* destination of a copy between two devices, whose source is `device` */
    uint32_t peer_context;
    int peer; /* 1: this is such a copy */
};

/** How collecting went. */
struct stint_gpu_info {
    int collected;            /* 1: a collector has run; otherwise only status and reason have a meaning */
    enum stint_status status; /* as stint_gpu_status (gpu.h) */
    const char *reason;       /* as stint_gpu_reason (gpu.h) */
    unsigned what;            /* parts that were collected: enum stint_gpu_what (gpu.h) */
    uint32_t cupti_version;   /* CUPTI_API_VERSION of the library that was opened */
    double clock_error_ns;    /* how far apart times of the host and of CUPTI may be on the common axis */
    uint64_t early;           /* events of the trace that were moved because they seemed to begin before their launch */
    uint64_t reading_ns;      /* CPU time in which CUPTI's records were read, mostly on a thread of CUPTI */
    double cupti_kernel_ns;   /* CPU time that CUPTI itself took for each kernel, copy and set, as measured once */
    double cupti_call_ns;     /* on this machine, and for each further call that it reported; 0: not measured */
    uint64_t spare[4];        /* 0; for later releases */
};

STINT_EXTERN_C_END

#endif
