/* stint/numbers.h - the numbers of everything that is measured: count, total, self, min, max and distribution. */
#ifndef STINT_NUMBERS_H
#define STINT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** One bar of a histogram: `count` samples, all within 0.8 % of `ns`. */
struct stint_bin {
    uint64_t ns;
    uint64_t count;
};

struct stint_spread; /* rank_stats.h */

/** The numbers of a calling context, a statistic, or a thread's part of a statistic. Where activations of one name are
 *  nested in each other, every one counts, but in flat rows (struct stint_stat) only the outermost adds to total, min,
 *  max, square and bins. */
struct stint_numbers {
    uint64_t count;               /* activations that ended */
    uint64_t recursive;           /* of these, activations nested in another of the same name */
    uint64_t total_ns;            /* inclusive time */
    uint64_t self_ns;             /* time not spent in enclosed scopes, exact also under recursion */
    uint64_t min_ns;              /* shortest activation; 0 while count is 0 */
    uint64_t max_ns;              /* longest activation */
    double square_ns2;            /* sum of squared durations */
    uint64_t cpu_ns;              /* CPU time within total_ns; 0 without STINT_CPU=on */
    uint64_t overhead_ns;         /* cost of recording, subtracted from total_ns and the others */
    uint64_t self_overhead_ns;    /* the same for self_ns */
    uint64_t raw_min_ns;          /* min_ns as it was measured; 0 if nothing was subtracted */
    uint64_t raw_max_ns;          /* max_ns as it was measured; 0 if nothing was subtracted */
    uint64_t running;             /* activations that had not ended when the snapshot was taken */
    uint64_t running_ns;          /* their time so far, which is in no other number */
    const struct stint_bin *bins; /* by ascending ns; NULL if bin_count is 0 */
    size_t bin_count;
    const struct stint_bin *raw_bins; /* as they were measured; NULL if nothing was subtracted */
    size_t raw_bin_count;
    uint64_t left_out;    /* of count, those that were left out to keep STINT_BUDGET: minimum, maximum and bins lack
                              them, and total_ns and self_ns have an estimate of them */
    double error_ns;      /* total_ns is true within so many ns, with a confidence of 95 %; 0: it is no estimate */
    double self_error_ns; /* the same of self_ns, an estimate if activations of enclosed scopes were left out, too */
    const struct stint_spread *spread; /* between ranks (rank_stats.h); NULL: ranks were not told apart */
    uint64_t spare[2];                 /* 0; for later releases */
};

/** Returns the mean duration in ns of the activations that total_ns sums (in flat rows, count - recursive of them); 0
 *  if there are none. */
STINT_API uint64_t stint_numbers_avg_ns(const struct stint_numbers *numbers);

/** Returns the duration in ns that a fraction `p` of the activations did not exceed, within 0.8 %. `p` is clamped to
 *  [0, 1]; 0 gives exactly min_ns, and 1 exactly max_ns. Returns 0 if there is no histogram. */
STINT_API uint64_t stint_numbers_percentile_ns(const struct stint_numbers *numbers, double p);

/** Returns the population standard deviation in ns, sqrt(square/n - (total/n)^2); 0 if there are no samples. */
STINT_API double stint_numbers_stddev_ns(const struct stint_numbers *numbers);

STINT_EXTERN_C_END

#endif
