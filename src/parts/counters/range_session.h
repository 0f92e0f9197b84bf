/* Counting kernels of one context: each that is to be counted is a range of its own, which CUPTI replays. */
#ifndef STINT_COUNTERS_RANGE_SESSION_H
#define STINT_COUNTERS_RANGE_SESSION_H

#include "counters/counter_plan.h"

struct stint_range_session {
    void *context;
    void *profiler; /* CUPTI's object; NULL: it could not be made */
    uint8_t *data;
    size_t bytes;
};

/* Prepares to count in a context. Returns 0, or -1 if a function failed. */
int stint_range_session(struct stint_range_session *session, struct stint_counter_plan *plan, void *context);

/* Ends that, in the same context. */
void stint_range_close(struct stint_range_session *session, struct stint_counter_plan *plan);

/* Before and after the launch of a kernel. The second waits until the kernel has run as often as it has to, and fills
 * `values`, one for each metric of the plan. Both return 0, or -1 if a function failed. */
int stint_range_begin(struct stint_range_session *session, struct stint_counter_plan *plan);
int stint_range_end(struct stint_range_session *session, struct stint_counter_plan *plan, double *values);

#endif
