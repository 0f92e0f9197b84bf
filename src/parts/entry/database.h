/* Databases, which a module without SQLite cannot write: database.c or no_database.c is compiled. */
#ifndef STINT_ENTRY_DATABASE_H
#define STINT_ENTRY_DATABASE_H

#include "stat/event.h"
#include "stint/snapshot.h"

/* Returns NULL, or why databases cannot be written. */
const char *stint_database_missing(void);

/* Loads what is needed for that, while no thread of the process forks: a child that loads something could not go on. */
void stint_database_prepare(void);

/* As stint_store_write (store/write_store.h). */
int stint_database_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                         char *reason, size_t size);

#endif
