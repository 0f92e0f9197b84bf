/* A file that appears whole, or not at all. */
#ifndef STINT_CLI_OUTFILE_H
#define STINT_CLI_OUTFILE_H

#include <limits.h>

struct stint_outfile {
    int file;              /* where to write */
    const char *path;      /* NULL: stdout */
    char beside[PATH_MAX]; /* the file until it is whole; "": written in place, because it is no regular file */
};

/* Opens it; `path` NULL is stdout. Returns 0, or -1 after saying why not. */
int stint_outfile_open(struct stint_outfile *out, const char *path);

/* Closes it. With `failed` its contents could not be written, and errno says why. Returns 0, or -1 after saying so; then
 * what was there before is there still. */
int stint_outfile_close(struct stint_outfile *out, int failed);

#endif
