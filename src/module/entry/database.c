#include "entry/database.h"

#include "store/write_store.h"

const char *stint_database_missing(void)
{
    return NULL;
}

int stint_database_write(const char *path, const struct stint_snapshot *snapshot, struct stint_event_source *events,
                         char *reason, size_t size)
{
    return stint_store_write(path, snapshot, events, reason, size);
}
