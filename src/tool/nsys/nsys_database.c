/* The database that a report is made from: one that stint wrote, or that is written of what there is for as long as it
 * is open; and the statements of a report. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "model/event.h"
#include "nsys/nsys.h"
#include "store/store.h"

const char *stint_nsys_script(const char *name)
{
    const struct stint_nsys_script *script = stint_nsys_scripts;
    while (script->name && strcmp(script->name, name) != 0)
        script++;
    return script->sql;
}

void stint_nsys_fail(struct stint_nsys *nsys)
{
    if (nsys->status)
        return;
    nsys->status = sqlite3_errcode(nsys->database) == SQLITE_NOMEM ? STINT_ERROR_NO_MEMORY : STINT_ERROR_IO;
    (void)snprintf(nsys->reason, sizeof nsys->reason, "%s", sqlite3_errmsg(nsys->database));
}

void stint_nsys_run(struct stint_nsys *nsys, const char *sql)
{
    if (!nsys->status && sqlite3_exec(nsys->database, sql, NULL, NULL, NULL))
        stint_nsys_fail(nsys);
}

static void run_script(struct stint_nsys *nsys, const char *name)
{
    stint_nsys_run(nsys, stint_nsys_script(name));
}

/* Whether the file has all columns that reports read: those of older versions lack some. */
static int has_columns(struct stint_sql *store)
{
    static const char *const needed[][2] = {{"CUPTI_ACTIVITY_KIND_KERNEL", "instance"},
                                            {"CUPTI_ACTIVITY_KIND_MEMCPY", "virtualAddress"},
                                            {"CUPTI_ACTIVITY_KIND_MEMCPY", "instance"},
                                            {"CUPTI_ACTIVITY_KIND_MEMSET", "memKind"},
                                            {"CUPTI_ACTIVITY_KIND_MEMSET", "instance"},
                                            {"CUPTI_ACTIVITY_KIND_RUNTIME", "context"},
                                            {"NVTX_EVENTS", "endGlobalTid"},
                                            {"NVTX_EVENTS", "dataId"},
                                            {"NVTX_EVENTS", "context"},
                                            {"stint_device_events", "virtualAddress"},
                                            {"stint_contexts", "path"},
                                            {"stint_domains", "name"},
                                            {"stint_operation_data", "data"},
                                            {"StringIds", "value"}};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!stint_sql_stores_column(store, needed[i][0], needed[i][1]))
            return 0;
    return !store->failed;
}

/* Opens the database that the events are in. Returns 0, or -1 if there is none that reports could be made from. */
static int open_store(struct stint_nsys *nsys)
{
    if (!nsys->events || !nsys->events->database)
        return -1;
    if (stint_sql_open(&nsys->store, nsys->events->database) || !has_columns(&nsys->store) ||
        stint_sql_allow_temporary(&nsys->store)) {
        stint_sql_close(&nsys->store);
        return -1;
    }
    nsys->database = nsys->store.database;
    return 0;
}

static void write_events(struct stint_nsys *nsys, const struct stint_snapshot *snapshot,
                         struct stint_event_source *source)
{
    if (stint_store_write_events(&nsys->store, snapshot, source, nsys->reason, sizeof nsys->reason))
        nsys->status = STINT_ERROR_IO;
    nsys->database = nsys->store.database;
}

/* Without ranges, only what the snapshot has is of interest, if it has a trace: it knows which scopes launched it. */
static int has_more_than_snapshot(struct stint_nsys *nsys)
{
    return nsys->status || !nsys->snapshot->gpu_event_count ||
           stint_nsys_number(nsys, sqlite3_mprintf("SELECT EXISTS (SELECT 1 FROM NVTX_EVENTS e JOIN StringIds s "
                                                   "ON s.id = e.textId WHERE eventType IN (59, 60) "
                                                   "AND s.value <> '(other threads)')")) > 0;
}

/* Writes what is in no such database: traces that snapshots have, and parts of recordings that filters leave. */
static void write_store(struct stint_nsys *nsys)
{
    struct stint_snapshot_events own;
    struct stint_snapshot snapshot = *nsys->snapshot;
    if (nsys->events)
        write_events(nsys, nsys->events->snapshot, nsys->events->source);
    if (nsys->events && has_more_than_snapshot(nsys))
        return;
    stint_sql_close(&nsys->store);
    nsys->events = NULL;
    snapshot.process.pid = 0; /* where an event's is not known, neither is it here */
    stint_snapshot_events_begin(&own, &snapshot);
    write_events(nsys, nsys->snapshot, &own.source);
}

/* Of what was written: instances, which are numbered in the snapshot that the events are of; and scopes. */
static void link_to_snapshot(struct stint_nsys *nsys)
{
    if (nsys->events)
        stint_nsys_run(nsys, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET instance = NULL;"
                             "UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET instance = NULL;"
                             "UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET instance = NULL");
    if (!nsys->events || nsys->events->snapshot == nsys->snapshot)
        stint_nsys_run(nsys, "UPDATE report_event_scopes SET scope = context - 1");
}

