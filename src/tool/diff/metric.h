/* The metrics of one row in one file, and how precisely each is known. */
#ifndef STINT_DIFF_METRIC_H
#define STINT_DIFF_METRIC_H

#include "diff/kind.h"
#include "stint/gpu_stats.h"
#include "stint/numbers.h"

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

#endif
