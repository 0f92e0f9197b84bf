/* Takes any database. Either it is refused with a reason, or it is a recording whose events are in order and from which
 * every report can be written. The input is SQL, from which a database is made; then some of its bytes are changed. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "replay/replay.h"
#include "stint/report.h"
#include "stint_test.h"
#include "store/store.h"

enum { DAMAGES = 2, MOST_STEPS = 1000, TURNS = 256 };

static char s_path[64];
static int s_file = -1;

/* -------------------------------------------------------------------------------------------------------- databases */

static void remove_file(void)
{
    unlink(s_path);
}

static void empty_file(void)
{
    if (s_file < 0) {
        (void)snprintf(s_path, sizeof s_path, "%s/a.db", make_folder(remove_file));
        s_file = open(s_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        require(s_file >= 0, "the file cannot be created");
    }
    require(ftruncate(s_file, 0) == 0, "the file cannot be emptied");
}

static int is_too_much(void *steps)
{
    return ++*(int *)steps > MOST_STEPS;
}

/* Statements with errors are skipped. */
static void make_database(const char *statements)
{
    sqlite3 *database;
    int steps = 0;
    empty_file();
    require(sqlite3_open(s_path, &database) == SQLITE_OK, "the database cannot be created");
    sqlite3_progress_handler(database, 1000, is_too_much, &steps);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_exec(database, "PRAGMA synchronous=OFF; PRAGMA journal_mode=OFF; BEGIN", NULL, NULL, NULL);
    for (const char *at = statements; *at;) {
        sqlite3_stmt *statement = NULL;
        const char *rest = NULL;
        if (sqlite3_prepare_v2(database, at, -1, &statement, &rest) == SQLITE_OK)
            sqlite3_step(statement);
        sqlite3_finalize(statement);
        at = rest && rest > at ? rest : at + strcspn(at, ";") + (at[strcspn(at, ";")] != '\0');
    }
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(database);
}

/* Overwrites some bytes after the file's magic number. */
static void damage(uint64_t *random)
{
    off_t size = lseek(s_file, 0, SEEK_END);
    for (int i = 0; size > 16 && i < 8; i++) {
        uint8_t byte = (uint8_t)test_random(random);
        off_t at = 16 + (off_t)(test_random(random) % (uint64_t)(size - 16));
        require(pwrite(s_file, &byte, 1, at) == 1, "the file cannot be changed");
    }
}

/* ---------------------------------------------------------------------------------------------------------- reading */

/* Each snapshot gets some of the reports, in turn: there are thousands of snapshots. */
static void write_reports(const struct stint_snapshot *snapshot)
{
    const struct stint_layout layout = {.columns = 80};
    static size_t s_turn;
    const char *name;
    for (size_t i = s_turn++ % TURNS; (name = stint_report_name_at(i)); i += TURNS)
        require(stint_report_named(snapshot, name, 0, &layout, discard, NULL) == STINT_OK,
                "a report cannot be written");
}

static void read_events(const struct stint_snapshot *snapshot, struct stint_event_source *source)
{
    struct stint_event event;
    uint64_t last_ns = 0;
    if (source->begin(source))
        return;
    while (source->next(source, &event) == 1) {
        require(event.start_ns >= last_ns && event.end_ns >= event.start_ns, "events are out of order");
        require(event.context < snapshot->context_count || event.context >= STINT_GPU_UNATTRIBUTED,
                "an event has no context");
        require(event.name && event.set, "an event has no name");
        last_ns = event.start_ns;
    }
}

static void read_subset(const struct stint_snapshot *snapshot, struct stint_event_source *source)
{
    const struct stint_subset subset = {.from_ns = 1000, .to_ns = 4000000, .counts = 1, .trace = 100};
    uint64_t kept;
    struct stint_snapshot *part = stint_subset_take(snapshot, source, &subset, &kept);
    if (part)
        write_reports(part);
    stint_snapshot_free(part);
}

static void read_all(struct stint_snapshot *snapshot, struct stint_event_source *source)
{
    write_reports(snapshot);
    read_events(snapshot, source);
    read_subset(snapshot, source);
}

static void read_database(void)
{
    char reason[256] = "";
    if (stint_store_is(s_path)) {
        struct stint_store *store = stint_store_open(s_path, reason, sizeof reason);
        require(store || reason[0], "refused without a reason");
        if (store) {
            read_all(stint_store_snapshot(store), stint_store_events(store));
            stint_store_close(store);
        }
        return;
    }
    struct stint_foreign *foreign = stint_foreign_open(s_path, reason, sizeof reason);
    require(foreign || reason[0], "refused without a reason");
    if (foreign)
        read_all(stint_foreign_snapshot(foreign), stint_foreign_events(foreign));
    stint_foreign_close(foreign);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t random = size;
    char *statements = copy_text(data, size);
    for (size_t i = 0; i < size; i++)
        random = random * 31 + data[i];
    make_database(statements);
    free(statements);
    read_database();
    for (int i = 0; i < DAMAGES; i++) {
        damage(&random);
        read_database();
    }
    return 0;
}
