/* What is counted on the devices of the process, or why nothing is. */
#ifndef STINT_COUNTERS_COUNTED_DEVICE_H
#define STINT_COUNTERS_COUNTED_DEVICE_H

#include "counters/range_session.h"
#include "stint/status.h"

enum { STINT_COUNTED_CONTEXTS = 64, STINT_COUNTED_REASON = 384 };

/* Zero it to begin, but for the first four members. One thread at a time. */
struct stint_counted_device {
    void *cupti;        /* from dlopen */
    const char *wanted; /* the metrics */
    size_t run;         /* of the runs of the program between which metrics are split; 0: kernels are replayed */
    int is_strict;      /* 1: a metric that the device does not have keeps all from being counted */
    int is_planned;     /* 1: plan is complete, or reason says why not */
    int is_open;        /* 1: CUPTI's profiler is initialised */
    struct stint_range_api api;
    struct stint_counter_plan plan;
    enum stint_status status;
    char reason[STINT_COUNTED_REASON]; /* why nothing can be counted; "" if it can */
    struct stint_range_session sessions[STINT_COUNTED_CONTEXTS];
    size_t session_count;
    double *values; /* of one kernel */
};

/* Prepares to count in a context that is current; makes the plan first, because before the first launch no device is
 * known. Returns NULL if nothing can be counted there. */
struct stint_range_session *stint_counted_session(struct stint_counted_device *device, void *context);

/* Ends what the calling thread's context was prepared for. */
void stint_counted_close(struct stint_counted_device *device, struct stint_range_session *session);

/* Forgets the plan when all are closed, so that the next one can be made for other metrics. */
void stint_counted_forget(struct stint_counted_device *device);

#endif
