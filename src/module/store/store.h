/* Reads a store, finished or left behind by a program that was killed. */
#ifndef STINT_STORE_STORE_H
#define STINT_STORE_STORE_H

#include "stat/event.h"
#include "stint/snapshot.h"

struct stint_store;

/* Returns whether the file is a database of stint's. */
int stint_store_is(const char *path);

/* Opens it. Returns NULL if it cannot be read: `reason`, of `size` bytes, says why. */
struct stint_store *stint_store_open(const char *path, char *reason, size_t size);

/* What was recorded, as of the end or the last checkpoint; as long as the store is open. */
struct stint_snapshot *stint_store_snapshot(const struct stint_store *store);

/* Gives it away, to be freed by stint_snapshot_free. */
struct stint_snapshot *stint_store_take_snapshot(struct stint_store *store);

/* All events, read with memory for those of the same time alone; likewise. */
struct stint_event_source *stint_store_events(struct stint_store *store);

void stint_store_close(struct stint_store *store);

#endif
