/* File names with patterns: %p process id, %h host, %r rank, %q{NAME} environment variable, %% a percent sign. */
#ifndef STINT_BASE_FILE_NAME_H
#define STINT_BASE_FILE_NAME_H

#include <stddef.h>

#include "stint/status.h"

/* Expands every pattern but %p and %%, whose meaning a fork can change; `out` is for stint_path_finish.
 *
 * Returns STINT_ERROR_INVALID_ARGUMENT for an unknown pattern or a result longer than `size` - 1. */
enum stint_status stint_path_prepare(char *out, size_t size, const char *pattern);

/* Likewise, and absolute: relative to where the program is now, not to where it may have moved when it ends. */
enum stint_status stint_path_prepare_here(char *out, size_t size, const char *pattern);

/* Returns whether %p is among the patterns. */
int stint_path_has_pid(const char *prepared);

/* Puts ".mark" in front of the ending, or behind a name that has none: "train.sqlite" is "train.4711.sqlite" for the
 * mark "4711". Returns 0, or -1 if there is no room. */
int stint_path_put_mark(char *out, size_t size, const char *path, const char *mark);

/* Expands %p and %%. Async-signal-safe. Returns as above. */
enum stint_status stint_path_finish(char *out, size_t size, const char *prepared);

#endif
