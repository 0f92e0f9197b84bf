/* The processes that a command is to ask. */
#ifndef STINT_CLI_FIND_LISTENER_H
#define STINT_CLI_FIND_LISTENER_H

#include <stddef.h>

/* Reads a process id. Returns 0, or -1 after saying that it is none. */
int stint_read_pid(const char *text, long long *pid);

/* Finds the folder in which the process listens. Returns 0, or -1 after saying what is wrong. */
int stint_find_listener(char *folder, size_t size, long long pid);

/* Calls `tell` for each process that the arguments from optind on name; without any, sets `wants_all`, of which the
 * option --all may have been given. Returns STINT_CLI_OK, or the exit code after saying what is wrong. */
int stint_find_listeners(int count, char **arguments, int *wants_all,
                         void (*tell)(void *context, long long pid, const char *folder), void *context);

#endif
