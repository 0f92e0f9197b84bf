/* The processes that a command is to ask. */
#ifndef STINT_CLI_FIND_LISTENER_H
#define STINT_CLI_FIND_LISTENER_H

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

#endif
