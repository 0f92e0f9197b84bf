/* A file that appears whole, or not at all: it is written beside its place and then renamed. Nothing here allocates, so
 * that a signal handler may write one. */
#ifndef STINT_BASE_WHOLE_FILE_H
#define STINT_BASE_WHOLE_FILE_H

#include <limits.h>
#include <stddef.h>

enum { STINT_WHOLE_FILE_MARK_SIZE = 16 };

struct stint_whole_file {
    int fd;                                /* where to write */
    int error;                             /* why the first write failed; 0 if none has */
    char path[PATH_MAX];                   /* its place, links followed */
    char mark[STINT_WHOLE_FILE_MARK_SIZE]; /* behind the name until it is whole; "": written in place */
};

/* Whether the path names something that is written as it is: a terminal, pipe or device, because a rename would put a
 * file in its place. So is what /dev or /proc names, such as /dev/stdout, even if it leads to a file, since others
 * write there, too. */
int stint_whole_file_is_special(const char *path);

/* Begins a file. A symbolic link is followed, so that the file is replaced and not the link. A pipe that nobody reads
 * is waited for with `waits`, and an error without. Returns 0, or an errno value. */
int stint_whole_file_open(struct stint_whole_file *file, const char *path, int waits);

/* A stint_write_fn; `context` is a struct stint_whole_file. */
int stint_whole_file_write(void *context, const char *bytes, size_t length);

/* Ends a file. If it has `failed` (then errno says why, unless a write failed), or cannot be put in its place, it is
 * removed, and what was there before stays. Returns 0, or an errno value. */
int stint_whole_file_close(struct stint_whole_file *file, int failed);

#endif
