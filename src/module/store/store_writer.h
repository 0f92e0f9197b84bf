/* Writes a store: events as they arrive, and what was recorded, as a report in JSON. */
#ifndef STINT_STORE_STORE_WRITER_H
#define STINT_STORE_STORE_WRITER_H

#include "stat/event_writer.h"

/* Creates the file PATH.PID.partial, which is renamed to PATH when it is finished. Everything received up to the last
 * checkpoint, and some of what followed, is in the file even if the process dies. Memory is bounded except for names
 * and contexts, which are kept.
 *
 * If it is finished without a report, NULL, the file is removed. Returns NULL on failure: `reason` says why. */
struct stint_event_writer *stint_store_writer_open(const char *path, const struct stint_event_process *process,
                                                   char *reason, size_t size);

#endif
