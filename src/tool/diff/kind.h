/* What is compared: kinds of rows, and their metrics. */
#ifndef STINT_DIFF_KIND_H
#define STINT_DIFF_KIND_H

#include <stddef.h>

enum stint_diff_kind {
    STINT_DIFF_TOTAL,   /* of the whole recording: "wall", "scopes", "gpu", "api" */
    STINT_DIFF_SCOPE,   /* a statistic (set, name) that is no call */
    STINT_DIFF_CONTEXT, /* a calling context */
    STINT_DIFF_KERNEL,
    STINT_DIFF_COPY,          /* copies, sets, moves of unified memory */
    STINT_DIFF_API,           /* a function of CUDA's API */
    STINT_DIFF_COUNTER,       /* a hardware counter (the row's set) of a kernel (its name) */
    STINT_DIFF_SCOPE_COUNTER, /* the same, of the kernels launched in a scope */
    STINT_DIFF_FUNCTION       /* a function that was sampled */
};

enum { STINT_DIFF_KINDS = STINT_DIFF_FUNCTION + 1 };

enum stint_metric {
    STINT_METRIC_COUNT,
    STINT_METRIC_TOTAL,
    STINT_METRIC_SELF,
    STINT_METRIC_MIN,
    STINT_METRIC_MAX,
    STINT_METRIC_AVG,
    STINT_METRIC_P50,
    STINT_METRIC_P90,
    STINT_METRIC_P99,
    STINT_METRIC_GPU,     /* time of GPUs */
    STINT_METRIC_KERNELS, /* launched */
    STINT_METRIC_BYTES,   /* copied, set or moved; of a counter of bytes */
    STINT_METRIC_VALUE    /* of a counter without a unit */
};

enum { STINT_METRICS = STINT_METRIC_VALUE + 1 };

enum stint_metric_unit { STINT_METRIC_NUMBER, STINT_METRIC_NS, STINT_METRIC_OF_BYTES };

/* "scope"; "Scopes" */
const char *stint_diff_kind_name(enum stint_diff_kind kind);
const char *stint_diff_kind_title(enum stint_diff_kind kind);

/* Whether rows are hardware counters, each with one metric. */
int stint_diff_kind_is_counter(enum stint_diff_kind kind);

/* "p50"; "p50_ns" */
const char *stint_metric_name(enum stint_metric metric);
const char *stint_metric_key(enum stint_metric metric);

/* The unit, and its name: "", "ns" or "B". */
enum stint_metric_unit stint_metric_unit(enum stint_metric metric);
const char *stint_metric_unit_name(enum stint_metric metric);

/* Each reads a name of `length` bytes. Returns 0, or -1 if the name is unknown. */
int stint_diff_kind_read(const char *text, size_t length, enum stint_diff_kind *kind);
int stint_metric_read(const char *text, size_t length, enum stint_metric *metric);

#endif
