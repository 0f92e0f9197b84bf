/* Writes what is noted while the program runs: a thread of the library's own takes the chunks that the program's
 * threads hand over, gives their events to libstint_module.so, and puts aside on disk what that cannot keep up with. */
#ifndef STINT_TRACE_STREAM_H
#define STINT_TRACE_STREAM_H

#include <stddef.h>
#include <stdint.h>

/* Returns a report of this moment, which the next call replaces; NULL: there is none. On the stream's thread. */
typedef const char *stint_stream_report_fn(size_t *length);

/* Makes room; from now on threads note what they do, and GPU events come here. Before any records. `path`, which is
 * copied, is where the trace goes. Returns 0, or -1 without memory. */
int stint_stream_prepare(const char *path, stint_stream_report_fn *report);

/* Starts the thread. Nothing if there is one, or nothing is prepared. */
void stint_stream_run(void);

/* What the trace is finished with. */
struct stint_stream_end {
    const char *report;
    size_t length;
    int even_empty; /* 1: there is to be a file even without events */
};

/* Writes all there is, with the report of the end, which has to stay where it is until the process ends. Without a
 * thread, as in a forked child that recorded little, it does so itself. Once: the trace has ended. */
void stint_stream_finish(const struct stint_stream_end *end);

/* Waits until that is done. Returns 0, or -1 after `limit_ns`: what came until the last checkpoint is in the unfinished
 * file. In a signal handler, too. */
int stint_stream_wait(uint64_t limit_ns);

/* Around fork: what the thread does, it does not while the child is made. What the first returns is for the second.
 * Outside of all locks. */
int stint_stream_before_fork(void);
void stint_stream_after_fork_in_parent(int locked);

/* In a forked child: there is no thread, nothing is noted, and its trace goes to `path`. */
void stint_stream_after_fork(const char *path);

#endif
