/* STINT_TRACE: every event, in a file. */
#ifndef STINT_RUNTIME_TRACE_START_H
#define STINT_RUNTIME_TRACE_START_H

#include "stint/snapshot.h"

/* Reads STINT_TRACE; before anything is recorded. */
void stint_runtime_trace_start(void);

/* Starts the thread that writes. Nothing without STINT_TRACE. */
void stint_runtime_trace_run(void);

int stint_runtime_trace_is_on(void);

/* The process ends, or becomes another program: finishes the file. `is_news`: there is something
 * to say even without events. `emergency`: as in a signal handler; then it waits two seconds at most. */
void stint_runtime_trace_finish(const struct stint_snapshot *snapshot, int is_news, int emergency);

/* Behind that, where the process is about to become another program, whose trace must not overwrite this: gives it the
 * name with ".exec1" in front of its ending, or the first number that is free. */
void stint_runtime_trace_put_aside(void);

/* A child's trace must not overwrite its parent's: a path without %p gets the process id in front of its ending. */
void stint_runtime_trace_after_fork(void);

#endif
