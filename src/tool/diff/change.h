/* By how much a metric changed, and how much of that may be noise. */
#ifndef STINT_DIFF_CHANGE_H
#define STINT_DIFF_CHANGE_H

#include "diff/diff.h"

/* What the noise is estimated from. */
enum stint_noise {
    STINT_NOISE_UNKNOWN,
    STINT_NOISE_WITHIN, /* the spread within the runs, which does not include how runs differ from each other */
    STINT_NOISE_BETWEEN /* the spread between the runs of each side */
};

/* Contains the true value with 95 % confidence. */
struct stint_interval {
    double low;
    double high;
};

enum stint_change_verdict {
    STINT_VERDICT_NONE,    /* a side lacks the metric, or its noise is unknown */
    STINT_VERDICT_SAME,    /* equal */
    STINT_VERDICT_NOISE,   /* a change of zero is in the interval */
    STINT_VERDICT_CHANGED, /* a change of zero is not in the interval */
};

struct stint_change {
    size_t files[STINT_DIFF_SIDES]; /* that have the metric; the following are 0 if one side has none */
    double value[STINT_DIFF_SIDES]; /* mean over these files */
    double difference;              /* B - A */
    double part;                    /* difference as a part of A; 0 if both are 0, NAN if only A is */
    enum stint_noise noise;         /* if it is not unknown, the following are set */
    struct stint_interval difference_in;
    struct stint_interval part_in; /* not finite if A may be 0 */
    struct stint_interval b_in;
    enum stint_change_verdict verdict;
};

/* Intervals between runs are expanded bootstrap percentiles of the means; the same files always give the same interval.
 * Intervals within runs follow from standard errors. Both are widened by the resolution of histograms. */
struct stint_change stint_change_of(const struct stint_diff *diff, const struct stint_diff_row *row,
                                    enum stint_metric metric);

/* Returns whether both sides have the metric. */
int stint_change_is_known(const struct stint_diff *diff, const struct stint_diff_row *row, enum stint_metric metric);

/* Returns the mean of the metric over the files of a side that have it; 0 if none has. */
double stint_change_mean(const struct stint_diff *diff, const struct stint_diff_row *row, int side,
                         enum stint_metric metric);

/* Returns the best available source of the noise of this comparison. */
enum stint_noise stint_noise_of(const struct stint_diff *diff);

#endif
