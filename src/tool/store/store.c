/* Opens a store: its report as a snapshot, its events in the order of time. */
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>

#include "import/read_json.h"
#include "store/store_merge.h"

struct stint_store {
    struct stint_sql sql;
    struct stint_snapshot *snapshot;
    struct stint_lookup lookup;
    struct stint_store_merge merge;
};

int stint_store_is(const char *path)
{
    struct stint_sql sql;
    int is = stint_sql_open(&sql, path) == 0 && stint_sql_has_table(&sql, "stint_report");
    stint_sql_close(&sql);
    return is;
}

static int64_t version_of(struct stint_sql *sql)
{
    struct stint_sql_query query = stint_sql_query(sql, "PRAGMA user_version");
    int64_t version = stint_sql_step(&query) ? stint_sql_i64(&query, 0) : 0;
    stint_sql_end(&query);
    return version;
}

static void read_report(struct stint_store *store)
{
    struct stint_import_error error = {0};
    struct stint_sql_query query = stint_sql_query(&store->sql, "SELECT json FROM stint_report WHERE id = 1");
    if (stint_sql_step(&query)) {
        const char *text = stint_sql_text(&query, 0);
        if (stint_import_json(text, stint_sql_length(&query, 0), &store->snapshot, &error))
            (void)stint_sql_fail(&store->sql, "its report cannot be read: %s", error.reason);
    } else {
        (void)stint_sql_fail(&store->sql, "it has no report");
    }
    stint_sql_end(&query);
}

static void read_store(struct stint_store *store, const char *path)
{
    if (stint_sql_open(&store->sql, path))
        return;
    int64_t version = version_of(&store->sql);
    if (version != STINT_STORE_VERSION)
        (void)stint_sql_fail(&store->sql, "it has version %lld, but this stint reads version %d", (long long)version,
                             STINT_STORE_VERSION);
    read_report(store);
    if (store->sql.failed)
        return;
    stint_lookup_read(&store->lookup, &store->sql, store->snapshot);
    stint_store_merge_begin(&store->merge, &store->sql, &store->lookup);
}

struct stint_store *stint_store_open(const char *path, char *reason, size_t size)
{
    struct stint_store *store = calloc(1, sizeof *store);
    if (!store) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    read_store(store, path);
    if (!store->sql.failed)
        return store;
    (void)snprintf(reason, size, "%s", store->sql.reason);
    stint_store_close(store);
    return NULL;
}

struct stint_snapshot *stint_store_snapshot(const struct stint_store *store)
{
    return store->snapshot;
}

struct stint_event_source *stint_store_events(struct stint_store *store)
{
    return &store->merge.source;
}

void stint_store_close(struct stint_store *store)
{
    stint_store_merge_end(&store->merge);
    stint_lookup_free(&store->lookup);
    stint_snapshot_free(store->snapshot);
    stint_sql_close(&store->sql);
    free(store);
}
