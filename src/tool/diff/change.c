/* Estimates by how much a metric changed, and within which limits that is certain: by resampling runs if there are
 * several of each side, else from the spread within runs. */
#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>

#include "stat/numbers.h"

enum { RESAMPLES = 1000, MOST_FILES = 20, LEAST_FILES = 2 };

/* Means of a few resampled runs spread too little: by the factor sqrt((n - 1) / n), and by the difference between
 * Student's t and the normal distribution. So the percentiles are not 2.5 and 97.5, but those where a normal
 * distribution has t(0.975, n - 1) * sqrt(n / (n - 1)): T. Hesterberg, "What Teachers Should Know About the Bootstrap",
 * The American Statistician 69 (2015), 4.3, the expanded percentile interval. With 4 runs or fewer these are the
 * extremes.
 * The ratio of means as the effect: T. Kalibera and R. Jones, "Quantifying Performance Changes with Effect Size
 * Confidence Intervals", University of Kent, technical report 4-12 (2012). */
static const double s_tail[MOST_FILES + 1] = {
    [3] = 0.00000,  [4] = 0.00012,  [5] = 0.00096,  [6] = 0.00243,  [7] = 0.00411,  [8] = 0.00573,
    [9] = 0.00722,  [10] = 0.00855, [11] = 0.00973, [12] = 0.01076, [13] = 0.01167, [14] = 0.01250,
    [15] = 0.01320, [16] = 0.01387, [17] = 0.01444, [18] = 0.01496, [19] = 0.01544, [20] = 0.01588,
};

/* The files of one side that have the metric. */
struct sample {
    size_t count;
    double mean;
    double error;      /* standard error of the mean, from within the runs; NAN: unknown */
    double resolution; /* of the mean */
    double *values;
};

/* ---------------------------------------------------------------------------------------------------------- samples */

/* `values` has room for all files of the side. */
static struct sample sample_of(const struct stint_diff *diff, const struct stint_diff_row *row, int side,
                               enum stint_metric metric, double *values)
{
    struct sample sample = {.values = values};
    double squares = 0;
    for (size_t i = 0; i < diff->side[side].count; i++) {
        const struct stint_metric_value *value = stint_diff_value(diff, row, side, i, metric);
        if (!value->known)
            continue;
        values[sample.count++] = value->value;
        sample.mean += value->value;
        sample.resolution += value->resolution;
        squares += value->error * value->error;
    }
    if (!sample.count)
        return sample;
    double n = (double)sample.count;
    sample.mean /= n;
    sample.resolution /= n;
    sample.error = sqrt(squares) / n;
    return sample;
}

static int is_constant(const struct sample *sample)
{
    for (size_t i = 1; i < sample->count; i++)
        if (sample->values[i] < sample->values[0] || sample->values[i] > sample->values[0])
            return 0;
    return 1;
}

/* -------------------------------------------------------------------------------------------------------- bootstrap */

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t word = *state += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ (word >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94D049BB133111EB);
    return word ^ (word >> 31);
}

