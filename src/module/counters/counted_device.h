/* What is counted on the devices of the process, or why nothing is. */
#ifndef STINT_COUNTERS_COUNTED_DEVICE_H
#define STINT_COUNTERS_COUNTED_DEVICE_H

#include "counters/range_session.h"

enum { STINT_COUNTED_CONTEXTS = 64, STINT_COUNTED_REASON = 384 };

/* Zero it to begin, but for the first three members. One thread at a time. */
struct stint_counted_device {
    void *cupti;        /* from dlopen */
    const char *wanted; /* the metrics */
    size_t run;         /* of the runs of the program between which metrics are split; 0: kernels are replayed */
    int is_planned;     /* 1: plan is complete, or reason says why not */
    struct stint_range_api api;
    struct stint_counter_plan plan;
    char reason[STINT_COUNTED_REASON]; /* why nothing can be counted; "" if it can */
    struct stint_range_session sessions[STINT_COUNTED_CONTEXTS];
    size_t session_count;
    double *values; /* of one kernel */
};

/* Prepares to count in a context that is current; makes the plan first, because before the first launch no device is
 * known. Returns NULL if nothing can be counted there. */
struct stint_range_session *stint_counted_session(struct stint_counted_device *device, void *context);

#endif
