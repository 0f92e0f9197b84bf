/* Samples in databases: src/tool/store, table stint_samples. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "model/event.h"
#include "report/golden.h"
#include "report/sample_fixture.h"
#include "stint_test.h"
#include "store/scratch.h"
#include "store/store.h"

enum { OUTER, INNER }; /* the contexts of the fixture */

#define AT(ns) .kind = STINT_EVENT_SAMPLE, .start_ns = (ns), .end_ns = (ns), .pid = 4711, .name = "", .set = ""

/* With scopes around them and between them. */
static const struct stint_event s_events[] = {
    {.kind = STINT_EVENT_SCOPE,
     .start_ns = 1000,
     .end_ns = 9000,
     .pid = 4711,
     .tid = 4711,
     .context = OUTER,
     .name = "outer",
     .set = "GlobalStatInfo"},
    {AT(2000), .tid = 4711, .context = INNER, .sample = {2, 4000000}},
    {.kind = STINT_EVENT_SCOPE,
     .start_ns = 2000,
     .end_ns = 2500,
     .pid = 4711,
     .tid = 4711,
     .context = INNER,
     .name = "inner",
     .set = "GlobalStatInfo"},
    {AT(3000), .tid = 4711, .context = OUTER, .sample = {0, 1}},
    {AT(4000), .tid = 4712, .context = STINT_GPU_UNATTRIBUTED, .sample = {4, 4000000}},
    {AT(5000), .tid = 4712, .context = STINT_GPU_NO_SCOPE, .sample = {STINT_SAMPLE_NO_STACK, UINT64_C(1) << 40}},
};

struct listed {
    struct stint_event_source source;
    size_t at;
};

static int begin(struct stint_event_source *source)
{
    ((struct listed *)source)->at = 0;
    return 0;
}

static int next(struct stint_event_source *source, struct stint_event *event)
{
    struct listed *listed = (struct listed *)source;
    if (listed->at == TEST_COUNT(s_events))
        return 0;
    *event = s_events[listed->at++];
    return 1;
}

static void write_named(const struct stint_function_names *names)
{
    char reason[256];
    struct listed listed = {.source = {.begin = begin, .next = next}};
    struct stint_snapshot *snapshot = fixture_samples();
    if (stint_store_write(scratch_path, snapshot, &listed.source, names, reason, sizeof reason))
        fail_msg("%s", reason);
    stint_snapshot_free(snapshot);
}

static void write_samples(void)
{
    write_named(NULL);
}

static int put_row(void *context, int count, char **values, char **names)
{
    for (int i = 0; i < count; i++) {
        const char *value = values[i] ? values[i] : "-";
        (void)capture_write(context, value, strlen(value));
        (void)capture_write(context, i + 1 < count ? "|" : "\n", 1);
    }
    return 0;
}

static void assert_rows(const char *statements, const char *expected)
{
    struct capture out = {0};
    sqlite3 *database;
    char *message = NULL;
    assert_int_equal(sqlite3_open(scratch_path, &database), SQLITE_OK);
    if (sqlite3_exec(database, statements, put_row, &out, &message))
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    assert_string_equal(out.text ? out.text : "", expected);
}

static struct stint_store *open_store(void)
{
    char reason[256];
    struct stint_store *store = stint_store_open(scratch_path, reason, sizeof reason);
    if (!store)
        fail_msg("%s", reason);
    return store;
}