void stint_nsys_open(struct stint_nsys *nsys)
{
    int is_store = open_store(nsys) == 0;
    if (!is_store)
        write_store(nsys);
    if (nsys->status)
        return;
    stint_nsys_add_functions(nsys);
    stint_nsys_add_range_functions(nsys);
    stint_nsys_run(nsys, "PRAGMA cache_size=-65536; BEGIN"); /* in kB */
    stint_nsys_add_snapshot(nsys);
    run_script(nsys, "store");
    if (!is_store)
        link_to_snapshot(nsys);
    run_script(nsys, "views");
}

void stint_nsys_close(struct stint_nsys *nsys)
{
    stint_sql_close(&nsys->store);
    stint_arena_free(&nsys->arena);
}

/* ---------------------------------------------------------------------------------------------------------- script */

sqlite3_stmt *stint_nsys_run_to_select(struct stint_nsys *nsys, const char *sql)
{
    sqlite3_stmt *select = NULL, *statement;
    while (!nsys->status) {
        if (sqlite3_prepare_v2(nsys->database, sql, -1, &statement, &sql))
            stint_nsys_fail(nsys);
        if (!statement)
            break;
        if (sqlite3_column_count(statement)) {
            (void)sqlite3_finalize(select);
            select = statement;
            continue;
        }
        if (sqlite3_step(statement) != SQLITE_DONE)
            stint_nsys_fail(nsys);
        (void)sqlite3_finalize(statement);
    }
    if (!nsys->status && !select) {
        nsys->status = STINT_ERROR_IO;
        (void)snprintf(nsys->reason, sizeof nsys->reason, "it has no SELECT");
    }
    return select;
}

/* Runs a statement that is made as by sqlite3_mprintf. */
static void run_made(struct stint_nsys *nsys, char *sql)
{
    if (sql)
        stint_nsys_run(nsys, sql);
    else if (!nsys->status)
        nsys->status = STINT_ERROR_NO_MEMORY;
    sqlite3_free(sql);
}

sqlite3_stmt *stint_nsys_select(struct stint_nsys *nsys, char *sql)
{
    sqlite3_stmt *select = NULL;
    if (!sql && !nsys->status)
        nsys->status = STINT_ERROR_NO_MEMORY;
    if (!nsys->status && sqlite3_prepare_v2(nsys->database, sql, -1, &select, NULL))
        stint_nsys_fail(nsys);
    sqlite3_free(sql);
    return select;
}

void stint_nsys_keep(struct stint_nsys *nsys, sqlite3_stmt *select)
{
    sqlite3_str *text = sqlite3_str_new(nsys->database);
    for (int i = 0; select && i < sqlite3_column_count(select); i++)
        sqlite3_str_appendf(text, "%s\"%w\"", i ? ", " : "CREATE TEMP TABLE report_result(",
                            sqlite3_column_name(select, i));
    sqlite3_str_appendall(text, ")");
    run_made(nsys, sqlite3_str_finish(text));
    if (!nsys->status)
        run_made(nsys, sqlite3_mprintf("INSERT INTO report_result %s", sqlite3_sql(select)));
}

double stint_nsys_number(struct stint_nsys *nsys, char *sql)
{
    sqlite3_stmt *select = stint_nsys_select(nsys, sql);
    if (select && sqlite3_step(select) != SQLITE_ROW)
        stint_nsys_fail(nsys);
    double number = nsys->status ? 0 : sqlite3_column_double(select, 0);
    (void)sqlite3_finalize(select);
    return number;
}

/* ---------------------------------------------------------------------------------------------------------- inserts */

void stint_nsys_put_i64(struct stint_nsys_insert *insert, int64_t value)
{
    (void)sqlite3_bind_int64(insert->statement, insert->column++, value);
}

void stint_nsys_put_text(struct stint_nsys_insert *insert, const char *text)
{
    (void)sqlite3_bind_text(insert->statement, insert->column++, text, -1, SQLITE_TRANSIENT);
}

void stint_nsys_digits(char *text, uint64_t value)
{
    (void)snprintf(text, STINT_NUMBER_SIZE, "%20ju", (uintmax_t)value);
}

void stint_nsys_put_u64(struct stint_nsys_insert *insert, uint64_t value)
{
    char text[STINT_NUMBER_SIZE];
    if (value <= INT64_MAX) {
        stint_nsys_put_i64(insert, (int64_t)value);
        return;
    }
    stint_nsys_digits(text, value);
    stint_nsys_put_text(insert, text);
}

void stint_nsys_put_end(struct stint_nsys_insert *insert)
{
    if (sqlite3_step(insert->statement) != SQLITE_DONE)
        stint_nsys_fail(insert->nsys);
    (void)sqlite3_reset(insert->statement);
}
