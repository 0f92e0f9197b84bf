/* What is counted on the devices of the process, or why nothing is. */
#ifndef STINT_COUNTERS_COUNTED_DEVICE_H
#define STINT_COUNTERS_COUNTED_DEVICE_H

#include <stddef.h>

#include "counters/counter_plan.h"
#include "model/counting.h"
#include "stint/status.h"
#include "support/keyed_table.h"

enum { STINT_COUNTED_CONTEXTS = 64, STINT_COUNTED_REASON = 384 };

/* Zero it to begin, but for the first four members. One thread at a time. */
struct stint_counted_device {
    void *cupti;        /* from dlopen */
    const char *wanted; /* the metrics */
    size_t run;         /* of the runs of the program between which metrics are split; 0: kernels are replayed */
    int is_strict;      /* 1: a metric that the device does not have keeps all from being counted */
    int is_planned;     /* 1: plan is complete, or reason says why not */
    int is_open;        /* 1: CUPTI's profiler is initialized */
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

/* --------------------------------------------------------------------------------------------------- counter_rows.c */

/* What was counted: numbers by kernel, or scope, and metric. */

/* Zero it to begin. */
struct stint_counter_rows {
    struct stint_arena arena;
    struct stint_table rows; /* struct stint_nvtx_value, with texts of its own */
};

/* Adds a value to the row of (set, name, metric). */
void stint_counter_rows_add(struct stint_counter_rows *rows, const char *set, const char *name, const char *metric,
                            double value);

/* Adds up the rows of a set whose names are among the patterns, of a metric with or without its suffix. */
struct stint_counter stint_counter_rows_sum(const struct stint_counter_rows *rows, const char *set,
                                            const char *patterns, const char *metric);

/* Passes on all rows. */
void stint_counter_rows_put(const struct stint_counter_rows *rows, stint_counting_put_fn *put, void *context);

/* --------------------------------------------------------------------------------------------------- replay_watch.c */

/* Ends programs whose kernel does not end while it is counted. */

/* The exit code, which timeout(1) has as well. */
enum { STINT_REPLAY_TIMEOUT = 124 };

/* Around each kernel that is counted, one at a time. If STINT_COUNTERS_TIMEOUT seconds pass in between, says which
 * kernel it is and what to do, and ends the process: a kernel cannot be cancelled otherwise. `name` has to stay. */
void stint_replay_watch_begin(const char *name);
void stint_replay_watch_end(void);

/* Whether there is room for what a replay has to save. */

/* In the context that is current: returns 0 if the memory of the device that is in use fits into that which is free on
 * the device and the host; else -1, and `why` says what is missing. Of memory that nobody knows enough is taken for
 * granted. */
int stint_replay_room(char *why, size_t size);

/* --------------------------------------------------------------------------------------------------------- worker.c */

/* A thread that calls CUPTI for others, which are in one of its callbacks: many of its functions must not be called
 * there. */

/* Has the thread run a function in a context, and waits for it. `begin` is called on the thread as it begins. One
 * caller at a time. Returns 0, or -1 if there is no thread. */
int stint_worker_run(void (*begin)(void), void (*run)(void *argument), void *argument, void *context);

#endif
