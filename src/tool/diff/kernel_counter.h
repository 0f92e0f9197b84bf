/* Hardware counters of kernels (docs/counters.md), as they are compared. */
#ifndef STINT_DIFF_KERNEL_COUNTER_H
#define STINT_DIFF_KERNEL_COUNTER_H

#include "diff/metric.h"
#include "stint/snapshot.h"

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
