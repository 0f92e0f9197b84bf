/* Takes the metrics out of rows of a snapshot, each with its standard error where the row tells enough to know it. */
#include "diff/metric.h"

#include <math.h>

/* A bin of a histogram is represented by its middle, which is within 1/128 of all values in the bin. */
static const double s_half_bin = 1.0 / 128;

void stint_metric_put_within(struct stint_metric_values *values, enum stint_metric metric, double value, double error)
{
    values->of[metric] = (struct stint_metric_value){.known = 1, .value = value, .error = error};
}

void stint_metric_put_exact(struct stint_metric_values *values, enum stint_metric metric, double value)
{
    stint_metric_put_within(values, metric, value, 0);
}

void stint_metric_put(struct stint_metric_values *values, enum stint_metric metric, double value)
{
    stint_metric_put_within(values, metric, value, NAN);
}

/* ------------------------------------------------------------------------------------------------------ percentiles */

/* Nothing is below the minimum or above the maximum, which are exact. */
static double resolution_of(const struct stint_numbers *numbers, double ns)
{
    double low = fmax(ns * (1 - s_half_bin), (double)numbers->min_ns);
    double high = fmin(ns * (1 + s_half_bin), (double)numbers->max_ns);
    return fmax(fmax(ns - low, high - ns), 0);
}

/* The number of samples below a percentile is binomial: `ranks` is one standard error, as a part of all samples. */
static double percentile_error(const struct stint_numbers *numbers, double p, double samples)
{
    double ranks = sqrt(p * (1 - p) / samples);
    return ((double)stint_numbers_percentile_ns(numbers, p + ranks) -
            (double)stint_numbers_percentile_ns(numbers, p - ranks)) /
           2;
}

static void put_percentile(struct stint_metric_values *values, const struct stint_numbers *numbers,
                           enum stint_metric metric, double p)
{
    double samples = (double)(numbers->count - numbers->recursive);
    double ns = (double)stint_numbers_percentile_ns(numbers, p);
    stint_metric_put_within(values, metric, ns, samples > 1 ? percentile_error(numbers, p, samples) : NAN);
    values->of[metric].resolution = resolution_of(numbers, ns);
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

void stint_metric_put_numbers(struct stint_metric_values *values, const struct stint_numbers *numbers, int has_self)
{
    double samples = (double)(numbers->count - numbers->recursive);
    /* The sum of squares is known if there is a histogram. */
    double stddev = numbers->bin_count && samples > 1 ? stint_numbers_stddev_ns(numbers) : NAN;
    stint_metric_put_exact(values, STINT_METRIC_COUNT, (double)numbers->count);
    stint_metric_put_within(values, STINT_METRIC_TOTAL, (double)numbers->total_ns, stddev * sqrt(samples));
    if (has_self)
        stint_metric_put(values, STINT_METRIC_SELF, (double)numbers->self_ns);
    if (!(samples > 0))
        return;
    stint_metric_put_within(values, STINT_METRIC_AVG, (double)numbers->total_ns / samples, stddev / sqrt(samples));
    stint_metric_put(values, STINT_METRIC_MIN, (double)numbers->min_ns);
    stint_metric_put(values, STINT_METRIC_MAX, (double)numbers->max_ns);
    if (!numbers->bin_count)
        return;
    put_percentile(values, numbers, STINT_METRIC_P50, 0.50);
    put_percentile(values, numbers, STINT_METRIC_P90, 0.90);
    put_percentile(values, numbers, STINT_METRIC_P99, 0.99);
}

/* The number of samples that meet something is binomial. One more that does and one more that does not keep the error
 * from being 0 where all do, or none does: what no sample met may have run for about a period. */
void stint_metric_put_sampled(struct stint_metric_values *values, enum stint_metric metric, uint64_t samples,
                              uint64_t time_ns)
{
    double n = (double)samples, time = (double)time_ns;
    double ns = values->of[metric].known ? fmin(values->of[metric].value, time) : 0;
    double part = (ns / time * n + 1) / (n + 2);
    stint_metric_put_within(values, metric, ns, time * sqrt(part * (1 - part) / n));
}

void stint_metric_put_use(struct stint_metric_values *values, const struct stint_gpu_use *use, uint64_t gpu_ns)
{
    stint_metric_put(values, STINT_METRIC_GPU, (double)gpu_ns);
    stint_metric_put_exact(values, STINT_METRIC_KERNELS, (double)use->kernels);
    stint_metric_put_exact(values, STINT_METRIC_BYTES, (double)use->copy_bytes + (double)use->set_bytes);
}
