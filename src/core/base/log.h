/* The log: one line per message, to the user's sink or to stderr with glog's prefix. */
#ifndef STINT_BASE_LOG_H
#define STINT_BASE_LOG_H

#include <stddef.h>

#include "stint/sink.h"

enum { STINT_LOG_PREFIX_SIZE = 320, STINT_LOG_MESSAGE_SIZE = 4800 };

/* Logs a message of at most STINT_LOG_MESSAGE_SIZE - 1 bytes; a longer one is cut. Formats like printf, but without
 * floats. */
__attribute__((format(printf, 4, 5))) void stint_log(enum stint_log_level level, const char *file, int line,
                                                     const char *format, ...);

/* Passes a finished message, of any length, to the sink. */
void stint_log_message(enum stint_log_level level, const char *file, int line, const char *message);

/* The file's name as logs show it, where the compiler knows it without its folders. */
#ifdef __FILE_NAME__
#define STINT_LOG_FILE __FILE_NAME__
#else
#define STINT_LOG_FILE __FILE__
#endif

#define STINT_LOG(level, ...) stint_log((level), STINT_LOG_FILE, __LINE__, __VA_ARGS__)

/* Writes glog's prefix "I0101 hh:mm:ss.uuuuuu tid file:line] " and returns its length. Async-signal-safe. */
size_t stint_log_prefix(char *out, enum stint_log_level level, const char *file, int line);

/* Determines the local time zone. To be called once, outside of signal handlers, before the first prefix. In a forked
 * child it does nothing, because another thread may have held the C library's lock at the fork; times are then UTC. */
void stint_log_learn_zone(void);

/* Learns what stdout and stderr are. The library does so before main. */
void stint_log_learn_streams(void);

/* Returns the descriptor of stderr; -1 if it was closed as the program began, or is now something else than it was,
 * than stdout was, or than /dev/null: it may be the program's data. */
int stint_log_stderr(void);

/* Whether the program began with a stderr that is now something else, or nobody has read for some seconds. */
int stint_log_stderr_is_lost(void);

/* A stint_write_fn for stint_text; context points to an int, the file descriptor. A broken pipe or a file that may not
 * grow is an error, never a SIGPIPE or SIGXFSZ for the host program; so is a pipe that nobody reads for so many
 * seconds, EAGAIN. */
int stint_write_fd(void *context, const char *bytes, size_t length);
extern int stint_write_patience_s;

#endif
