/* Arithmetic on struct stint_numbers. */
#ifndef STINT_STAT_NUMBERS_H
#define STINT_STAT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "stint/detail/histogram.h"
#include "stint/numbers.h"
#include "stint/statset.h"

/* What files say may add up to more than 64 bits hold. Then the sum stays at the largest number, which tables show as
 * more than that; a snapshot counts those it has (dropped.saturated). */
void stint_sum_up(uint64_t *sum, uint64_t more);

static inline uint64_t stint_sum_of(uint64_t a, uint64_t b)
{
    stint_sum_up(&a, b);
    return a;
}

/* The same for `count` sums that are one behind the other, and for the members of a struct from `first` to `last`. */
void stint_sums_up(uint64_t *sums, const uint64_t *more, size_t count);
#define STINT_SUMS_UP(into, from, first, last)                                                                         \
    stint_sums_up(&(into)->first, &(from)->first,                                                                      \
                  1 + (offsetof(__typeof__(*(into)), last) - offsetof(__typeof__(*(into)), first)) / sizeof(uint64_t))

/* 95 % of a normal distribution lie within this many standard errors. */
#define STINT_STANDARD_ERRORS_95 1.96

/* What was measured fits into 63 bits, which are converted by one instruction. Of a clock that stepped back it may be
 * less than nothing. */
static inline double stint_real(uint64_t measured)
{
    return (double)(int64_t)measured;
}

static inline uint64_t stint_whole_ns(double ns)
{
    return ns < 0x1p63 ? (uint64_t)(int64_t)(ns + 0.5) : UINT64_MAX;
}

/* Adds `from` to `into`. New bins come from the arena. Returns 0, or -1 if there was no memory; `into` then lacks the
 * bins of `from`. */
int stint_numbers_add(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena);

/* The same, if no one else uses the bins of `into`, which may change then. */
int stint_numbers_add_own(struct stint_numbers *into, const struct stint_numbers *from, struct stint_arena *arena);

/* Clocks with slightly different rates give slightly different bins. Whether two bins are to be merged: their first 10
 * bits are the same, so that they differ by less than 1/512, which is small compared with the 1/64 that a bin spans.
 * What is the same does not depend on what was merged before, and a sum not on its order. */
static inline int stint_bin_is_same(const struct stint_bin *a, const struct stint_bin *b)
{
    enum { KEPT_BITS = 10 };
    int rest = 64 - KEPT_BITS - __builtin_clzll(a->ns | b->ns | UINT64_C(1) << (KEPT_BITS - 1));
    return a->ns >> rest == b->ns >> rest;
}

/* ------------------------------------------------------------------------------------------------------- statistics */

/* What a statistic is of: by which way its activations were recorded, and what one of them cost. */

/* The ways in which activations are recorded. Each has a cost of its own. */
enum stint_cost_kind {
    STINT_COST_SCOPE,
    STINT_COST_FUNCTION, /* of -finstrument-functions */
    STINT_COST_RANGE,    /* of NVTX */
    STINT_COST_CALL,     /* of CUDA's API */
    STINT_COST_SAMPLE,   /* of stint_statset_add: no activation, and nothing is taken off it */
    STINT_COST_KINDS
};

/* Returns the way by which the activations of a statistic are recorded, by its set and call site: the call site of a
 * function has a name, but no line. Samples that were added are told apart by their number alone (struct
 * stint_process): they may be of the same statistic as scopes. */
enum stint_cost_kind stint_cost_kind_of(const char *set, const char *function, uint32_t line);

/* Returns what one activation, or sample, cost; that of a scope if it was not measured. */
struct stint_cost stint_recording_cost(const struct stint_process *process, enum stint_cost_kind way);

/* Returns whether a statistic is a call of CUDA's API. */
int stint_gpu_is_call(const struct stint_stat *stat);

/* ------------------------------------------------------------------------------------------------------ histogram.c */

/* Histograms with the buckets of stint/detail/histogram.h, as lists of pieces, which exist where there are samples: an
 * empty one is NULL. A histogram has one writer; others may read it meanwhile. */

enum { STINT_HISTOGRAM_PIECE = 20 }; /* buckets: as many as make a piece a cache line */

struct stint_histogram {
    uint16_t counter[STINT_HISTOGRAM_PIECE];
    uint32_t number;              /* of the piece: its first bucket, divided by their number */
    uint32_t *wide;               /* what exceeds 16 bits, of each counter; NULL: nothing does */
    struct stint_histogram *next; /* of longer durations */
};

/* Counts `samples` in a bucket, those of a bucket beyond the last in the last. Memory for its piece comes from the
 * arena, if that is not NULL. Returns 0, or -1 if there was no memory. */
int stint_histogram_add(struct stint_histogram **histogram, uint32_t bucket, uint64_t samples,
                        struct stint_arena *arena);

/* Adds the samples of `from`, which may be written meanwhile. Returns how many samples there was no memory for. */
uint64_t stint_histogram_merge(struct stint_histogram **into, const struct stint_histogram *from,
                               struct stint_arena *arena);

/* Removes all samples; pieces keep their memory. */
void stint_histogram_zero(struct stint_histogram *histogram);

/* Returns the number of samples in a bucket. */
uint64_t stint_histogram_samples(const struct stint_histogram *histogram, uint32_t bucket);

/* Writes the bins, STINT_I_BUCKETS at most, by rising ns. A tick, in which samples are counted, has `ns_per_tick`.
 * Returns the number of bins. */
size_t stint_histogram_bins(const struct stint_histogram *histogram, double ns_per_tick, struct stint_bin *bins);

/* Returns a duration that represents a bucket, in ticks: its middle, which is within 1/128 of every value in it. */
double stint_bucket_middle(uint32_t bucket);

#endif
