/* stint/nvtx_stats.h - how a program's NVTX events appear in statistics when stint is the tool that receives them.
 *
 * Pushed and popped ranges are scopes like any other: they are part of calling contexts, and GPU work is charged to
 * them. Started and ended ranges, which may end on another thread, and marks are statistics outside of any scope. Each
 * kind of event has a set for every domain. The sets of the default domain are named below; for other domains, a colon
 * and the domain's name are appended: the ranges that a program pushes in the domain "cuDF" are in the set
 * "NVTX:cuDF". */
#ifndef STINT_NVTX_STATS_H
#define STINT_NVTX_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

#define STINT_NVTX_SET "NVTX"                     /* nvtxRangePush, nvtxRangePop */
#define STINT_NVTX_START_END_SET "NVTX start/end" /* nvtxRangeStart, nvtxRangeEnd: one sample per range that ended */
#define STINT_NVTX_MARK_SET "NVTX marks"          /* nvtxMark: their number, without a duration */
#define STINT_NVTX_COUNTER_SET "NVTX counters"    /* nvtxCounterSample: only in struct stint_nvtx_value */
#define STINT_SYSTEM_SET "System" /* what GPUs consumed, of stint run --system-profiling: the same, but not of NVTX */

/** Hardware counters of GPUs (STINT_COUNTERS) are such values as well: `name` is the kernel, or the scopes around its
 *  launch, "outer/inner"; `field` is the metric. Each launch that was counted is one number. */
#define STINT_COUNTER_SET "GPU counters"
#define STINT_COUNTER_SCOPE_SET "GPU counters by scope"

/* Further fields: how many launches of the kernel there were; and launches that could not be counted, with the reason
 * appended. Further names: a launch of a graph; and metrics that were asked for, but that the device does not have. */
#define STINT_COUNTER_LAUNCHES "(launches)"
#define STINT_COUNTER_SKIPPED "(not counted): "
#define STINT_COUNTER_GRAPH "(graph)"
#define STINT_COUNTER_ABSENT "(no such metric)"

/* If kernels run once (stint run --replay-mode application): how many runs of the program count all metrics, and a
 * prefix of those among STINT_COUNTER_ABSENT that only a replay of kernels counts. */
#define STINT_COUNTER_RUNS "stint__program_runs"
#define STINT_COUNTER_WIDE "(replay only) "

/** The numbers in the payloads of events, or in the samples of a counter or of a GPU. They are added up as doubles, so
 *  sums of integers are exact up to 2^53. Values that are not numbers, or not finite, are left out. Ordered by set,
 *  name and field. */
struct stint_nvtx_value {
    const char *set;   /* as above */
    const char *name;  /* of the range, mark or counter; "GPU 0", as nvidia-smi counts */
    const char *field; /* name of a schema's entry, "outer.inner" where schemas nest; "" for a single number; for a GPU
                          what was measured, and its unit: "power (W)" */
    uint64_t count;
    double sum;
    double min;
    double max;
};

/** What a name was given to, and what its handle is. */
enum stint_nvtx_named {
    STINT_NVTX_CATEGORY = 1,     /* handle: the category's number */
    STINT_NVTX_THREAD = 2,       /* the system's thread id */
    STINT_NVTX_CUDA_DEVICE = 3,  /* the device's ordinal, named through the driver's interface or the runtime's */
    STINT_NVTX_CUDA_CONTEXT = 4, /* CUcontext */
    STINT_NVTX_CUDA_STREAM = 5,  /* CUstream, cudaStream_t */
    STINT_NVTX_CUDA_EVENT = 6,   /* CUevent, cudaEvent_t */
    STINT_NVTX_RESOURCE = 7      /* the identifier that the program gave */
};

/** A name given through NVTX, or in a recording that of a thread that has ended. Ordered by process, what, domain and
 *  handle. */
struct stint_nvtx_name {
    int64_t pid; /* of the process that gave the name */
    enum stint_nvtx_named what;
    const char *domain; /* of categories and resources; "" for the default domain, and for everything else */
    uint64_t handle;
    const char *name;
};

/** How receiving NVTX's events went. What was lost is in struct stint_dropped (snapshot.h). */
struct stint_nvtx_info {
    uint64_t images;   /* programs and libraries that have called NVTX */
    uint64_t open;     /* started ranges that have not ended yet */
    uint64_t rest;     /* entries of payloads that are not numbers to add up */
    uint64_t missing;  /* samples of counters that had no value */
    uint64_t refused;  /* NVTX extensions of an unknown kind or version; what the program reports by them is missing */
    uint64_t outlived; /* threads in a range still open after its outer range ended: what they do now is below it */
    const char *outlived_set; /* set and name of one of these ranges; "" if there is none */
    const char *outlived_name;
    uint64_t spare[4]; /* 0; for later releases */
};

STINT_EXTERN_C_END

#endif
