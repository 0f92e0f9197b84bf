#include "store/store_fixture.h"

#include <sqlite3.h>

#include "stint/report.h"
#include "stint_test.h"
#include "store/scratch.h"

struct stint_store *fixture_open_store(const char *path)
{
    char reason[256];
    struct stint_store *store = stint_store_open(path, reason, sizeof reason);
    if (!store)
        fail_msg("%s", reason);
    return store;
}

static struct stint_store *s_read;

static void close_read(void)
{
    if (s_read)
        stint_store_close(s_read);
    s_read = NULL;
}

struct stint_event_source *fixture_read_events(void)
{
    close_read();
    s_read = fixture_open_store(scratch_path);
    struct stint_event_source *source = stint_store_events(s_read);
    assert_int_equal(source->begin(source), 0);
    return source;
}

struct capture fixture_report(const struct stint_snapshot *snapshot)
{
    return capture_report(snapshot, STINT_FORMAT_JSON, NULL);
}

/* Runs statements on the file, as anybody could; rows go to `out`, which may be NULL. */
static int put_row(void *context, int count, char **values, char **names)
{
    struct capture *out = context;
    for (int i = 0; i < count && out; i++) {
        const char *value = values[i] ? values[i] : "-";
        (void)capture_write(out, value, strlen(value));
        (void)capture_write(out, i + 1 < count ? "|" : "\n", 1);
    }
    return 0;
}

void fixture_run(const char *statements, struct capture *out)
{
    sqlite3 *database;
    char *message = NULL;
    close_read();
    assert_int_equal(sqlite3_open(scratch_path, &database), SQLITE_OK);
    if (sqlite3_exec(database, statements, put_row, out, &message))
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

void fixture_assert_rows(const char *query, const char *expected)
{
    struct capture out = {0};
    fixture_run(query, &out);
    assert_string_equal(out.text ? out.text : "", expected);
}

static const char s_report[] =
    "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":4711,\"command\":\"./a\","
    "\"start_unix_ns\":5}}";

struct stint_store_writer *fixture_open_writer(void)
{
    char reason[256];
    close_read();
    struct stint_store_writer *writer = stint_store_writer_open(scratch_path, 4711, reason, sizeof reason);
    if (!writer)
        fail_msg("%s", reason);
    return writer;
}

void fixture_tell_context(struct stint_store_writer *writer, uint32_t path, uint32_t parent, const char *set,
                          const char *name)
{
    struct stint_event_context context = {path, parent, set, name, "a.c", 7};
    assert_int_equal(stint_store_writer_context(writer, &context), 0);
}

void fixture_tell_scope(struct stint_store_writer *writer, size_t path, uint64_t start_ns, uint64_t end_ns)
{
    struct stint_event event = {.kind = STINT_EVENT_SCOPE,
                                .start_ns = start_ns,
                                .end_ns = end_ns,
                                .pid = 4711,
                                .tid = 4712,
                                .context = path,
                                .name = "",
                                .set = ""};
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
}

void fixture_tell_range(struct stint_store_writer *writer, enum stint_event_kind kind, uint64_t start_ns,
                        const char *set, const char *name)
{
    struct stint_event event = {.kind = kind,
                                .start_ns = start_ns,
                                .end_ns = kind == STINT_EVENT_MARK ? start_ns : start_ns + 10,
                                .pid = 4711,
                                .tid = 4711,
                                .name = name,
                                .set = set};
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
}

void fixture_finish(struct stint_store_writer *writer)
{
    char reason[256];
    assert_int_equal(stint_store_writer_finish(writer, s_report, sizeof s_report - 1, reason, sizeof reason), 0);
}
