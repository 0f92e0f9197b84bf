/* Recordings of other tools: what `nsys export --type sqlite` of Nsight Systems writes, and the databases of nvprof.
 * Both are read row by row, in the order of time. */
#ifndef STINT_STORE_FOREIGN_H
#define STINT_STORE_FOREIGN_H

#include "stat/event.h"
#include "stint/snapshot.h"

struct stint_foreign;

/* Opens such a file, and reads it once. Returns NULL if that cannot be done: `reason`, of `size` bytes, says why. */
struct stint_foreign *stint_foreign_open(const char *path, char *reason, size_t size);

/* Its statistics, without a trace; as long as it is open. */
struct stint_snapshot *stint_foreign_snapshot(const struct stint_foreign *foreign);

/* Its events; likewise. */
struct stint_event_source *stint_foreign_events(struct stint_foreign *foreign);

void stint_foreign_close(struct stint_foreign *foreign);

#endif
