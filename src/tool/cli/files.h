/* Files that are no recordings: where some are kept that nobody is to see, `-` in place of a recording's name, and what
 * a command writes, with messages about errors. */
#ifndef STINT_CLI_FILES_H
#define STINT_CLI_FILES_H

#include <stddef.h>

#include "base/whole_file.h"

/* TMPDIR; or else /tmp, /var/tmp, /dev/shm or the working directory, the first that files can be made in. */
const char *stint_temporary_folder(void);

/* Creates a file in it and writes its path. Returns a descriptor, or -1: see errno. */
int stint_temporary_file(char *path, size_t size);

/* --------------------------------------------------------------------------------------------------- standard input */

/* Returns a path of what is on standard input, which can be opened any number of times. What comes through a pipe is
 * kept in a file without a name, in TMPDIR or /tmp, until the program ends. Returns NULL after saying why it cannot be
 * read. */
const char *stint_standard_input(void);

/* Whether it came through a pipe: then it has no name. */
int stint_standard_input_is_pipe(void);

/* ----------------------------------------------------------------------------------------------------------- output */

struct stint_outfile {
    struct stint_whole_file file; /* where to write */
    const char *path;             /* NULL: stdout */
};

/* Opens it; `path` NULL is stdout. Returns 0, or -1 after saying why not. */
int stint_outfile_open(struct stint_outfile *out, const char *path);

/* Closes it. With `failed` its contents could not be written. Returns 0, or -1 after saying so; an existing file is
 * then unchanged. */
int stint_outfile_close(struct stint_outfile *out, int failed);

#endif
