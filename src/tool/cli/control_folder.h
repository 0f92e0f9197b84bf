/* The folder in which a process listens for requests. */
#ifndef STINT_CLI_CONTROL_FOLDER_H
#define STINT_CLI_CONTROL_FOLDER_H

/* Returns its path by STINT_CONTROL of the environment that the process was started with, for free. NULL: errno says
 * why the environment cannot be read, or is 0 if there is no folder. */
char *stint_control_folder(long long pid);

/* Returns its path by the socket on which the process listens, for free, or NULL: some programs write over their
 * environment, to show a title. */
char *stint_socket_folder(long long pid);

/* Calls `tell` for each process that listens, and has this user: with its folder, which is valid until it returns. */
void stint_each_listener(void (*tell)(void *context, long long pid, const char *folder), void *context);

#endif
