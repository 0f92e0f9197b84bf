/* Running processes that listen (control/listen.h): where they do, and what they answer. */
#ifndef STINT_CLI_LISTENER_H
#define STINT_CLI_LISTENER_H

#include <stddef.h>

/* Returns the folder in which a process listens, by STINT_CONTROL of the environment that the process was started with,
 * for free. NULL: errno says why the environment cannot be read, or is 0 if there is no folder. */
char *stint_control_folder(long long pid);

/* Returns that folder by the socket on which the process listens, for free, or NULL: some programs write over their
 * environment, to show a title. */
char *stint_socket_folder(long long pid);

/* Calls `tell` for each process that listens, and has this user: with its folder, which is valid until it returns. */
void stint_each_listener(void (*tell)(void *context, long long pid, const char *folder), void *context);

/* ---------------------------------------------------------------------------------------------------- for a command */

/* Reads a process id. Returns 0, or -1 after saying that it is none. */
int stint_read_pid(const char *text, long long *pid);

/* Finds the folder in which the process listens. Returns 0, or -1 after saying what is wrong. */
int stint_find_listener(char *folder, size_t size, long long pid);

/* Calls `tell` for each process that the arguments from optind on name; without any, sets `wants_all`, of which the
 * option --all may have been given. Returns STINT_CLI_OK, or the exit code after saying what is wrong. */
int stint_find_listeners(int count, char **arguments, int *wants_all,
                         void (*tell)(void *context, long long pid, const char *folder), void *context);

/* --------------------------------------------------------------------------------------------------------- requests */

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
