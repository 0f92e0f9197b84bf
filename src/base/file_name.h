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

/* Expands %p and %%. Async-signal-safe. Returns as above. */
enum stint_status stint_path_finish(char *out, size_t size, const char *prepared);

#endif
