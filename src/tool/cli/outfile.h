/* The file, or standard output, that a command writes, with messages about errors. */
#ifndef STINT_CLI_OUTFILE_H
#define STINT_CLI_OUTFILE_H

#include "base/whole_file.h"

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
