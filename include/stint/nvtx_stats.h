/* stint/nvtx_stats.h - how NVTX's events appear in statistics, where stint is the tool that a program's NVTX calls reach.
 *
 * Pushed and popped ranges are scopes like any other: they stand in calling contexts, and GPU work is charged to them.
 * Ranges that are started and ended, perhaps on another thread, and marks, are statistics that no scope encloses. Each
 * kind has a set of its own in the default domain, whose name is below, and in every other domain, where a blank and the
 * domain's name follow: the ranges that a program pushes in the domain "cuDF" are in the set "NVTX cuDF". */
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
 *  of integers are exact up to 2^53. Not a number, and what is no number, is not in it. */
struct stint_nvtx_value {
    const char *set;   /* as above */
    const char *name;  /* of the range, the mark or the counter */
    const char *field; /* of a schema's entry, "outer.inner" where schemas nest; "" for a single number */
    uint64_t count;
    double sum;
    double min; /* 0 if count is 0, like the following */
    double max;
    double last;
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

struct stint_nvtx_name {
    enum stint_nvtx_named what;
    const char *domain; /* of categories and resources; "" for the default domain, and for all others */
    uint64_t handle;
    const char *name;
};

/** How it went. */
struct stint_nvtx_info {
    uint64_t images;   /* programs and libraries that use NVTX, as far as they called it */
    uint64_t open;     /* started ranges that have not ended yet */
    uint64_t deferred; /* events with times of their own, which are counted only */
    uint64_t rest;     /* payloads and entries of payloads that are no numbers, or not understood */
    uint64_t missing;  /* samples that counters said they had no value for */

    /* What a bound kept out. */
    uint64_t dropped_domains;
    uint64_t dropped_strings; /* registered strings, names, schemas' and counters' texts */
    uint64_t dropped_schemas;
    uint64_t dropped_counters;
    uint64_t dropped_values;
    uint64_t dropped_names;
    uint64_t dropped_depth;  /* ranges pushed inside too many others */
    uint64_t dropped_ranges; /* ranges started while too many were open */
};

STINT_EXTERN_C_END

#endif
