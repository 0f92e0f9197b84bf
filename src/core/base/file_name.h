/* File names with patterns: %p process id, %h host, %r rank, %q{NAME} environment variable, %% a percent sign. */
#ifndef STINT_BASE_FILE_NAME_H
#define STINT_BASE_FILE_NAME_H

#include <stddef.h>

#include "stint/status.h"

/* Expands every pattern except %%, and %p, whose value a fork changes. `out` is to be passed to stint_path_finish.
 *
 * Returns STINT_ERROR_INVALID_ARGUMENT for an unknown pattern or a result longer than `size` - 1. */
enum stint_status stint_path_prepare(char *out, size_t size, const char *pattern);

/* Does the same and makes the path absolute, relative to the current directory, since the program may be in another one
 * when it ends. */
enum stint_status stint_path_prepare_here(char *out, size_t size, const char *pattern);

/* Returns whether %p is among the patterns. */
int stint_path_has_pid(const char *prepared);

/* Inserts ".mark" before the file name extension, or appends it to a name without extension: with the mark "4711",
 * "train.sqlite" becomes "train.4711.sqlite". Returns 0, or -1 if there is no room for that in `size` bytes. */
int stint_path_put_mark(char *path, size_t size, const char *mark);

/* Expands %p and %%. Async-signal-safe. Returns the same statuses as stint_path_prepare. */
enum stint_status stint_path_finish(char *out, size_t size, const char *prepared);

#endif
