/* Medians and deviations, computed from the extremes, from histograms and sums of squares, or from every sample. */
#include <math.h>

#include "formats/nsys.h"
#include "stat/numbers.h"

/* Alternates between two memories: one holds the sum's histogram while the next histogram grows in the other. */
void stint_nsys_add_numbers(struct stint_nsys *nsys, struct stint_numbers *sum, const struct stint_numbers *from)
{
    struct stint_arena *arena = &nsys->scratch[nsys->scratch_used];
    if (!sum->count && !sum->running) {
        *sum = *from;
        return;
    }
    if (from->bin_count) {
        nsys->scratch_used = !nsys->scratch_used;
        arena = &nsys->scratch[nsys->scratch_used];
        stint_arena_reuse(arena);
    }
    if (stint_numbers_add(sum, from, arena))
        nsys->failed = 1;
}

void stint_nsys_add_sample(struct stint_nsys_spread *spread, uint64_t value)
{
    if (!spread->count || value < spread->min)
        spread->min = value;
    if (value > spread->max)
        spread->max = value;
    spread->count++;
    spread->total += value;
}

int stint_nsys_spread_simple(struct stint_nsys_spread *spread)
{
    if (spread->count > 2 && spread->min != spread->max)
        return 0;
    spread->median_is = STINT_NSYS_EXACT;
    spread->median = ((double)spread->min + (double)spread->max) / 2;
    spread->has_deviation = 1;
    spread->deviation = ((double)spread->max - (double)spread->min) / sqrt(2);
    return 1;
}

struct stint_nsys_spread stint_nsys_spread_of(const struct stint_numbers *numbers)
{
    struct stint_nsys_spread spread = {.count = numbers->count - numbers->recursive,
                                       .total = numbers->total_ns,
                                       .min = numbers->min_ns,
                                       .max = numbers->max_ns};
    double n = (double)spread.count;
    if (stint_nsys_spread_simple(&spread))
        return spread;
    if (numbers->square_ns2 > 0) {
        spread.has_deviation = 1;
        spread.deviation = stint_numbers_stddev_ns(numbers) * sqrt(n / (n - 1));
    }
    if (numbers->bin_count) {
        spread.median_is = STINT_NSYS_NEAR;
        spread.median = (double)stint_numbers_percentile_ns(numbers, 0.5);
    }
    return spread;
}

/* ---------------------------------------------------------------------------------------------------------- samples */

struct pair {
    size_t row;
    uint64_t value;
};

void stint_nsys_sample(struct stint_nsys *nsys, struct stint_nsys_samples *samples, size_t row, uint64_t value)
{
    struct pair *pair;
    if (stint_nsys_row_at(nsys, row)->spread.median_is == STINT_NSYS_EXACT)
        return;
    pair = stint_array_add(&samples->pairs, &nsys->arena, sizeof *pair);
    if (pair)
        *pair = (struct pair){row, value};
    else
        nsys->failed = 1;
}

static int value_before(const void *array, size_t a, size_t b)
{
    const uint64_t *values = array;
    return values[a] < values[b];
}

/* Needs more than two samples; fewer are handled by stint_nsys_spread_simple. */
static void settle_row(struct stint_nsys_spread *spread, const uint64_t *values, size_t *order, size_t count)
{
    size_t below = (count - 1) / 2, above = count / 2; /* the two in the middle */
    double mean = 0, square = 0;
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
        mean += (double)values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        double away = (double)values[i] - mean;
        square += away * away;
    }
    stint_sort(order, count, value_before, values);
    spread->median_is = STINT_NSYS_EXACT;
    spread->median = ((double)values[order[below]] + (double)values[order[above]]) / 2;
    spread->has_deviation = 1;
    spread->deviation = sqrt(square / (double)(count - 1));
}

/* Puts each row's values together: they begin at first[row + 1]. */
static void gather(const struct stint_nsys_samples *samples, size_t rows, size_t *first, uint64_t *values)
{
    const struct pair *pairs = samples->pairs.items;
    size_t count = samples->pairs.count;
    for (size_t i = 0; i < count; i++)
        first[pairs[i].row + 1]++;
    for (size_t row = 0; row < rows; row++)
        first[row + 1] += first[row];
    for (size_t i = count; i--;) /* from the end, so that each value goes in front of the one placed before it */
        values[--first[pairs[i].row + 1]] = pairs[i].value;
}

void stint_nsys_settle(struct stint_nsys *nsys, const struct stint_nsys_samples *samples)
{
    size_t rows = nsys->rows.count, count = samples->pairs.count;
    size_t *first = stint_nsys_alloc(nsys, rows + 1, sizeof *first);
    size_t *order = stint_nsys_alloc(nsys, count, sizeof *order);
    uint64_t *values = stint_nsys_alloc(nsys, count, sizeof *values);
    if (nsys->failed)
        return;
    gather(samples, rows, first, values);
    for (size_t row = 0; row < rows; row++) {
        struct stint_nsys_spread *spread = &stint_nsys_row_at(nsys, row)->spread;
        size_t begin = first[row + 1], end = row + 1 < rows ? first[row + 2] : count;
        if (end - begin > 2 && end - begin == spread->count) /* otherwise the trace lacks some samples */
            settle_row(spread, values + begin, order, end - begin);
    }
}
