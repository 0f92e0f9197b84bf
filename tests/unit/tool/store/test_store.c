#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/event.h"
#include "report/golden.h"
#include "report/gpu_fixture.h"
#include "report/nvtx_fixture.h"
#include "stint_test.h"
#include "store/scratch.h"
#include "store/store_fixture.h"

static void write_store(const struct stint_snapshot *snapshot)
{
    char reason[256];
    struct stint_snapshot_events events;
    stint_snapshot_events_begin(&events, snapshot);
    if (stint_store_write(scratch_path, snapshot, &events.source, NULL, reason, sizeof reason))
        fail_msg("%s", reason);
}

static void assert_refused(const char *expected)
{
    char reason[256];
    assert_null(stint_store_open(scratch_path, reason, sizeof reason));
    if (!strstr(reason, expected))
        fail_msg("'%s' has no '%s'", reason, expected);
}

static void check_report(const struct stint_snapshot *snapshot)
{
    struct capture written = fixture_report(snapshot), read;
    write_store(snapshot);
    struct stint_store *store = fixture_open_store(scratch_path);
    read = fixture_report(stint_store_snapshot(store));
    assert_string_equal(written.text, read.text);
    stint_store_close(store);
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(every_report_from_a_store_is_that_of_the_program)
{
    struct stint_snapshot *values = fixture_nvtx_values();
    check_report(fixture_gpu());
    check_report(fixture_gpu_extreme());
    check_report(fixture_gpu_spans());
    check_report(fixture_gpu_calls());
    check_report(fixture_gpu_nvtx());
    check_report(fixture_gpu_streams());
    check_report(values);
    stint_snapshot_free(values);
}

/* All of an event, as a line. */
static void put_event(char *out, size_t size, const struct stint_event *event)
{
    const struct stint_gpu_event *gpu = event->gpu;
    int used = snprintf(out, size, "%d %llu-%llu %lld/%lld %zd '%s' '%s'", (int)event->kind,
                        (unsigned long long)event->start_ns, (unsigned long long)event->end_ns, (long long)event->pid,
                        (long long)event->tid, (ssize_t)event->context, event->set, event->name);
    if (gpu && gpu->api)
        (void)snprintf(out + used, size - (size_t)used, " api %llu", (unsigned long long)gpu->correlation);
    else if (gpu)
        (void)snprintf(out + used, size - (size_t)used,
                       " %d %llu %zd %u.%u.%u %ux%ux%u %ux%ux%u %u %u+%u %u.%llu %llu@%llx %d>%d %d:%u.%u",
                       (int)gpu->kind, (unsigned long long)gpu->correlation, (ssize_t)gpu->instance, gpu->device,
                       gpu->device_context, gpu->stream, gpu->grid[0], gpu->grid[1], gpu->grid[2], gpu->block[0],
                       gpu->block[1], gpu->block[2], gpu->registers, gpu->static_shared, gpu->dynamic_shared,
                       gpu->graph, (unsigned long long)gpu->graph_node, (unsigned long long)gpu->bytes,
                       (unsigned long long)gpu->address, (int)gpu->source, (int)gpu->destination, gpu->peer,
                       gpu->peer_device, gpu->peer_context);
}

enum { MOST_LINES = 4096, LINE = 1024 };

static int compare_lines(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Reads all events as lines, sorted: of those that start together a snapshot has its own order. */
static size_t read_lines(struct stint_event_source *source, char (*lines)[LINE])
{
    struct stint_event event;
    uint64_t last_ns = 0;
    size_t count = 0;
    int more;
    assert_int_equal(source->begin(source), 0);
    while ((more = source->next(source, &event)) > 0 && count < MOST_LINES) {
        assert_true(event.start_ns >= last_ns);
        last_ns = event.start_ns;
        put_event(lines[count++], LINE, &event);
    }
    assert_int_equal(more, 0);
    qsort(lines, count, LINE, compare_lines);
    return count;
}

/* Compares with the events that were written. */
static void check_written(const struct stint_snapshot *snapshot)
{
    char(*expected)[LINE] = calloc(MOST_LINES, LINE), (*read)[LINE] = calloc(MOST_LINES, LINE);
    struct stint_snapshot_events events;
    assert_true(expected && read);
    stint_snapshot_events_begin(&events, snapshot);
    struct stint_store *store = fixture_open_store(scratch_path);
    size_t count = read_lines(&events.source, expected);
    assert_int_equal(read_lines(stint_store_events(store), read), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(read[i], expected[i]);
    assert_int_equal(read_lines(stint_store_events(store), read), count); /* once more, from the beginning */
    stint_store_close(store);
    free(expected);
    free(read);
}

static void check_events(const struct stint_snapshot *snapshot)
{
    write_store(snapshot);
    check_written(snapshot);
}

TEST(events_are_those_of_the_snapshot)
{
    assert_true(fixture_gpu()->gpu_event_count > 10);
    check_events(fixture_gpu());
    check_events(fixture_gpu_nvtx());
    check_events(fixture_gpu_streams());
    check_events(fixture_gpu_calls());
    check_events(fixture_gpu_spans());
}

/* They lack columns, or have generated ones in their place. */
TEST(stores_of_earlier_builds_are_read)
{
    write_store(fixture_gpu_calls());
    fixture_run("ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY RENAME COLUMN virtualAddress TO later;"
                "ALTER TABLE stint_device_events RENAME COLUMN virtualAddress TO later;"
                "ALTER TABLE NVTX_EVENTS RENAME COLUMN color TO later;"
                "ALTER TABLE NVTX_EVENTS ADD COLUMN color INTEGER AS (NULL)",
                NULL);
    check_written(fixture_gpu_calls());
}

/* Reads the events of a time. Returns how many touch it, and in *told how many came. */
static size_t touching(struct stint_event_source *source, uint64_t from_ns, uint64_t to_ns, size_t *told)
{
    struct stint_event event;
    size_t touching = 0;
    source->from_ns = from_ns;
    source->to_ns = to_ns;
    assert_int_equal(source->begin(source), 0);
    for (*told = 0; source->next(source, &event) == 1; ++*told)
        touching += event.start_ns <= to_ns && event.end_ns >= from_ns;
    return touching;
}

/* Two runs, with an event in the first that ends after all the others. */
static void write_runs(void)
{
    enum { ROWS = 300000, LONG = 7 };
    struct stint_store_writer *writer = fixture_open_writer();
    fixture_tell_context(writer, 1, 0, "GlobalStatInfo", "step");
    for (uint64_t i = 1; i <= ROWS; i++)
        fixture_tell_scope(writer, 1, 10 * i, i == LONG ? 20 * ROWS : 10 * i + 5);
    fixture_finish(writer);
}

TEST(a_part_of_the_time_has_all_events_that_touch_it)
{
    static const uint64_t times[][2] = {{0, 5},    {12, 2000}, {69, 71}, {2620000, 2630000}, {5999999, 6000001},
                                        {1, -1ULL}};
    static const char *const files[] = {"",
                                        "ALTER TABLE stint_runs RENAME COLUMN \"end\" TO later" /* an older file */};
    size_t told;
    write_runs();
    for (size_t file = 0; file < TEST_COUNT(files); file++) {
        fixture_run(files[file], NULL);
        struct stint_event_source *source = fixture_read_events();
        struct stint_event event;
        size_t expected[TEST_COUNT(times)] = {0};
        assert_int_equal(source->begin(source), 0);
        while (source->next(source, &event) == 1)
            for (size_t i = 0; i < TEST_COUNT(times); i++)
                expected[i] += event.start_ns <= times[i][1] && event.end_ns >= times[i][0];
        for (size_t i = 0; i < TEST_COUNT(times); i++) {
            assert_int_equal(touching(source, times[i][0], times[i][1], &told), expected[i]);
            assert_int_equal(told, expected[i]); /* and no others */
        }
    }
}

TEST(runs_that_ended_before_the_wanted_time_are_not_read)
{
    size_t told;
    write_runs();
    fixture_assert_rows("SELECT max(e.\"end\") FROM stint_runs r JOIN NVTX_EVENTS e ON e.rowid BETWEEN r.first AND "
                        "r.last WHERE eventType = 59 GROUP BY r.first",
                        "6000000\n3000005\n");
    fixture_assert_rows("SELECT \"end\" FROM stint_runs", "6000000\n3000005\n");
    fixture_run("UPDATE stint_runs SET \"end\" = 12 WHERE rowid = 1", NULL);
    assert_int_equal(touching(fixture_read_events(), 2621000, 2621435, &told), 0);
}

TEST(a_store_has_these_tables_and_rows)
{
    static const char *const tables[] = {
        "ANALYSIS_DETAILS",
        "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL",
        "CUPTI_ACTIVITY_KIND_DRIVER",
        "CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY",
        "CUPTI_ACTIVITY_KIND_MEMSET",
        "CUPTI_ACTIVITY_KIND_RUNTIME",
        "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
        "ENUM_CUDA_MEMCPY_OPER",
        "ENUM_CUDA_MEM_KIND",
        "ENUM_CUPTI_SYNC_TYPE",
        "OSRT_API",
        "PROCESSES",
        "StringIds",
        "TARGET_INFO_CUDA_DEVICE",
        "TARGET_INFO_GPU",
        "TARGET_INFO_SESSION_START_TIME",
        "ThreadNames",
        "stint_contexts",
        "stint_device_events",
        "stint_dropped",
        "stint_gpu_activities",
        "stint_gpu_charges",
        "stint_gpu_memory",
        "stint_nvtx_values",
        "stint_scopes",
        "stint_statistics",
        "stint_threads",
    };
    struct capture out = {0};
    char query[256];
    write_store(fixture_gpu());
    for (size_t i = 0; i < TEST_COUNT(tables); i++) {
        (void)snprintf(query, sizeof query,
                       "SELECT '== %s'; SELECT group_concat(name, '|') FROM pragma_table_xinfo('%s');"
                       "SELECT * FROM %s LIMIT 8",
                       tables[i], tables[i], tables[i]);
        fixture_run(query, &out);
    }
    assert_golden(out, "store_gpu.txt");
}

TEST(it_is_a_sound_database)
{
    write_store(fixture_gpu());
    fixture_assert_rows("PRAGMA integrity_check", "ok\n");
    fixture_assert_rows("PRAGMA foreign_key_check", "");
    fixture_assert_rows("PRAGMA journal_mode", "delete\n");
}

TEST(times_that_are_no_whole_numbers_are_damage)
{
    struct stint_event event;
    static const char *const times[] = {"start = 'abc'", "\"end\" = 1.5"};
    for (size_t i = 0; i < TEST_COUNT(times); i++) {
        char statement[100];
        write_store(fixture_gpu());
        (void)snprintf(statement, sizeof statement, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET %s", times[i]);
        fixture_run(statement, NULL);
        struct stint_store *store = fixture_open_store(scratch_path);
        struct stint_event_source *events = stint_store_events(store);
        int more = events->begin(events) ? -1 : 1;
        while (more > 0)
            more = events->next(events, &event);
        assert_int_equal(more, -1);
        assert_non_null(strstr(events->reason, "a time in it is not a whole number"));
        stint_store_close(store);
    }
}

TEST(a_recording_that_cannot_be_read_leaves_the_old_file)
{
    char reason[256];
    write_store(fixture_gpu());
    assert_int_equal(rename(scratch_path, "b.sqlite"), 0);
    write_store(fixture_gpu_calls());
    assert_int_equal(rename(scratch_path, "c.sqlite"), 0);
    assert_int_equal(rename("b.sqlite", scratch_path), 0);
    fixture_run("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 5, end = 1", NULL);
    struct stint_store *store = fixture_open_store(scratch_path);
    assert_int_equal(stint_store_write("c.sqlite", stint_store_snapshot(store), stint_store_events(store), NULL, reason,
                                       sizeof reason),
                     -1);
    assert_non_null(strstr(reason, "out of order"));
    stint_store_close(store);
    assert_int_equal(rename("c.sqlite", scratch_path), 0);
    fixture_assert_rows("SELECT count(*) > 0 FROM CUPTI_ACTIVITY_KIND_RUNTIME", "1\n");
    assert_int_equal(system("! ls c.sqlite.* >ls.txt 2>&1"), 0);
}

TEST(a_store_of_another_version_is_refused)
{
    write_store(fixture_gpu());
    fixture_run("PRAGMA user_version = 2", NULL);
    assert_refused("it has version 2, but this stint reads version 1: use a later stint");
}

/* Databases of every version stay readable: this one, of recording_v5.stint, is never written again. */
TEST(a_store_of_an_earlier_release_is_still_read)
{
    struct stint_store *store = fixture_open_store(STINT_GOLDEN_DIR "/store_v1.sqlite");
    const struct stint_snapshot *snapshot = stint_store_snapshot(store);
    struct stint_event_source *source = stint_store_events(store);
    struct stint_event event;
    static const size_t expected[STINT_EVENT_SAMPLE + 1] = {723, 2, 2, 10, 34, 8, 8, 1};
    size_t counts[STINT_EVENT_SAMPLE + 1] = {0};
    assert_string_equal(snapshot->process.command, "train --fast");
    assert_int_equal(stint_snapshot_find(snapshot, NULL, "outer")->numbers.total_ns, 50);
    assert_int_equal(source->begin(source), 0);
    while (source->next(source, &event) == 1)
        counts[event.kind]++;
    assert_memory_equal(counts, expected, sizeof counts);
    stint_store_close(store);
}

TEST(a_store_without_its_report_is_refused)
{
    write_store(fixture_gpu());
    fixture_run("DELETE FROM stint_report", NULL);
    assert_refused("no report");
    write_store(fixture_gpu());
    fixture_run("UPDATE stint_report SET json = '{'", NULL);
    assert_refused("report cannot be read");
}

TEST(another_database_is_none_of_stints)
{
    (void)unlink(scratch_path);
    fixture_run("CREATE TABLE t(a)", NULL);
    assert_false(stint_store_is(scratch_path));
    assert_false(stint_store_is("nowhere.sqlite"));
    write_store(fixture_gpu());
    assert_true(stint_store_is(scratch_path));
}

/* Reads all of a file that nobody wrote, to an end or a failure. */
static void survive(const char *statements)
{
    char reason[256];
    struct stint_event event;
    write_store(fixture_gpu());
    fixture_run(statements, NULL);
    struct stint_store *store = stint_store_open(scratch_path, reason, sizeof reason);
    if (!store)
        return;
    struct stint_event_source *source = stint_store_events(store);
    int more = source->begin(source) ? -1 : 1;
    while (more > 0)
        more = source->next(source, &event);
    if (more < 0)
        assert_true(source->reason[0]);
    stint_store_close(store);
}

TEST(nonsense_in_the_tables_does_no_harm)
{
    survive("UPDATE stint_runs SET kind = 99");
    survive("UPDATE stint_runs SET kind = -1");
    survive("UPDATE stint_runs SET kind = 'x', first = 'y', last = NULL WHERE 0; UPDATE stint_runs SET last = 1 << 62");
    survive("UPDATE stint_runs SET start = -5");
    survive("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = -5, end = 'x'");
    survive("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 99999, context = -7, deviceId = 1 << 40");
    survive("UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET srcKind = -1, dstKind = 99, nameId = -1");
    survive("UPDATE stint_device_events SET kind = 99");
    survive("UPDATE stint_contexts SET parent = path");
    survive("DELETE FROM StringIds");
    survive("DROP TABLE StringIds");
    survive("DROP TABLE stint_runs; CREATE VIEW stint_runs AS SELECT 1 AS kind, 1 AS first, 1 AS last, 0 AS start");
    survive("INSERT INTO stint_runs SELECT * FROM stint_runs");
    survive("DROP TABLE CUPTI_ACTIVITY_KIND_MEMSET");
}

/* What libFuzzer begins with, tests/fuzz/store/own.sql, is made by hand: it has to have events in all tables still. */
TEST(seed_of_fuzzing_is_a_store_with_all_events)
{
    static char statements[1 << 17];
    struct stint_event event;
    size_t kinds[STINT_EVENT_SAMPLE + 1] = {0};
    int more;
    FILE *file = fopen(STINT_FUZZ_SEED, "r");
    assert_non_null(file);
    size_t length = fread(statements, 1, sizeof statements - 1, file);
    (void)fclose(file);
    assert_true(length && length < sizeof statements - 1);
    (void)unlink(scratch_path);
    fixture_run(statements, NULL);
    struct stint_event_source *source = fixture_read_events();
    while ((more = source->next(source, &event)) == 1)
        kinds[event.kind]++;
    if (more)
        fail_msg("%s", source->reason);
    assert_true(kinds[STINT_EVENT_SCOPE] && kinds[STINT_EVENT_RANGE] && kinds[STINT_EVENT_MARK] &&
                kinds[STINT_EVENT_CALL] && kinds[STINT_EVENT_SAMPLE]);
    assert_true(kinds[STINT_EVENT_DEVICE] >= 19); /* kernels 3, copies 3, a set, waits 2, others 10 */
}
