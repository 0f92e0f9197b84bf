/* Opens a store: its report as a snapshot, its events in the order of time, merged from the runs of its tables, each of
 * which is in that order. A run is opened when its first event is due, so that few are open at a time. */
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>

#include "import/import.h"
#include "store/rows.h"

struct stint_store {
    struct stint_event_source source; /* has to be the first member */
    struct stint_sql sql;
    struct stint_snapshot *snapshot;
    struct stint_lookup lookup;
    struct stint_sql_query runs; /* runs that have not been opened yet, by start */
    int has_run;
    struct stint_store_run *open; /* a heap: the first run has the earliest event */
    size_t open_count;
    size_t open_capacity;
    int told;         /* the event of the first run has been returned */
    uint64_t last_ns; /* start of the last event */
    struct stint_store_parts parts;
};

/* Maximum number of runs that are open at a time. Runs overlap by as much as events arrive late; no program writes so
 * many. */
enum { MOST_OPEN = 1 << 14 };

/* ------------------------------------------------------------------------------------------------------------- heap */

static int is_before(const struct stint_store_run *a, const struct stint_store_run *b)
{
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns;
    if (a->end_ns != b->end_ns)
        return a->end_ns > b->end_ns;
    return a->table < b->table; /* scopes enclose calls, which enclose what they launched */
}

static void sift_down(struct stint_store *store)
{
    struct stint_store_run moved = store->open[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < store->open_count; at = child) {
        if (child + 1 < store->open_count && is_before(&store->open[child + 1], &store->open[child]))
            child++;
        if (!is_before(&store->open[child], &moved))
            break;
        store->open[at] = store->open[child];
    }
    store->open[at] = moved;
}

static void sift_up(struct stint_store *store, size_t at)
{
    struct stint_store_run moved = store->open[at];
    for (; at && is_before(&moved, &store->open[(at - 1) / 2]); at = (at - 1) / 2)
        store->open[at] = store->open[(at - 1) / 2];
    store->open[at] = moved;
}

/* ------------------------------------------------------------------------------------------------------------- runs */

/* Reads the next row's times; returns 0 if there is none. */
static int step_row(struct stint_store_run *run)
{
    if (!stint_sql_step(&run->rows))
        return 0;
    enum stint_sql_type start = stint_sql_type(&run->rows, 0), end = stint_sql_type(&run->rows, 1);
    run->start_ns = (uint64_t)stint_sql_i64(&run->rows, 0);
    run->end_ns = end == STINT_SQL_NULL ? run->start_ns : (uint64_t)stint_sql_i64(&run->rows, 1);
    if (start == STINT_SQL_INTEGER && (end == STINT_SQL_INTEGER || end == STINT_SQL_NULL))
        return 1;
    (void)stint_sql_fail(run->rows.sql, "the database is damaged: a time in it is not a whole number");
    return 0;
}

/* Goes to the next event that may be wanted; returns 0 if there is none. */
static int step(struct stint_store *store, struct stint_store_run *run)
{
    int more;
    while ((more = step_row(run)) && run->end_ns < store->source.from_ns) {
    }
    return more;
}

static int grow(struct stint_store *store)
{
    size_t capacity = store->open_capacity ? 2 * store->open_capacity : 16;
    struct stint_store_run *open = realloc(store->open, capacity * sizeof *open);
    if (!open || capacity > MOST_OPEN) {
        store->open = open ? open : store->open;
        return stint_sql_fail(&store->sql, "there is not enough memory: too many of its parts are out of order");
    }
    store->open = open;
    store->open_capacity = capacity;
    return 0;
}

static void open_run(struct stint_store *store)
{
    int64_t table = stint_sql_i64(&store->runs, 1);
    if (table < 0 || table >= STINT_STORE_TABLES || (store->open_count == store->open_capacity && grow(store)))
        return;
    struct stint_store_run run = (struct stint_store_run){.table = (enum stint_store_table)table};
    run.rows = stint_event_columns_select(&store->sql, run.table);
    stint_sql_bind_i64(&run.rows, 1, stint_sql_i64(&store->runs, 2));
    stint_sql_bind_i64(&run.rows, 2, stint_sql_i64(&store->runs, 3));
    if (step(store, &run)) {
        store->open[store->open_count++] = run;
        sift_up(store, store->open_count - 1);
    } else {
        stint_sql_end(&run.rows);
    }
}

