/* stint/sink.h - where text goes: functions of the program's that receive a report, or the lines of the log. */
#ifndef STINT_SINK_H
#define STINT_SINK_H

#include <stddef.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

/** Receives a piece of text, `length` bytes, not terminated. Returns 0, or -1 to give up (errno says why). */
typedef int stint_write_fn(void *context, const char *text, size_t length);

enum stint_log_level { STINT_LOG_INFO = 0, STINT_LOG_WARNING = 1, STINT_LOG_ERROR = 2 };

/** Receives one log line: the message, without prefix and newline, NUL-terminated, valid during the call. */
typedef void stint_log_fn(void *context, enum stint_log_level level, const char *file, int line, const char *message);

/** Sends log lines to `log` from now on; NULL restores the default, which writes one line with glog's prefix to stderr:
 *      I0101 hh:mm:ss.uuuuuu tid file:line] message
 *  Threads: call it before other threads log. `log` is called from any thread, and must not block for long. */
STINT_API void stint_log_set_sink(stint_log_fn *log, void *context);

STINT_EXTERN_C_END

#endif
