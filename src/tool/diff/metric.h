/* The numbers of one row in one file, and how well each is known. */
#ifndef STINT_DIFF_METRIC_H
#define STINT_DIFF_METRIC_H

#include "diff/kind.h"
#include "stint/gpu_stats.h"
#include "stint/numbers.h"

struct stint_metric_value {
    int known;
    double value;
    double error;      /* standard error, as far as the spread within the run tells; NAN: nothing is known of it */
    double resolution; /* the true value is not further away: percentiles come from a histogram */
};

struct stint_metric_values {
    struct stint_metric_value of[STINT_METRICS];
};

/* A number that is what it is. */
void stint_metric_put_exact(struct stint_metric_values *values, enum stint_metric metric, double value);

/* A number of whose error nothing is known. */
void stint_metric_put(struct stint_metric_values *values, enum stint_metric metric, double value);

/* Count, times and percentiles; self where it means something. */
void stint_metric_put_numbers(struct stint_metric_values *values, const struct stint_numbers *numbers, int has_self);

/* What a scope had GPUs do. `gpu_ns` is the time that reports show of it. */
void stint_metric_put_use(struct stint_metric_values *values, const struct stint_gpu_use *use, uint64_t gpu_ns);

#endif
