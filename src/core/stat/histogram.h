/* Histograms with the buckets of stint/detail/histogram.h, whose groups have counters only if there is a sample in the
 * group. A histogram has one writer; others may read it meanwhile. A zeroed one is empty. */
#ifndef STINT_STAT_HISTOGRAM_H
#define STINT_STAT_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stint/detail/histogram.h"
#include "stint/numbers.h"

struct stint_histogram {
    uint16_t *group[STINT_I_GROUPS]; /* STINT_I_GROUP counters each; NULL: no sample yet */
    uint32_t **wide;                 /* by group, like wide[][]: what exceeds 16 bits; each may be NULL */
};

/* Counts `samples` in a bucket, those of a bucket beyond the last in the last. Memory for its group comes from the
 * arena, if that is not NULL. Returns 0, or -1 if there was no memory. */
int stint_histogram_add(struct stint_histogram *histogram, uint32_t bucket, uint64_t samples,
                        struct stint_arena *arena);

/* Adds the samples of `from`, which may be written meanwhile. Returns 0, or -1 if there was no memory for some. */
int stint_histogram_merge(struct stint_histogram *into, const struct stint_histogram *from, struct stint_arena *arena);

/* Removes all samples; groups keep their memory. */
void stint_histogram_zero(struct stint_histogram *histogram);

/* Returns the number of samples in a bucket. */
uint64_t stint_histogram_samples(const struct stint_histogram *histogram, uint32_t bucket);

/* Writes the bins, STINT_I_BUCKETS at most, by rising ns. A tick, in which samples are counted, has `ns_per_tick`.
 * Returns the number of bins. */
size_t stint_histogram_bins(const struct stint_histogram *histogram, double ns_per_tick, struct stint_bin *bins);

/* Returns a duration that represents a bucket, in ticks: its middle, which is within 1/128 of every value in it. */
double stint_bucket_middle(uint32_t bucket);

#endif
