/* Requests to a running process that listens (control/listen.h). */
#ifndef STINT_CLI_LISTENER_H
#define STINT_CLI_LISTENER_H

#include <stddef.h>

/* How long to wait for the next part of an answer, and for all of it, and how long it may be. */
enum { STINT_ASK_PATIENCE_S = 2, STINT_ASK_MOST_S = 10, STINT_ASK_MOST_BYTES = 1 << 30 };

/* Sends a request to the process that listens in the folder, and returns the text after its "ok", NUL-terminated,
 * for free. NULL: it refused, does not listen or does not answer in time; `reason` says which, for "process 4711
 * ...". */
char *stint_ask(const char *folder, long long pid, const char *request, size_t *length, char *reason, size_t size);

/* Returns what the process has recorded so far; NULL if it does not answer, or with something else. */
struct stint_snapshot;
struct stint_snapshot *stint_ask_snapshot(const char *folder, long long pid);

#endif
