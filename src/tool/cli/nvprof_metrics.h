/* The metrics and events of nvprof that have an equivalent among those of today's devices, and its options --metrics,
 * --events and --kernels: counters by their old names, or by those of the device. */
#ifndef STINT_CLI_NVPROF_METRICS_H
#define STINT_CLI_NVPROF_METRICS_H

#include <stddef.h>

enum { STINT_NVPROF_TERMS = 3 };

struct stint_nvprof_metric {
    const char *name;
    int is_event;
    struct {
        double factor;
        const char *metric;      /* NULL: no more */
    } terms[STINT_NVPROF_TERMS]; /* their sum is the value */
    const char *description;
};

/* Returns NULL beyond the last. */
const struct stint_nvprof_metric *stint_nvprof_metric_at(size_t index);

/* Returns NULL if nvprof had none of that name, or there is no equivalent. */
const struct stint_nvprof_metric *stint_nvprof_metric(const char *name, size_t length);

enum { STINT_NVPROF_WORDS_SIZE = 4096, STINT_NVPROF_METRICS_SIZE = 16384 };

struct stint_nvprof_counters {
    char words[STINT_NVPROF_WORDS_SIZE];     /* as asked for, separated by commas; "": none */
    char metrics[STINT_NVPROF_METRICS_SIZE]; /* for STINT_COUNTERS */
    char kernels[256];                       /* for STINT_COUNTERS_KERNELS; "": all */
    char launches[24];                       /* for STINT_COUNTERS_LAUNCHES */
};

/* Adds the words of an option. Returns 0, or -1 after saying that one is unknown, or that there are too many. */
int stint_nvprof_counters_add(struct stint_nvprof_counters *counters, const char *option, const char *words);

/* Reads --kernels: a name, or CONTEXT:STREAM:NAME:INVOCATION, of which any but the first two may be given. Returns 0,
 * or -1 after saying what is not supported. */
int stint_nvprof_counters_filter(struct stint_nvprof_counters *counters, const char *filter);

/* Prints what --query-metrics does: each name with its description, and the groups. */
void stint_nvprof_counters_list(void);

/* Prints the metrics of the device itself, or why there are none and what to do. */
void stint_device_metrics_list(void);

#endif
