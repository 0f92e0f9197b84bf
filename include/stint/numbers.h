/* stint/numbers.h - count, total, self, min, max, distribution: the numbers of whatever is measured. */
#ifndef STINT_NUMBERS_H
#define STINT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** One bar of a histogram: `count` samples, all within 6.3 % of `ns`; the last bar also takes what lasted longer than
 *  2^44 ticks of the clock, about two hours. */
struct stint_bin {
    uint64_t ns;
    uint64_t count;
};

/** The numbers of a scope, a statistic, or a thread's part of one. Of activations nested in another of the same name,
 *  only the outermost adds to total, min, max, square and bins in flat rows (struct stint_stat); every one counts. */
struct stint_numbers {
    uint64_t count;               /* activations that ended */
    uint64_t recursive;           /* of these, activations nested in another of the same name */
    uint64_t total_ns;            /* inclusive time */
    uint64_t self_ns;             /* time not spent in enclosed scopes, exact also under recursion */
    uint64_t min_ns;              /* shortest activation; 0 while count is 0 */
    uint64_t max_ns;              /* longest activation */
    double square_ns2;            /* sum of squared durations */
    uint64_t running;             /* activations that had not ended when the snapshot was taken */
    uint64_t running_ns;          /* their time so far, not part of the above */
    const struct stint_bin *bins; /* by rising ns; NULL where bin_count is 0 */
    size_t bin_count;
};

/** Returns the mean duration in ns of the activations in total_ns (count - recursive of them in flat rows); 0 if
 *  none. */
STINT_API uint64_t stint_numbers_avg_ns(const struct stint_numbers *numbers);

/** Returns the duration in ns that a fraction `p` of the activations did not exceed, within 6.3 %; p in [0, 1], values
 *  outside are clamped. 0 if there is no histogram. p = 0 gives min_ns and p = 1 max_ns, exactly. */
STINT_API uint64_t stint_numbers_percentile_ns(const struct stint_numbers *numbers, double p);

/** Returns the population standard deviation in ns: sqrt(square/n - (total/n)^2); 0 without samples. */
STINT_API double stint_numbers_stddev_ns(const struct stint_numbers *numbers);

STINT_EXTERN_C_END

#endif
