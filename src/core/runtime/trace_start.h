/* STINT_TRACE: writes every event to a recording. */
#ifndef STINT_RUNTIME_TRACE_START_H
#define STINT_RUNTIME_TRACE_START_H

#include "stint/snapshot.h"

/* Reads STINT_TRACE. To be called before anything is recorded. */
void stint_runtime_trace_start(void);

/* Starts the thread that writes. Does nothing without STINT_TRACE. */
void stint_runtime_trace_run(void);

int stint_runtime_trace_is_on(void);

/* Finishes the recording when the process ends or executes another program. `is_news`: there is something to report
 * even without events. `emergency`: does only what a signal handler may do, and waits two seconds at most. */
void stint_runtime_trace_finish(const struct stint_snapshot *snapshot, int is_news, int emergency);

/* Says how a file is made of the recording, if one is wanted. To be called after all that. */
void stint_runtime_trace_tell(void);

/* To be called before that if the process is about to execute another program, whose trace must not overwrite this one:
 * inserts ".exec1", or the same with the first free number, before the file name extension. */
void stint_runtime_trace_put_aside(void);

/* In a forked child, whose trace must not overwrite its parent's: inserts the process id before the extension of a path
 * without %p. */
void stint_runtime_trace_after_fork(void);

#endif