static double resampled_mean(const struct sample *sample, uint64_t *state)
{
    double sum = 0;
    for (size_t i = 0; i < sample->count; i++)
        sum += sample->values[(next_random(state) >> 32) * sample->count >> 32];
    return sum / (double)sample->count;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double extreme(const struct sample *sample, int greatest)
{
    double found = sample->values[0];
    for (size_t i = 1; i < sample->count; i++)
        found = greatest ? fmax(found, sample->values[i]) : fmin(found, sample->values[i]);
    return found;
}

static double part_of(double a, double b)
{
    if (a > 0 || a < 0)
        return b / a - 1;
    return b > 0 || b < 0 ? NAN : 0;
}

/* The whole range of means that resampling can give, which a few hundred resamples might not reach. */
static void take_extremes(struct stint_change *change, const struct sample *a, const struct sample *b)
{
    double a_low = extreme(a, 0), a_high = extreme(a, 1), b_low = extreme(b, 0), b_high = extreme(b, 1);
    change->b_in = (struct stint_interval){b_low, b_high};
    change->difference_in = (struct stint_interval){b_low - a_high, b_high - a_low};
    change->part_in = (struct stint_interval){part_of(a_high, b_low), part_of(a_low, b_high)};
}

static struct stint_interval percentiles(double *values, double tail)
{
    qsort(values, RESAMPLES, sizeof *values, compare);
    size_t out = (size_t)(tail * RESAMPLES);
    return (struct stint_interval){values[out], values[RESAMPLES - 1 - out]};
}

static void bootstrap(struct stint_change *change, const struct sample *a, const struct sample *b)
{
    size_t fewest = a->count < b->count ? a->count : b->count;
    double tail = s_tail[fewest < MOST_FILES ? fewest : MOST_FILES];
    double difference[RESAMPLES], part[RESAMPLES], of_b[RESAMPLES];
    uint64_t state = 1;
    if (tail * RESAMPLES < 0.5 || (is_constant(a) && is_constant(b))) {
        take_extremes(change, a, b);
        return;
    }
    for (size_t i = 0; i < RESAMPLES; i++) {
        double mean_a = resampled_mean(a, &state);
        of_b[i] = resampled_mean(b, &state);
        difference[i] = of_b[i] - mean_a;
        part[i] = mean_a > 0 ? of_b[i] / mean_a - 1 : INFINITY;
    }
    change->difference_in = percentiles(difference, tail);
    change->part_in = percentiles(part, tail);
    change->b_in = percentiles(of_b, tail);
}

/* ------------------------------------------------------------------------------------------------------ within runs */

static struct stint_interval around(double middle, double half)
{
    return (struct stint_interval){middle - half, middle + half};
}

static void propagate(struct stint_change *change, const struct sample *a, const struct sample *b)
{
    change->b_in = around(b->mean, STINT_STANDARD_ERRORS_95 * b->error);
    change->difference_in = around(change->difference, STINT_STANDARD_ERRORS_95 * hypot(a->error, b->error));
    if (a->mean > 0)
        change->part_in =
            around(change->part, STINT_STANDARD_ERRORS_95 * hypot(b->error, b->mean / a->mean * a->error) / a->mean);
    else
        change->part_in = around(change->part, a->error > 0 || b->error > 0 ? INFINITY : 0);
}

/* -------------------------------------------------------------------------------------------------------------- all */

static void widen(struct stint_change *change, const struct sample *a, const struct sample *b)
{
    double both = a->resolution + b->resolution;
    change->b_in.low -= b->resolution;
    change->b_in.high += b->resolution;
    change->difference_in.low -= both;
    change->difference_in.high += both;
    if (!(both > 0) || !(a->mean > 0) || !(b->mean > 0))
        return;
    double of_a = a->resolution / a->mean, of_b = b->resolution / b->mean;
    change->part_in.low = (1 + change->part_in.low) * (1 - of_b) / (1 + of_a) - 1;
    change->part_in.high = (1 + change->part_in.high) * (1 + of_b) / (1 - of_a) - 1;
}

/* No metric can be below 0. */
static void clamp(struct stint_change *change)
{
    change->b_in.low = fmax(change->b_in.low, 0);
    change->part_in.low = fmax(change->part_in.low, -1);
    change->difference_in.low = fmax(change->difference_in.low, -change->value[STINT_DIFF_A]);
}

static enum stint_noise estimate(struct stint_change *change, const struct sample *a, const struct sample *b)
{
    if (a->count >= LEAST_FILES && b->count >= LEAST_FILES)
        bootstrap(change, a, b);
    else if (isfinite(a->error) && isfinite(b->error))
        propagate(change, a, b);
    else
        return STINT_NOISE_UNKNOWN;
    widen(change, a, b);
    clamp(change);
    return a->count >= LEAST_FILES && b->count >= LEAST_FILES ? STINT_NOISE_BETWEEN : STINT_NOISE_WITHIN;
}

static int has_zero(const struct stint_interval *in)
{
    return !(in->low > 0 || in->high < 0);
}

/* Within runs, the interval of the ratio is too narrow where B is next to 0, but not that of the difference. */
static enum stint_change_verdict judge(const struct stint_change *change)
{
    if (!(change->difference > 0) && !(change->difference < 0))
        return STINT_VERDICT_SAME;
    if (change->noise == STINT_NOISE_UNKNOWN)
        return STINT_VERDICT_NONE;
    if (has_zero(&change->difference_in) || (!isnan(change->part) && has_zero(&change->part_in)))
        return STINT_VERDICT_NOISE;
    return STINT_VERDICT_CHANGED;
}

struct stint_change stint_change_of(const struct stint_diff *diff, const struct stint_diff_row *row,
                                    enum stint_metric metric)
{
    struct stint_change change = {0};
    struct stint_arena arena = {0};
    size_t files = diff->side[STINT_DIFF_A].count + diff->side[STINT_DIFF_B].count;
    double *values = stint_arena_alloc(&arena, files * sizeof *values);
    if (!values)
        return change;
    struct sample a = sample_of(diff, row, STINT_DIFF_A, metric, values);
    struct sample b = sample_of(diff, row, STINT_DIFF_B, metric, values + diff->side[STINT_DIFF_A].count);
    change.files[STINT_DIFF_A] = a.count;
    change.files[STINT_DIFF_B] = b.count;
    change.value[STINT_DIFF_A] = a.mean;
    change.value[STINT_DIFF_B] = b.mean;
    if (a.count && b.count && fmax(a.mean, b.mean) >= 0x1p64) { /* a sum that is more than 64 bits hold */
        change.difference = change.part = INFINITY;
    } else if (a.count && b.count) {
        change.difference = b.mean - a.mean;
        change.part = part_of(a.mean, b.mean);
        change.noise = estimate(&change, &a, &b);
        change.verdict = judge(&change);
    }
    stint_arena_free(&arena);
    return change;
}

static int is_known(const struct stint_diff *diff, const struct stint_diff_row *row, int side, enum stint_metric metric)
{
    for (size_t i = 0; i < diff->side[side].count; i++)
        if (stint_diff_value(diff, row, side, i, metric)->known)
            return 1;
    return 0;
}

int stint_change_is_known(const struct stint_diff *diff, const struct stint_diff_row *row, enum stint_metric metric)
{
    return is_known(diff, row, STINT_DIFF_A, metric) && is_known(diff, row, STINT_DIFF_B, metric);
}

double stint_change_mean(const struct stint_diff *diff, const struct stint_diff_row *row, int side,
                         enum stint_metric metric)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < diff->side[side].count; i++) {
        const struct stint_metric_value *value = stint_diff_value(diff, row, side, i, metric);
        sum += value->known ? value->value : 0;
        count += value->known != 0;
    }
    return count ? sum / (double)count : 0;
}

enum stint_noise stint_noise_of(const struct stint_diff *diff)
{
    int several = diff->side[STINT_DIFF_A].count >= LEAST_FILES && diff->side[STINT_DIFF_B].count >= LEAST_FILES;
    return several ? STINT_NOISE_BETWEEN : STINT_NOISE_WITHIN;
}
