/* The folder in which a process listens for requests: STINT_CONTROL of the environment that it was started with. */
#ifndef STINT_CLI_CONTROL_FOLDER_H
#define STINT_CLI_CONTROL_FOLDER_H

/* Returns its path, for free. NULL: errno says why the environment cannot be read, or is 0 if there is no folder. */
char *stint_control_folder(long long pid);

#endif
