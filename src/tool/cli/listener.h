/* Requests to a running process that listens (runtime/listen.h). */
#ifndef STINT_CLI_LISTENER_H
#define STINT_CLI_LISTENER_H

#include <stddef.h>

enum { STINT_ASK_PATIENCE_S = 2 };

/* Sends a request to the process that listens in the folder, and returns the text after its "ok", NUL-terminated,
 * for free. NULL: it refused, does not listen or does not answer in time; `reason` says which, for "process 4711
 * ...". */
char *stint_ask(const char *folder, long long pid, const char *request, size_t *length, char *reason, size_t size);

#endif
