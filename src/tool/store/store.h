/* Reads a store, whether it is complete or was left behind by a program that was killed. */
#ifndef STINT_STORE_STORE_H
#define STINT_STORE_STORE_H

#include "model/event.h"
#include "stint/snapshot.h"

struct stint_store;

/* Returns whether the file is a database that stint wrote. */
int stint_store_is(const char *path);

/* Opens a store. Returns NULL if it cannot be read: `reason`, of `size` bytes, says why. */
struct stint_store *stint_store_open(const char *path, char *reason, size_t size);

/* Returns what was recorded until the end or the last checkpoint; valid as long as the store is open. */
struct stint_snapshot *stint_store_snapshot(const struct stint_store *store);

/* Returns all events; valid as long as the store is open. Reading needs memory only for events that overlap in time. */
struct stint_event_source *stint_store_events(struct stint_store *store);

void stint_store_close(struct stint_store *store);

#endif
