#include <stdio.h>

#include "entry/database.h"

const char *stint_database_missing(void)
{
    return "libstint_module.so was built without SQLite (-DSTINT_BUILD_CLI=OFF), and writes only recordings (.stint) "
           "and "
           "timelines (.json, .pftrace)";
}

void stint_database_prepare(void) {}

int stint_database_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                         char *reason, size_t size)
{
    (void)path;
    (void)snapshot;
    (void)events;
    (void)snprintf(reason, size, "%s", stint_database_missing());
    return -1;
}
