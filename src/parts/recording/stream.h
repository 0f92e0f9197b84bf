/* What becomes of what is noted: a thread of the library has libstint_module.so write it while the program runs. */
#ifndef STINT_RECORDING_STREAM_H
#define STINT_RECORDING_STREAM_H

#include "model/recorder.h"

/* Returns a current report, which the next call replaces, or NULL if there is none. Called on the stream's thread. */
const char *stint_recording_report(size_t *length); /* trace_start.c */

/* Allocates memory; from now on threads note what they do, and GPU events come here. To be called before any thread
 * records. `path`, which is copied, is that of the recording. Returns 0, or -1 if there is no memory. */
int stint_stream_prepare(const char *path);

/* From now on, what the sampler keeps is written, too. */
void stint_stream_add_sampler(const struct stint_sampler *sampler);

/* Starts the thread. Does nothing if there is one, or if nothing is prepared. */
void stint_stream_run(void);

/* Writes everything that is left, with the final report, which has to stay where it is until the process ends. If there
 * is no thread, as in a forked child that recorded little, the caller does the work. To be called once: the trace has
 * then ended. */
void stint_stream_finish(const struct stint_recording_end *end);

/* Waits until that is done. Returns 0, or -1 after `limit_ns`; the unfinished file then has what came until the last
 * checkpoint. May be called in a signal handler, too. */
int stint_stream_wait(uint64_t limit_ns);

/* Asks for a recording of what there is, or of the last of it in a ring. The first is async-signal-safe. The second,
 * for one thread, waits for it, and returns its path, which stays until it asks for the next; NULL if there is no
 * trace, or no event, or it cannot be written, which is logged. */
void stint_stream_want_dump(void);
const char *stint_stream_dump(void);

/* The recording's name is about to lead nowhere for this process, which will be `owner`: its folder is kept open. */
void stint_stream_keep(uid_t owner);

/* To be called around fork, outside of all locks: the thread does no work while the child is created. What the first
 * returns is passed to the second. */
int stint_stream_before_fork(void);
void stint_stream_after_fork_in_parent(int locked);

/* In a forked child: there is no thread, nothing is noted, and its trace goes to `path`. */
void stint_stream_after_fork(const char *path);

#endif