/* Older files do not say when the last event of a run ends. */
static int may_be_wanted(const struct stint_store *store)
{
    return stint_sql_is_null(&store->runs, 4) || (uint64_t)stint_sql_i64(&store->runs, 4) >= store->source.from_ns;
}

/* Opens all runs that may have the next event. */
static void open_due(struct stint_store *store)
{
    while (store->has_run &&
           (!store->open_count || (uint64_t)stint_sql_i64(&store->runs, 0) <= store->open[0].start_ns)) {
        if (may_be_wanted(store))
            open_run(store);
        store->has_run = stint_sql_step(&store->runs);
    }
}

/* Skips the event of the first run. */
static void advance(struct stint_store *store)
{
    if (!step(store, &store->open[0])) {
        stint_sql_end(&store->open[0].rows);
        store->open[0] = store->open[--store->open_count];
    }
    if (store->open_count)
        sift_down(store);
}

/* ----------------------------------------------------------------------------------------------------------- source */

static struct stint_store *of(struct stint_event_source *source)
{
    return (struct stint_store *)(void *)source;
}

static int outcome(struct stint_store *store, int result)
{
    if (!store->sql.failed)
        return result;
    (void)snprintf(store->source.reason, sizeof store->source.reason, "%s", store->sql.reason);
    return -1;
}

static void close_runs(struct stint_store *store)
{
    for (size_t i = 0; i < store->open_count; i++)
        stint_sql_end(&store->open[i].rows);
    store->open_count = 0;
    stint_sql_end(&store->runs);
}

static int begin(struct stint_event_source *source)
{
    struct stint_store *store = of(source);
    close_runs(store);
    store->runs =
        stint_sql_query(&store->sql, stint_sql_has_column(&store->sql, "stint_runs", "end")
                                         ? "SELECT start, kind, first, last, \"end\" FROM stint_runs ORDER BY 1"
                                         : "SELECT start, kind, first, last, NULL FROM stint_runs ORDER BY 1");
    store->has_run = stint_sql_step(&store->runs);
    store->told = 0;
    store->last_ns = 0;
    return outcome(store, 0);
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct stint_store *store = of(source);
    if (store->told)
        advance(store);
    open_due(store);
    store->told = store->open_count && !store->sql.failed;
    if (!store->told || (source->to_ns && store->open[0].start_ns > source->to_ns))
        return outcome(store, 0);
    if (store->open[0].start_ns < store->last_ns || store->open[0].end_ns < store->open[0].start_ns)
        return outcome(store, stint_sql_fail(&store->sql, "the database is damaged: its events are out of order"));
    store->last_ns = store->open[0].start_ns;
    stint_store_decode(&store->open[0], &store->lookup, event, &store->parts);
    return outcome(store, 1);
}

/* --------------------------------------------------------------------------------------------------- open and close */

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
        (void)stint_sql_fail(&store->sql, "it has version %lld, but this stint reads version %d%s", (long long)version,
                             STINT_STORE_VERSION, version > STINT_STORE_VERSION ? ": use a later stint" : "");
    read_report(store);
    if (store->sql.failed)
        return;
    stint_lookup_read(&store->lookup, &store->sql, store->snapshot);
}

struct stint_store *stint_store_open(const char *path, char *reason, size_t size)
{
    struct stint_store *store = calloc(1, sizeof *store);
    if (!store) {
        (void)snprintf(reason, size, "there is not enough memory");
        return NULL;
    }
    store->source = (struct stint_event_source){.begin = begin, .next = next};
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
    return &store->source;
}

void stint_store_close(struct stint_store *store)
{
    close_runs(store);
    free(store->open);
    stint_lookup_free(&store->lookup);
    stint_snapshot_free(store->snapshot);
    stint_sql_close(&store->sql);
    free(store);
}
