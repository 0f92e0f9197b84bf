/* Kinds of rows, their metrics, and how people read them: names, values with their errors, amounts in units. */
#include "diff/metric.h"
#include "report/line.h"

#include <math.h>
#include <string.h>

#include "stat/numbers.h"

static const struct {
    const char *name;
    const char *title;
} s_kinds[STINT_DIFF_KINDS] = {
    [STINT_DIFF_TOTAL] = {"total", "Totals"},
    [STINT_DIFF_SCOPE] = {"scope", "Scopes"},
    [STINT_DIFF_CONTEXT] = {"context", "Calling contexts"},
    [STINT_DIFF_KERNEL] = {"kernel", "Kernels"},
    [STINT_DIFF_COPY] = {"copy", "Copies and sets"},
    [STINT_DIFF_API] = {"api", "CUDA API calls"},
    [STINT_DIFF_COUNTER] = {"counter", "Counters of kernels"},
    [STINT_DIFF_SCOPE_COUNTER] = {"scope-counter", "Counters of scopes"},
    [STINT_DIFF_FUNCTION] = {"function", "Functions, by samples"},
};

static const struct {
    const char *name;
    const char *key;
    enum stint_metric_unit unit;
} s_metrics[STINT_METRICS] = {
    [STINT_METRIC_COUNT] = {"count", "count", STINT_METRIC_NUMBER},
    [STINT_METRIC_TOTAL] = {"total", "total_ns", STINT_METRIC_NS},
    [STINT_METRIC_SELF] = {"self", "self_ns", STINT_METRIC_NS},
    [STINT_METRIC_MIN] = {"min", "min_ns", STINT_METRIC_NS},
    [STINT_METRIC_MAX] = {"max", "max_ns", STINT_METRIC_NS},
    [STINT_METRIC_AVG] = {"avg", "avg_ns", STINT_METRIC_NS},
    [STINT_METRIC_P50] = {"p50", "p50_ns", STINT_METRIC_NS},
    [STINT_METRIC_P90] = {"p90", "p90_ns", STINT_METRIC_NS},
    [STINT_METRIC_P99] = {"p99", "p99_ns", STINT_METRIC_NS},
    [STINT_METRIC_GPU] = {"gpu", "gpu_ns", STINT_METRIC_NS},
    [STINT_METRIC_KERNELS] = {"kernels", "kernels", STINT_METRIC_NUMBER},
    [STINT_METRIC_BYTES] = {"bytes", "bytes", STINT_METRIC_OF_BYTES},
    [STINT_METRIC_VALUE] = {"value", "value", STINT_METRIC_NUMBER},
};

int stint_diff_kind_is_counter(enum stint_diff_kind kind)
{
    return kind == STINT_DIFF_COUNTER || kind == STINT_DIFF_SCOPE_COUNTER;
}

const char *stint_diff_kind_name(enum stint_diff_kind kind)
{
    return s_kinds[kind].name;
}

const char *stint_diff_kind_title(enum stint_diff_kind kind)
{
    return s_kinds[kind].title;
}

const char *stint_metric_key(enum stint_metric metric)
{
    return s_metrics[metric].key;
}

const char *stint_metric_name(enum stint_metric metric)
{
    return s_metrics[metric].name;
}

enum stint_metric_unit stint_metric_unit(enum stint_metric metric)
{
    return s_metrics[metric].unit;
}

const char *stint_metric_unit_name(enum stint_metric metric)
{
    static const char *const names[] = {
        [STINT_METRIC_NUMBER] = "", [STINT_METRIC_NS] = "ns", [STINT_METRIC_OF_BYTES] = "B"};
    return names[s_metrics[metric].unit];
}

static int is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

int stint_diff_kind_read(const char *text, size_t length, enum stint_diff_kind *kind)
{
    for (int i = 0; i < STINT_DIFF_KINDS; i++) {
        if (!is_name(s_kinds[i].name, text, length))
            continue;
        *kind = (enum stint_diff_kind)i;
        return 0;
    }
    return -1;
}

