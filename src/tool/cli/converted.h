/* The database of a recording, which reports in SQL are made from. */
#ifndef STINT_CLI_CONVERTED_H
#define STINT_CLI_CONVERTED_H

#include "cli/file_kind.h"

/* If the profile is a recording in a folder, opens the database beside it instead, which is made if it is not there, or
 * if the recording has grown since. Writes its path; "" if there is none, because the folder around cannot be written,
 * or because another file has its name. Returns 0, or -1 after saying why there is no profile any more. */
int stint_converted_open(struct stint_profile *profile, const char *path, int quiet, char *out, size_t size);

#endif
