/* Databases that commands write. Programs that record themselves do not know the names of functions that were
 * sampled. */
#ifndef STINT_CLI_DATABASE_H
#define STINT_CLI_DATABASE_H

#include "cli/profile.h"
#include "model/event.h"
#include "stint/snapshot.h"

/* As stint_store_write (store/store.h). Unless `quiet`, says what could not be looked up. */
int stint_named_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                            int quiet, char *reason, size_t size);

/* ----------------------------------------------------------------------------------------------- beside a recording */

/* If the profile is a recording in a folder, opens the database beside it instead, which is made if it is not there, or
 * if the recording has grown since. Writes its path; "" if there is none, because the folder around cannot be written,
 * or because another file has its name. Returns 0, or -1 after saying why there is no profile any more. */
int stint_converted_open(struct stint_profile *profile, const char *path, int quiet, char *out, size_t size);

#endif
