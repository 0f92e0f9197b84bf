/* Replaces trace_writer.c in builds without SQLite. */
#include <stdio.h>

#include "stat/event_writer.h"

__attribute__((visibility("default"))) stint_event_writer_open_fn stint_event_writer_open;

struct stint_event_writer *stint_event_writer_open(int version, const char *path,
                                                   const struct stint_event_process *process, char *reason, size_t size)
{
    (void)version;
    (void)path;
    (void)process;
    (void)snprintf(reason, size, "libstint_module.so was built without SQLite (-DSTINT_BUILD_CLI=OFF)");
    return NULL;
}
