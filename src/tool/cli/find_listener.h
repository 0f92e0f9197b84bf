/* The process that a command is to ask. */
#ifndef STINT_CLI_FIND_LISTENER_H
#define STINT_CLI_FIND_LISTENER_H

#include <stddef.h>

/* Reads a process id. Returns 0, or -1 after saying that it is none. */
int stint_read_pid(const char *text, long long *pid);

/* Finds the folder in which the process listens. Returns 0, or -1 after saying what is wrong. */
int stint_find_listener(char *folder, size_t size, long long pid);

#endif
