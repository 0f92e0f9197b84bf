/* Databases with the names of functions that were sampled, which a program that records itself does not know. */
#ifndef STINT_CLI_NAMED_STORE_H
#define STINT_CLI_NAMED_STORE_H

#include "stat/event.h"
#include "stint/snapshot.h"

/* As stint_store_write (store/write_store.h). Unless `quiet`, says what could not be looked up. */
int stint_named_store_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                            int quiet, char *reason, size_t size);

#endif
