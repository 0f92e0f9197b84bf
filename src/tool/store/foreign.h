/* Recordings of other tools: files that Nsight Systems writes with `nsys export --type sqlite`, and databases of
 * nvprof. Both are read row by row, in the order of time. */
#ifndef STINT_STORE_FOREIGN_H
#define STINT_STORE_FOREIGN_H

#include "model/event.h"
#include "stint/snapshot.h"

struct stint_foreign;

/* Opens such a file, and reads it once. Returns NULL on failure: `reason`, of `size` bytes, says why. */
struct stint_foreign *stint_foreign_open(const char *path, char *reason, size_t size);

/* The same with a database that stint_sql_create has opened. It is taken over, and closed in any case. */
struct stint_sql;
struct stint_foreign *stint_foreign_take(struct stint_sql *sql, char *reason, size_t size);

/* Returns its statistics, without a trace; valid as long as the file is open. */
struct stint_snapshot *stint_foreign_snapshot(const struct stint_foreign *foreign);

/* Returns its events; valid as long as the file is open. */
struct stint_event_source *stint_foreign_events(struct stint_foreign *foreign);

void stint_foreign_close(struct stint_foreign *foreign);

#endif
