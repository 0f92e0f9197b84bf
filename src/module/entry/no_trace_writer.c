/* Replaces trace_writer.c in builds without SQLite. */
#include <stdio.h>

#include "ctf/ctf_writer.h"
#include "stat/event_writer.h"

__attribute__((visibility("default"))) stint_event_writer_open_fn stint_event_writer_open;

struct stint_event_writer *stint_event_writer_open(int version, const char *path,
                                                   const struct stint_event_process *process, char *reason, size_t size)
{
    if (version == STINT_EVENT_WRITER_VERSION && stint_ctf_is_wanted(path))
        return stint_ctf_writer_open(path, process, reason, size);
    (void)snprintf(reason, size,
                   "libstint_module.so was built without SQLite (-DSTINT_BUILD_CLI=OFF), and writes only recordings, "
                   "whose names end in .stint");
    return NULL;
}
