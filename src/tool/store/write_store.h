/* Writes a whole recording as a store. */
#ifndef STINT_STORE_WRITE_STORE_H
#define STINT_STORE_WRITE_STORE_H

#include "model/event.h"
#include "model/function_names.h"
#include "stint/snapshot.h"

/* Writes the snapshot and all events, which may be NULL, to the file `path`: to a temporary file beside it first, so
 * that a reader sees either the old or the new file, complete. `names` may be NULL, or without `find`: then functions
 * that were sampled have addresses. Returns 0, or -1: `reason`, of `size` bytes, says why. */
int stint_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                      const struct stint_function_names *names, char *reason, size_t size);

#endif
