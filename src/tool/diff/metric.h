/* What is compared: kinds of rows, their metrics, and how people read these. */
#ifndef STINT_DIFF_METRIC_H
#define STINT_DIFF_METRIC_H

#include <stddef.h>

#include "report/line.h"
#include "stint/gpu_stats.h"
#include "stint/numbers.h"
#include "stint/snapshot.h"

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

struct stint_metric_value {
    int known;
    double value;
    double error;      /* standard error, from the spread within the run; NAN: unknown */
    double resolution; /* the true value is at most this far away: percentiles come from a histogram */
};

struct stint_metric_values {
    struct stint_metric_value of[STINT_METRICS];
};

/* Sets a number without an error, such as a count. */
void stint_metric_put_exact(struct stint_metric_values *values, enum stint_metric metric, double value);

/* Sets a number and its standard error; NAN: unknown. */
void stint_metric_put_within(struct stint_metric_values *values, enum stint_metric metric, double value, double error);

/* Sets a number whose error is unknown. */
void stint_metric_put(struct stint_metric_values *values, enum stint_metric metric, double value);

/* Sets count, times and percentiles; with `has_self`, also self time. */
void stint_metric_put_numbers(struct stint_metric_values *values, const struct stint_numbers *numbers, int has_self);

/* Sets the standard error of a time that samples measured, of which there are `samples` for `time_ns` in all; a time
 * that is not known is 0, because no sample met it. */
void stint_metric_put_sampled(struct stint_metric_values *values, enum stint_metric metric, uint64_t samples,
                              uint64_t time_ns);

/* Sets the GPU work that a scope launched. `gpu_ns` is the time that reports show for it. */
void stint_metric_put_use(struct stint_metric_values *values, const struct stint_gpu_use *use, uint64_t gpu_ns);

/* An amount as a text, which lives as long as the expression that it is in: "3.100 ms", "12 MB", "400". */
struct stint_amount {
    char text[STINT_NUMBER_SIZE + 4];
};
struct stint_amount stint_amount(enum stint_metric metric, double value);

/* The same with a sign: "+3.100 ms". */
struct stint_amount stint_amount_of_change(enum stint_metric metric, double value);

/* "+12.9%", "0%"; "from 0" if `part` is not finite. */
struct stint_amount stint_amount_of_part(double part);

/* Writes "+12.9", STINT_NUMBER_SIZE bytes, with one decimal, more for a change below 0.1 %; "=" for none. Returns the
 * length. */
size_t stint_amount_percent(char *out, double part);

/* --------------------------------------------------------------------------------------------------------- counters */

/* Hardware counters of kernels (docs/counters.md), as they are compared. */

/* A counter of a kernel: the mean over the launches that were counted. */
struct stint_counter {
    const char *kernel;
    const char *name; /* of a metric of CUPTI's, "dram__bytes_read.sum", or a short one, "dram_bytes" */
    double value;
    double error; /* standard error; NAN: unknown */
};

/* Sets the counter behind the one at *next, which is 0 at first: those of each kernel, and behind them those sums of
 * them that have short names. Returns 0 after the last. */
int stint_counter_next(struct stint_counter *counter, const struct stint_snapshot *snapshot, size_t *next);

/* The same for scopes: `kernel` is the path of names, "outer/inner", and `value` the sum over the launches within it
 * that were counted, but not within scopes inside it; without counters that do not add up. */
int stint_scope_counter_next(struct stint_counter *counter, const struct stint_snapshot *snapshot, size_t *next);

/* Returns whether rules may name a counter so: a short name, or a metric of CUPTI's, which has "__". */
int stint_counter_is_name(const char *name, size_t length);

/* Returns whether a rule's name means the counter: "dram__bytes_read" is "dram__bytes_read.sum", too. */
int stint_counter_is(const char *asked, const char *name);

/* Returns which metric of a row has the value of this counter: that one has its unit. */
enum stint_metric stint_counter_metric(const char *name);

#endif
