/* stint/sink.h - functions of the program that receive the text of a report or the lines of the log. */
#ifndef STINT_SINK_H
#define STINT_SINK_H

#include <stddef.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

/** Receives a piece of text of `length` bytes, not NUL-terminated. Returns 0 to go on, or -1 to give up, with errno
 *  set. */
typedef int stint_write_fn(void *context, const char *text, size_t length);

enum stint_log_level { STINT_LOG_INFO = 0, STINT_LOG_WARNING = 1, STINT_LOG_ERROR = 2 };

/** Receives one line of the log. `message` has neither prefix nor newline, is NUL-terminated, and is valid only during
 *  the call. */
typedef void stint_log_fn(void *context, enum stint_log_level level, const char *file, int line, const char *message);

/** Sends log lines to `log` from now on. NULL restores the default, which writes each line to stderr with a prefix like
 *  glog's:
 *      I0101 hh:mm:ss.uuuuuu tid file:line] message
 *  Threads: call it before other threads log. `log` may be called from any thread, and must not block for long. */
STINT_API void stint_log_set_sink(stint_log_fn *log, void *context);

STINT_EXTERN_C_END

#endif