int stint_metric_read(const char *text, size_t length, enum stint_metric *metric)
{
    for (int i = 0; i < STINT_METRICS; i++) {
        if (!is_name(s_metrics[i].name, text, length))
            continue;
        *metric = (enum stint_metric)i;
        return 0;
    }
    return -1;
}

/* ----------------------------------------------------------------------------------------------------------- values */

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

/* Of a total, from the spread of activations, and where some were left out, from the error of what was estimated, which
 * is one of 95 %. NAN: neither is known. */
static double error_of(double spread, double error_ns)
{
    return !(error_ns > 0) ? spread : hypot(isnan(spread) ? 0 : spread, error_ns / STINT_STANDARD_ERRORS_95);
}

void stint_metric_put_numbers(struct stint_metric_values *values, const struct stint_numbers *numbers, int has_self)
{
    double samples = (double)(numbers->count - numbers->recursive);
    /* The sum of squares is known if there is a histogram. */
    double stddev = numbers->bin_count && samples > 1 ? stint_numbers_stddev_ns(numbers) : NAN;
    stint_metric_put_exact(values, STINT_METRIC_COUNT, (double)numbers->count);
    double error = error_of(stddev * sqrt(samples), numbers->error_ns);
    stint_metric_put_within(values, STINT_METRIC_TOTAL, (double)numbers->total_ns, error);
    if (has_self)
        stint_metric_put_within(values, STINT_METRIC_SELF, (double)numbers->self_ns,
                                error_of(NAN, numbers->self_error_ns));
    if (!(samples > 0))
        return;
    stint_metric_put_within(values, STINT_METRIC_AVG, (double)numbers->total_ns / samples, error / samples);
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

/* ---------------------------------------------------------------------------------------------------------- amounts */

/* Writes a number behind its sign. */
static void put_amount(char *out, enum stint_metric metric, double value)
{
    static const char *const units[] = {" B", " KB", " MB", " GB", " TB"};
    size_t unit = 0, length;
    switch (stint_metric_unit(metric)) {
    case STINT_METRIC_NS:
        (void)stint_time_format(out, value);
        break;
    case STINT_METRIC_OF_BYTES:
        for (; value >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++)
            value /= 1000;
        length = stint_number_fixed(out, value, unit ? 3 : 0);
        memcpy(out + length, units[unit], strlen(units[unit]) + 1);
        break;
    default:
        (void)stint_number_fixed(out, value, value <= floor(value) ? 0 : 1);
    }
}

struct stint_amount stint_amount(enum stint_metric metric, double value)
{
    struct stint_amount amount = {"-"};
    put_amount(amount.text + (value < 0), metric, fabs(value));
    return amount;
}

struct stint_amount stint_amount_of_change(enum stint_metric metric, double value)
{
    struct stint_amount amount = {{value < 0 ? '-' : '+'}};
    put_amount(amount.text + 1, metric, fabs(value));
    return amount;
}

size_t stint_amount_percent(char *out, double part)
{
    double percent = 100 * part;
    if (!(percent > 0) && !(percent < 0) && !isnan(percent)) {
        memcpy(out, "=", 2);
        return 1;
    }
    out[0] = '+';
    size_t sign = percent > 0;
    unsigned decimals = 1;
    for (double least = 0.1; fabs(percent) < least && decimals < 4; least /= 10)
        decimals++;
    return sign + stint_number_fixed(out + sign, percent, decimals);
}

struct stint_amount stint_amount_of_part(double part)
{
    struct stint_amount amount = {""};
    if (isnan(part))
        return (struct stint_amount){"from 0"};
    if (!isfinite(part))
        return (struct stint_amount){"?"};
    size_t length = stint_amount_percent(amount.text, part);
    if (amount.text[0] == '=')
        amount.text[0] = '0';
    memcpy(amount.text + length, "%", 2);
    return amount;
}
