/* The metrics and events of nvprof that have an equivalent among those of today's devices. */
#ifndef STINT_CLI_NVPROF_METRIC_LIST_H
#define STINT_CLI_NVPROF_METRIC_LIST_H

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

#endif
