#include "replay/tally.h"

#include <stdlib.h>

#include "stint/detail/histogram.h"

/* Durations that were added one by one are put together when there are this many, or twice as many as remained. */
enum { FIRST_FEW = 1024 };

static int by_ns(const void *a, const void *b)
{
    const struct stint_bin *x = a, *y = b;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

/* Sorts the durations, and makes one of equal ones. */
static void put_together(struct stint_tally *tally)
{
    struct stint_bin *all = tally->durations.items;
    size_t count = 0;
    if (tally->durations.count)
        qsort(all, tally->durations.count, sizeof *all, by_ns);
    for (size_t i = 0; i < tally->durations.count; i++)
        if (count && all[count - 1].ns == all[i].ns)
            all[count - 1].count += all[i].count;
        else
            all[count++] = all[i];
    tally->durations.count = count;
}

static int add_sample(struct stint_tally *tally, struct stint_arena *arena, uint64_t ns)
{
    if (tally->durations.count >= tally->most) {
        put_together(tally);
        tally->most = 2 * tally->durations.count + FIRST_FEW;
    }
    struct stint_bin *added = stint_array_add(&tally->durations, arena, sizeof *added);
    if (!added)
        return -1;
    *added = (struct stint_bin){ns, 1};
    return 0;
}

int stint_tally_add(struct stint_tally *tally, struct stint_arena *arena, uint64_t ns, int is_recursive)
{
    struct stint_numbers *numbers = &tally->numbers;
    if (is_recursive) {
        numbers->count++;
        numbers->recursive++;
        return 0;
    }
    if (numbers->count == numbers->recursive || ns < numbers->min_ns)
        numbers->min_ns = ns;
    if (ns > numbers->max_ns)
        numbers->max_ns = ns;
    numbers->count++;
    numbers->total_ns += ns;
    numbers->square_ns2 += (double)ns * (double)ns;
    return add_sample(tally, arena, ns);
}

/* Whether one of the percentiles that reports show is among samples number `before` + 1 to `after`. */
static int has_percentile(uint64_t before, uint64_t after, uint64_t samples)
{
    static const double percentiles[] = {0.5, 0.9, 0.99};
    for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++) {
        double rank = percentiles[i] * (double)samples;
        if ((double)before < rank && (double)after >= rank)
            return 1;
    }
    return 0;
}

/* Makes few bins of many durations: one for each bucket of a histogram, in the middle of its durations, and one that
 * ends with each percentile, which therefore is exact. */
static size_t make_bins(const struct stint_tally *tally, struct stint_bin *bins)
{
    const struct stint_bin *all = tally->durations.items;
    uint64_t samples = tally->numbers.count - tally->numbers.recursive, seen = 0, shortest = 0;
    uint32_t bucket = UINT32_MAX; /* of the last bin; UINT32_MAX: it is complete */
    size_t count = 0;
    for (size_t i = 0; i < tally->durations.count; i++) {
        int is_percentile = has_percentile(seen, seen + all[i].count, samples);
        if (stint_i_bucket(all[i].ns) != bucket) {
            bins[count++] = (struct stint_bin){0};
            shortest = all[i].ns;
        }
        bins[count - 1].ns = is_percentile ? all[i].ns : shortest + (all[i].ns - shortest) / 2;
        bins[count - 1].count += all[i].count;
        bucket = is_percentile ? UINT32_MAX : stint_i_bucket(all[i].ns);
        seen += all[i].count;
    }
    return count;
}

struct stint_numbers stint_tally_numbers(struct stint_tally *tally, struct stint_arena *arena)
{
    put_together(tally);
    struct stint_numbers numbers = tally->numbers;
    struct stint_bin *bins = stint_arena_alloc(arena, tally->durations.count * sizeof *bins);
    if (!bins)
        return numbers;
    numbers.bins = bins;
    numbers.bin_count = make_bins(tally, bins);
    return numbers;
}
