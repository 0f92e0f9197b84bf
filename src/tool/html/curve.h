/* Curves of numbers over time: NVTX counters and values, and memory. Each keeps so many points, whatever the number of
 * samples: a point is one, or several that follow each other. */
#ifndef STINT_HTML_CURVE_H
#define STINT_HTML_CURVE_H

#include "base/array.h"
#include "stat/event.h"

enum { STINT_CURVES_MOST = 32, STINT_CURVE_POINTS = 512, STINT_NO_DEVICE = -1 };

struct stint_curve_point {
    uint64_t start_ns; /* of the first of its samples */
    double least, most, last;
};

struct stint_curve {
    int64_t pid;
    int64_t device; /* of memory; else STINT_NO_DEVICE */
    const char *name;
    const char *what; /* "bytes", the name of a payload's number, "value" */
    uint64_t per;     /* samples that share a point */
    uint64_t in_last; /* samples in the last point */
    size_t count;
    struct stint_curve_point points[STINT_CURVE_POINTS];
};

struct stint_curves {
    struct stint_arena *arena;
    struct stint_curve *all[STINT_CURVES_MOST];
    size_t count;
    uint64_t beyond; /* samples of further curves */
};

/* Adds the sample of which the event, a point, tells. Returns 0, or -1 without memory. */
int stint_curves_add(struct stint_curves *curves, const struct stint_event *event);

#endif
