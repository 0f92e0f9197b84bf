/* libstint_store.so, which has SQLite, so that the library need not: opened when a program leaves a trace, never closed. */
#ifndef STINT_TRACE_WRITER_LIBRARY_H
#define STINT_TRACE_WRITER_LIBRARY_H

#include <stddef.h>

#include "stat/event_writer.h"

/* Opens a writer (stat/event_writer.h) for `path`. Returns NULL, and why in `reason`. */
struct stint_event_writer *stint_module_open(const char *path, const struct stint_event_process *process, char *reason,
                                             size_t size);

#endif
