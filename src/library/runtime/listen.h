/* Requests to a process, from others of the same user: on, off, print, json. Each is a line sent to the socket PID.sock
 * in the folder that STINT_CONTROL names; the answer is a line, "ok" or "error: ...", and behind the "ok" of json a
 * report in JSON. Then the connection ends. */
#ifndef STINT_RUNTIME_LISTEN_H
#define STINT_RUNTIME_LISTEN_H

#include <time.h>

#include "record/hold.h"

enum { STINT_HOLD_USER = STINT_HOLD_OTHERS << 4 }; /* by request */

/* Reads STINT_CONTROL. The folder has to be the user's, and closed to all others. */
void stint_listen_start(void);
int stint_listen_is_wanted(void);

/* The following three are for the thread that listens. Nothing comes of a failure but a message. */
void stint_listen_open(void);
int stint_listen_is_open(void);

/* Answers a request if one comes within that time; NULL: whenever it comes. */
void stint_listen_wait(const struct timespec *time);

/* The child's socket is another; this one stays the parent's. */
void stint_listen_after_fork(void);

/* Removes the socket. Async-signal-safe. */
void stint_listen_end(void);

#endif
