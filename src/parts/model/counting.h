/* Hardware counters of kernels: the interface that libstint_module.so offers to the library that loads it. The library
 * subscribes to CUPTI and passes launches on; the module has CUPTI replay those that are chosen. */
#ifndef STINT_MODEL_COUNTING_H
#define STINT_MODEL_COUNTING_H

#include <stddef.h>
#include <stdint.h>

#include "stint/counters.h"
#include "stint/nvtx_stats.h"

/* The beginning or the end of a call of the driver that launches a kernel or a graph. */
struct stint_counted_call {
    const char *function;
    const char *symbol; /* of the kernel; NULL for a graph */
    const void *parameters;
    void *context;
    uint32_t path;   /* of the scope (contexts/contexts.h) */
    int ends;        /* 1: the end */
    int failed;      /* at the end: CUresult */
    int is_captured; /* 1: a stream is being captured into a graph, so nothing may run */
};

/* What the module needs of the library. */
struct stint_counting_host {
    void *cupti; /* from dlopen */

    /* Returns the name of the scope and in *parent the path around it; NULL if no scope has that path. */
    const char *(*scope)(uint32_t path, uint32_t *parent);

    /* Called on threads of the module as they begin: their calls of CUDA are not recorded. */
    void (*begin_thread)(void);
};

typedef void stint_counting_put_fn(void *context, const struct stint_nvtx_value *value);

struct stint_counting {
    /* At the beginning and the end of each launch, on its thread. */
    void (*call)(const struct stint_counted_call *call);

    /* Passes on what was counted so far: a value for each kernel and metric (nvtx_stats.h). */
    void (*collect)(stint_counting_put_fn *put, void *context);

    /* Forgets it. */
    void (*reset)(void);

    /* The functions of counters.h. */
    enum stint_status (*start)(const struct stint_counters_options *options);
    enum stint_status (*stop)(void);
    enum stint_status (*status)(void);
    const char *(*reason)(void);
    enum stint_status (*read)(enum stint_counters_of of, const char *names, const char *metric,
                              struct stint_counter *counter);
};

/* A symbol of libstint_module.so. `metrics` is the value of STINT_COUNTERS; NULL: nothing is counted before `start`.
 * Returns NULL if it has another version; what else prevents counting is among what it collects. */
#define STINT_COUNTING_SYMBOL "stint_counting_open"
#define STINT_COUNTING_VERSION 2

typedef const struct stint_counting *stint_counting_open_fn(int version, const char *metrics,
                                                            const struct stint_counting_host *host);

#endif
