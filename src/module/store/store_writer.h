/* Writes a store: events as they come, and what was recorded, as a report in JSON. */
#ifndef STINT_STORE_STORE_WRITER_H
#define STINT_STORE_STORE_WRITER_H

#include "stat/event_writer.h"

/* Begins the file PATH.PID.partial, which gets its name, PATH, when it is finished. What has come until a checkpoint,
 * and some more, is in it whatever becomes of the process. Memory is bounded but for names and contexts, which are
 * kept.
 *
 * Finished without a report, NULL, it is removed. Returns NULL, and why in `reason`. */
struct stint_event_writer *stint_store_writer_open(const char *path, const struct stint_event_process *process,
                                                   char *reason, size_t size);

#endif