/* Returns how many samples there are, and compares them with those that were written but for their call chains. */
static size_t read_samples(struct stint_store *store, size_t *stacks, size_t most)
{
    struct stint_event_source *source = stint_store_events(store);
    struct stint_event event;
    const struct stint_event *expected = s_events;
    size_t count = 0;
    int more;
    assert_int_equal(source->begin(source), 0);
    while ((more = source->next(source, &event)) == 1 && count < most) {
        if (event.kind != STINT_EVENT_SAMPLE)
            continue;
        while (expected->kind != STINT_EVENT_SAMPLE)
            expected++;
        assert_int_equal(event.start_ns, expected->start_ns);
        assert_int_equal(event.end_ns, expected->end_ns);
        assert_int_equal(event.pid, expected->pid);
        assert_int_equal(event.tid, expected->tid);
        assert_true(event.context == expected->context);
        assert_int_equal(event.sample.time_ns, expected->sample.time_ns);
        assert_string_equal(event.name, "");
        assert_string_equal(event.set, "");
        stacks[count++] = event.sample.stack;
        expected++;
    }
    assert_int_equal(more, 0);
    return count;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(samples_are_read_as_they_were_written)
{
    size_t stacks[TEST_COUNT(s_events)];
    write_samples();
    struct stint_store *store = open_store();
    assert_int_equal(read_samples(store, stacks, TEST_COUNT(stacks)), 4);
    assert_int_equal(stacks[0], 2);
    assert_int_equal(stacks[1], 0);
    assert_int_equal(stacks[2], 4);
    assert_true(stacks[3] == STINT_SAMPLE_NO_STACK);
    assert_int_equal(stint_store_snapshot(store)->sample_stack_count, 5);
    stint_store_close(store);
    assert_rows("SELECT start, end, globalTid & 16777215, context, stack, duration FROM stint_samples",
                "2000|2000|4711|2|2|4000000\n3000|3000|4711|1|0|1\n4000|4000|4712|-|4|4000000\n"
                "5000|5000|4712|0|-|1099511627776\n");
    assert_rows("PRAGMA integrity_check", "ok\n");
}

TEST(call_chains_that_are_not_there_are_unknown)
{
    size_t stacks[TEST_COUNT(s_events)];
    write_samples();
    assert_rows("UPDATE stint_samples SET stack = CASE rowid WHEN 1 THEN 5 WHEN 2 THEN -1 ELSE 1 << 40 END", "");
    struct stint_store *store = open_store();
    assert_int_equal(read_samples(store, stacks, TEST_COUNT(stacks)), 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(stacks[i] == STINT_SAMPLE_NO_STACK);
    stint_store_close(store);
}

TEST(databases_without_samples_are_read)
{
    size_t stacks[1];
    write_samples();
    assert_rows("DROP TABLE stint_samples; DELETE FROM stint_runs WHERE kind = 10", "");
    struct stint_store *store = open_store();
    assert_int_equal(read_samples(store, stacks, 1), 0);
    assert_int_equal(stint_store_snapshot(store)->sampling.samples, 22);
    stint_store_close(store);
}

/* From the innermost place to the outermost; the last sample has no call chain. */
TEST(nsight_systems_tables_have_samples_and_call_chains)
{
    write_samples();
    assert_rows("SELECT group_concat(name, '|') FROM pragma_table_xinfo('COMPOSITE_EVENTS')",
                "id|start|cpu|threadState|globalTid|cpuCycles\n");
    assert_rows("SELECT group_concat(name, '|') FROM pragma_table_xinfo('SAMPLING_CALLCHAINS')",
                "id|symbol|module|kernelMode|thumbCode|unresolved|specialEntry|originalIP|unwindMethod|stackDepth\n");
    assert_rows("SELECT id, start, cpu, threadState, globalTid & 16777215, cpuCycles FROM COMPOSITE_EVENTS",
                "1|2000|-|-|4711|0\n2|3000|-|-|4711|0\n3|4000|-|-|4712|0\n4|5000|-|-|4712|0\n");
    assert_rows("SELECT c.id, s.value, substr(m.value, 1, 5), kernelMode, thumbCode, unresolved, specialEntry, "
                "printf('%x', originalIP), unwindMethod, stackDepth FROM SAMPLING_CALLCHAINS c "
                "JOIN StringIds s ON s.id = c.symbol JOIN StringIds m ON m.id = c.module ORDER BY c.id, stackDepth",
                "1|0xbeef|/lib/|0|0|1|0|7ffff7a0beef|-|0\n1|0x1234|/usr/|0|0|1|0|555555555234|-|1\n"
                "1|0x1180|/usr/|0|0|1|0|555555555180|-|2\n2|0x1180|/usr/|0|0|1|0|555555555180|-|0\n"
                "3|0xbeef|/lib/|0|0|1|0|7ffff7a0beef|-|0\n");
    assert_rows("PRAGMA foreign_key_check", "");
}

/* parse() is inlined into run() at 0x1234; nobody knows what is in the library. */
static size_t find(void *context, const struct stint_sample_module *module, uint64_t address,
                   struct stint_function_name *found, size_t most)
{
    int is_inlined = address == 0x1234;
    assert_true(most >= 2);
    found[0] = (struct stint_function_name){address == 0x1180 ? "main" : is_inlined ? "parse" : "0xb000", "", 0};
    found[1] = (struct stint_function_name){"run", "", 0};
    return is_inlined ? 2 : 1;
}

TEST(functions_have_their_names_and_those_around_them)
{
    write_named(&(struct stint_function_names){find, NULL});
    assert_rows("SELECT c.id, s.value, unresolved, stackDepth, printf('%x', originalIP) FROM SAMPLING_CALLCHAINS c "
                "JOIN StringIds s ON s.id = c.symbol ORDER BY c.id, stackDepth",
                "1|0xb000|1|0|7ffff7a0beef\n1|parse|0|1|555555555234\n1|run|0|2|555555555234\n"
                "1|main|0|3|555555555180\n2|main|0|0|555555555180\n3|0xb000|1|0|7ffff7a0beef\n");
}

TEST(the_reports_samples_are_tables)
{
    write_samples();
    assert_rows("SELECT id, pid, build_id, begin, end - begin, bias = begin FROM stint_sample_modules WHERE id < 2",
                "0|4711|0123456789abcdef0123456789abcdef01234567|93824992231424|180224|1\n"
                "1|4711||140737347846144|1048576|1\n");
    assert_rows("SELECT * FROM stint_sample_frames", "0|0|4480\n1|0|4660\n2|1|48879\n3|2|140736951488512\n");
    assert_rows("SELECT * FROM stint_sample_stacks", "0|-|0\n1|0|1\n2|1|2\n3|0|3\n4|-|2\n");
    assert_rows("SELECT * FROM stint_sample_threads", "0|4711|4711|train|0\n1|4711|0||1\n");
    assert_rows("SELECT * FROM stint_sample_counts WHERE samples > 4", "0|1|2|10|40000000\n0|0|1|5|20000000\n");
    assert_rows("SELECT s.value, globalTid & 16777215 FROM ThreadNames t JOIN StringIds s ON s.id = t.nameId",
                "train|4711\n");
}

/* A source that cannot be read fails with its reason. */
static int refuse(struct stint_event_source *source)
{
    (void)snprintf(source->reason, sizeof source->reason, "the file is cut");
    return -1;
}

TEST(events_alone_are_a_database_that_is_in_no_folder)
{
    char reason[256] = "";
    struct stint_sql sql;
    struct listed listed = {.source = {.begin = begin, .next = next}};
    struct stint_snapshot *snapshot = fixture_samples();
    assert_int_equal(stint_store_write_events(&sql, snapshot, &listed.source, reason, sizeof reason), 0);
    struct stint_sql_query query = stint_sql_query(
        &sql, "SELECT count(*), (SELECT count(*) FROM stint_contexts), (SELECT file FROM pragma_database_list) "
              "FROM NVTX_EVENTS WHERE eventType = 59");
    assert_int_equal(stint_sql_step(&query), 1);
    assert_int_equal(stint_sql_i64(&query, 0), 2);
    assert_int_equal(stint_sql_i64(&query, 1), snapshot->context_count);
    assert_string_equal(stint_sql_text(&query, 2), "");
    stint_sql_end(&query);
    stint_sql_close(&sql);
    listed.source.begin = refuse;
    assert_int_equal(stint_store_write_events(&sql, snapshot, &listed.source, reason, sizeof reason), -1);
    assert_string_equal(reason, "the file is cut");
    stint_snapshot_free(snapshot);
}
