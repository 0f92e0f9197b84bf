/* Requests to a process, from others of the same user: on, off, print, json, dump. Each is a line sent to the socket
 * PID.START.sock in the folder that STINT_CONTROL names (%i in base/whole_file.h); the answer is a line, "ok" or
 * "error: ...". For json, the "ok" is followed by a report in JSON, and for dump by a line with a path. Then the
 * connection is closed. */
#ifndef STINT_CONTROL_LISTEN_H
#define STINT_CONTROL_LISTEN_H

#include <time.h>

/* Reads STINT_CONTROL. The folder has to belong to the user, and must not be accessible to others. */
void stint_listen_start(void);
int stint_listen_is_wanted(void);

/* Makes a socket, which is for the program's thread, as it takes the lowest number of a descriptor for a moment. A
 * failure only causes a message; none in a forked child, which may have become another user. */
void stint_listen_prepare(int is_child);

/* Gives it its name, by which it can be reached. Any thread may do so. */
void stint_listen_open(void);
int stint_listen_is_open(void);

/* Answers a request if one arrives within that time; with NULL, waits without limit. */
void stint_listen_wait(const struct timespec *time);

/* Has that return soon. Returns 0; -1: the socket cannot be reached by its name any more. Without a socket, nothing has
 * to be done; one that is not open yet is opened. */
int stint_listen_wake(void);

/* In a forked child: the child gets a socket of its own, and this one remains the parent's. */
void stint_listen_after_fork(void);

/* Removes the socket. Async-signal-safe. */
void stint_listen_end(void);

/* Reads STINT_BUDGET (budget_start.c). */
void stint_budget_start(void);

#endif
