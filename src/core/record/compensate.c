/* Takes the cost of recording off the numbers of one node. Only averages of it are known, so the shortest and longest
 * activations, and the histogram, are corrected by what is plausible for each. */
#include "record/compensate.h"

#include <stddef.h>

static const double s_sure = 0.9;

struct spread {
    double own;
    double average; /* of `below`, per activation */
    double share;   /* of `below` in the time without `own` */
};

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double take(double value, double cost)
{
    return value > cost ? value - cost : 0;
}

double stint_own_cost(const struct stint_own_cost *cost, double mean)
{
    enum { STEEPNESS = 6 };
    double hidden = STEEPNESS * take(mean, cost->empty);

    return cost->empty - lesser(hidden, cost->empty - cost->inside);
}

static uint64_t taken_off(uint64_t value, const struct spread *spread)
{
    double left = take((double)value, spread->own);

    return (uint64_t)(take(left, lesser(spread->average, left * spread->share)) + 0.5);
}

static size_t move_bins(const struct stint_numbers *numbers, const struct spread *spread, struct stint_bin *bins)
{
    size_t count = 0;

    for (size_t i = 0; i < numbers->bin_count; i++) {
        struct stint_bin bin = {taken_off(numbers->bins[i].ns, spread), numbers->bins[i].count};

        if (count && bins[count - 1].ns == bin.ns)
            bins[count - 1].count += bin.count;
        else
            bins[count++] = bin;
    }
    return count;
}

void stint_compensate(struct stint_numbers *numbers, const struct stint_cost_parts *parts, struct stint_bin *bins)
{
    double count = (double)numbers->count, total = (double)numbers->total_ns, self = (double)numbers->self_ns;

    if (!numbers->count)
        return;
    numbers->raw_min_ns = numbers->min_ns;
    numbers->raw_max_ns = numbers->max_ns;
    double left = take(total, parts->own * count);
    struct spread spread = {parts->own, parts->below / count, 1};
    if (spread.average > s_sure * take((double)numbers->min_ns, parts->own))
        spread.share = left > 0 ? lesser(parts->below / left, 1) : 0;
    uint64_t total_left = (uint64_t)(take(left, parts->below) + 0.5);
    uint64_t self_left = (uint64_t)(lesser(take(self, parts->own * count + parts->beside), (double)total_left) + 0.5);
    double mean = total / count, mean_left = (double)total_left / count;

    numbers->square_ns2 = take(numbers->square_ns2, count * mean * mean) + count * mean_left * mean_left;
    numbers->overhead_ns = numbers->total_ns - total_left;
    numbers->self_overhead_ns = numbers->self_ns - self_left;
    numbers->total_ns = total_left;
    numbers->self_ns = self_left;
    numbers->min_ns = taken_off(numbers->min_ns, &spread);
    numbers->max_ns = taken_off(numbers->max_ns, &spread);
    if (numbers->max_ns > total_left) /* many activations seemed to take less than recording them does */
        numbers->max_ns = total_left;
    if (numbers->min_ns > numbers->max_ns)
        numbers->min_ns = numbers->max_ns;
    if (numbers->bin_count) {
        numbers->raw_bins = numbers->bins;
        numbers->raw_bin_count = numbers->bin_count;
        numbers->bin_count = move_bins(numbers, &spread, bins);
        numbers->bins = bins;
    }
}
