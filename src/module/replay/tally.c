#include "replay/tally.h"

#include "stat/numbers.h"
#include "stint/detail/histogram.h"

/* Most statistics use few buckets: an array of all possible ones would take 40 times as much memory. */
struct bucket {
    uint64_t count;
    uint32_t bucket;
};

/* Returns the position of the bucket, or the position to insert it at. */
static size_t find(const struct stint_array *buckets, uint32_t bucket)
{
    const struct bucket *all = buckets->items;
    size_t low = 0, high = buckets->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].bucket < bucket)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int add_sample(struct stint_tally *tally, struct stint_arena *arena, uint64_t ns)
{
    uint32_t bucket = stint_i_bucket(ns);
    if (bucket >= STINT_I_BUCKETS)
        bucket = STINT_I_BUCKETS - 1;
    size_t at = find(&tally->buckets, bucket);
    struct bucket *all = tally->buckets.items;
    if (at == tally->buckets.count || all[at].bucket != bucket) {
        if (!stint_array_add(&tally->buckets, arena, sizeof *all))
            return -1;
        all = tally->buckets.items;
        for (size_t i = tally->buckets.count - 1; i > at; i--)
            all[i] = all[i - 1];
        all[at] = (struct bucket){.bucket = bucket};
    }
    all[at].count++;
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

struct stint_numbers stint_tally_numbers(const struct stint_tally *tally, struct stint_arena *arena)
{
    struct stint_numbers numbers = tally->numbers;
    const struct bucket *all = tally->buckets.items;
    struct stint_bin *bins = stint_arena_alloc(arena, tally->buckets.count * sizeof *bins);
    if (!bins)
        return numbers;
    for (size_t i = 0; i < tally->buckets.count; i++)
        bins[i] = (struct stint_bin){.ns = (uint64_t)(stint_bucket_middle(all[i].bucket) + 0.5), .count = all[i].count};
    numbers.bins = bins;
    numbers.bin_count = tally->buckets.count;
    return numbers;
}
