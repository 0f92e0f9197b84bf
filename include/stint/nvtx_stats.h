/* stint/nvtx_stats.h - how NVTX's events appear in statistics, where stint is the tool that a program's NVTX calls
 * reach.
 *
 * Pushed and popped ranges are scopes like any other: they stand in calling contexts, and GPU work is charged to them.
 * Ranges that are started and ended, perhaps on another thread, and marks, are statistics that no scope encloses. Each
 * kind has a set of its own in the default domain, whose name is below, and in every other domain, where a colon and
 * the domain's name follow: the ranges that a program pushes in the domain "cuDF" are in the set "NVTX:cuDF". */
#ifndef STINT_NVTX_STATS_H
#define STINT_NVTX_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

#define STINT_NVTX_SET "NVTX"                     /* nvtxRangePush, nvtxRangePop */
#define STINT_NVTX_START_END_SET "NVTX start/end" /* nvtxRangeStart, nvtxRangeEnd: one sample per range that ended */
#define STINT_NVTX_MARK_SET "NVTX marks"          /* nvtxMark: their number, without a duration */
#define STINT_NVTX_COUNTER_SET "NVTX counters"    /* nvtxCounterSample: in struct stint_nvtx_value alone */

/** The numbers that events carried: as payloads, or as samples of a counter. All are added up as doubles, so that sums
 *  of integers are exact up to 2^53. What is no number, or not finite, is not in it. By set, name and field. */
struct stint_nvtx_value {
    const char *set;   /* as above */
    const char *name;  /* of the range, the mark or the counter */
    const char *field; /* of a schema's entry, "outer.inner" where schemas nest; "" for a single number */
    uint64_t count;
    double sum;
    double min;
    double max;
};

/** What a name was given to. */
enum stint_nvtx_named {
    STINT_NVTX_CATEGORY = 1,     /* handle: the category's number */
    STINT_NVTX_THREAD = 2,       /* the system's thread id */
    STINT_NVTX_CUDA_DEVICE = 3,  /* the ordinal; of the driver's interface and the runtime's alike */
    STINT_NVTX_CUDA_CONTEXT = 4, /* CUcontext */
    STINT_NVTX_CUDA_STREAM = 5,  /* CUstream, cudaStream_t */
    STINT_NVTX_CUDA_EVENT = 6,   /* CUevent, cudaEvent_t */
    STINT_NVTX_RESOURCE = 7      /* whatever identified it */
};

/** By process, what, domain and handle. */
struct stint_nvtx_name {
    int64_t pid; /* of the process whose name for it this is */
    enum stint_nvtx_named what;
    const char *domain; /* of categories and resources; "" for the default domain, and for all others */
    uint64_t handle;
    const char *name;
};

/** How it went. What was lost is in struct stint_dropped (snapshot.h). */
struct stint_nvtx_info {
    uint64_t images;  /* programs and libraries that use NVTX, as far as they called it */
    uint64_t open;    /* started ranges that have not ended yet */
    uint64_t rest;    /* entries of payloads that are no numbers to add up */
    uint64_t missing; /* samples that counters said they had no value for */
    uint64_t refused; /* extensions of NVTX of an unknown kind or version: what is reported through them is missing */
    uint64_t
        outlived; /* threads in a range that is open although the one around it has ended: what they do is below it */
};

STINT_EXTERN_C_END

#endif
