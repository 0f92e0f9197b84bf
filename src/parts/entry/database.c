#include "entry/database.h"

#include "store/sqlite_library.h"
#include "store/write_store.h"

const char *stint_database_missing(void)
{
    return NULL;
}

void stint_database_prepare(void)
{
    (void)stint_sqlite_open(); /* without SQLite, the recording is kept, and it is said why */
}

int stint_database_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                         char *reason, size_t size)
{
    return stint_store_write(path, snapshot, events, NULL, reason, size);
}
