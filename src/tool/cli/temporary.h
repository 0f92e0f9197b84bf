/* Where files are kept that nobody is to see. */
#ifndef STINT_CLI_TEMPORARY_H
#define STINT_CLI_TEMPORARY_H

#include <stddef.h>

/* TMPDIR; or else /tmp, /var/tmp, /dev/shm or the working directory, the first that files can be made in. */
const char *stint_temporary_folder(void);

/* Creates a file in it and writes its path. Returns a descriptor, or -1: see errno. */
int stint_temporary_file(char *path, size_t size);

#endif
