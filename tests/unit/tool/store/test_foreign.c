#include "store/store.h"

#include <stdio.h>
#include <string.h>

#include "foreign_fixture.h"
#include "stint_test.h"
#include "store/foreign_dialect.h"

TEST_EACH(NULL, foreign_close)

TEST(work_of_a_launch_that_is_not_in_the_file_is_unattributed)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_int_equal(foreign_charge(snapshot, "relu", "(unattributed)")->total_ns, 30000);
    assert_int_equal(foreign_charge(snapshot, "relu", "(no scope)")->total_ns, 10000);
}

TEST(ranges_that_never_end_are_still_running)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    const struct stint_numbers *numbers = &foreign_stat(snapshot, "NVTX", "never ends")->numbers;
    assert_int_equal(snapshot->dropped.abandoned, 1);
    assert_int_equal(numbers->count, 0);
    assert_int_equal(numbers->total_ns, 0);
    assert_int_equal(numbers->self_ns, 0);
    assert_int_equal(numbers->running, 1);
    assert_int_equal(numbers->running_ns, 9610000 - 8500000);
}

TEST(several_processes_with_events_have_no_number)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                                 "VALUES (900, 990, 59, 'other', (4712 << 24) + 5, 0)");
    assert_int_equal(snapshot->process.pid, 0);
    assert_int_equal(snapshot->threads[2].pid, 4712);
}

TEST(payloads_are_added_up)
{
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", NULL);
    assert_int_equal(snapshot->nvtx_value_count, 1);
    assert_string_equal(snapshot->nvtx_values[0].name, "step");
    assert_true(snapshot->nvtx_values[0].sum == 96);
}

TEST(work_that_begins_before_its_launch_is_unattributed)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 1240000 WHERE correlationId = 100");
    assert_int_equal(foreign_charge(snapshot, "void gemm", "(unattributed)")->count, 1);
}

TEST(events_come_by_start_with_contexts_of_the_snapshot)
{
    const struct stint_snapshot *snapshot = /* with a kernel that begins together with a shorter call */
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 4200000 WHERE correlationId = 105");
    struct stint_event_source *source = stint_foreign_events(foreign_opened);
    struct stint_event event;
    uint64_t last_ns = 0, last_end_ns = 0, count = 0;
    assert_int_equal(source->begin(source), 0);
    for (; source->next(source, &event) == 1; count++) {
        assert_true(event.start_ns > last_ns || (event.start_ns == last_ns && event.end_ns <= last_end_ns) || !count);
        assert_true(event.end_ns >= event.start_ns);
        last_ns = event.start_ns;
        last_end_ns = event.end_ns;
        if (event.kind == STINT_EVENT_DEVICE && event.gpu->kind == STINT_GPU_COPY)
            assert_int_equal(event.gpu->source, STINT_GPU_MEMORY_PINNED);
        if (event.kind == STINT_EVENT_SCOPE)
            assert_string_equal(snapshot->stats[snapshot->contexts[event.context].stat].name, event.name);
    }
    assert_int_equal(count, 8 + 7 + 5 + 1 + 1 + 1);
}

TEST(a_database_of_something_else_is_refused)
{
    foreign_assert_refused(foreign_fixture(NULL, "CREATE TABLE people (name TEXT)"), "is not a recording");
}

TEST(a_database_of_which_nothing_can_be_read_is_refused)
{
    static const char strings[] = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
                                  "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName);";
    char statements[400];
    (void)foreign_open(NULL, strings);
    (void)foreign_close(NULL);
    (void)snprintf(statements, sizeof statements,
                   "%sINSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (NULL, 2, 1), ('now', 2, 1)", strings);
    foreign_assert_refused(foreign_fixture(NULL, statements), "none of its 2 rows has valid times");
    (void)snprintf(statements, sizeof statements,
                   "%sCREATE TABLE KERNELS (start, end); INSERT INTO KERNELS VALUES (1, 2), (3, 4)", strings);
    foreign_assert_refused(foreign_fixture(NULL, statements), "left out: 2 rows of KERNELS");
}

TEST(kernels_that_end_before_they_begin_are_counted)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
}

/* Nsight Systems counts from the start of the recording; CUPTI writes 0 to 0 if it has no times. */
TEST(work_may_begin_with_the_recording)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 0 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 0);
}

TEST(work_without_times_is_counted_as_lost)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 0, end = 0 WHERE correlationId = 105");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
}

TEST(times_that_cannot_be_are_counted)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807 WHERE correlationId = 105;"
                    "UPDATE NVTX_EVENTS SET start = -9223372036854775807 WHERE text = 'train'");
    assert_int_equal(snapshot->dropped.gpu_invalid, 2);
    assert_int_equal(snapshot->process.wall_ns, 10000000);
}

/* What the file has of a time is what is used of it: 0 and less are times, too. */
TEST(times_may_be_before_0)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE NVTX_EVENTS SET start = -500 WHERE text = 'train'");
    assert_int_equal(snapshot->dropped.gpu_invalid, 0);
    assert_int_equal(snapshot->process.wall_ns, 10000000);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "train")->numbers.total_ns, 9000000 + 500);
}

/* Without processes in the rows of devices, correlations say whose they are. */
TEST(work_is_of_the_process_that_launched_it)
{
    static const char two[] =
        "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT NULL, cbid, start, end, 900, threadId, correlationId + %d, 0 "
        "FROM CUPTI_ACTIVITY_KIND_RUNTIME";
    char statements[400];
    (void)snprintf(statements, sizeof statements, two, 1000);
    const struct stint_snapshot *snapshot = foreign_open("nvprof.sql", statements);
    assert_int_equal(foreign_charge(snapshot, "[CUDA memcpy DtoH]", "epoch")->bytes, 4194304);
    assert_int_equal(stint_foreign_ambiguous(foreign_opened), 0);
    (void)foreign_close(NULL);
    (void)snprintf(statements, sizeof statements, two, 0);
    snapshot = foreign_open("nvprof.sql", statements);
    assert_int_equal(foreign_charge(snapshot, "[CUDA memcpy DtoH]", "(unattributed)")->bytes, 4194304);
    assert_true(stint_foreign_ambiguous(foreign_opened) > 0);
}

TEST(a_call_that_never_ends_still_launched_something)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "CREATE TABLE r AS SELECT * FROM CUPTI_ACTIVITY_KIND_RUNTIME; "
                                 "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; "
                                 "ALTER TABLE r RENAME TO CUPTI_ACTIVITY_KIND_RUNTIME; "
                                 "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET end = NULL WHERE correlationId = 100");
    assert_int_equal(snapshot->dropped.abandoned, 2);
    assert_int_equal(foreign_stat(snapshot, "CUDA API", "cudaLaunchKernel")->numbers.running, 1);
    assert_int_equal(foreign_charge(snapshot, "void gemm", "train/step/forward")->count, 1);
}

TEST(times_that_are_no_numbers_are_not_those_of_what_never_ended)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE NVTX_EVENTS SET end = 'never' WHERE text = 'train'; "
                                 "UPDATE NVTX_EVENTS SET start = 1.5e18, end = 1e300 WHERE text = 'forward'");
    assert_int_equal(snapshot->dropped.gpu_invalid, 2);
    assert_int_equal(snapshot->dropped.abandoned, 1);
    assert_int_equal(foreign_stat(snapshot, "NVTX", "never ends")->numbers.running_ns, 1110000);
}

/* A table that is known by its name is told, whatever keeps it from being read. */
TEST(tables_that_lack_times_are_told)
{
    (void)foreign_open("nsys.sql", "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME COLUMN \"end\" TO stop");
    assert_string_equal(stint_foreign_left_out(foreign_opened), "5 rows of CUPTI_ACTIVITY_KIND_KERNEL");
    (void)foreign_close(NULL);
    (void)foreign_open("nvprof.sql", "ALTER TABLE CUPTI_ACTIVITY_KIND_MARKER RENAME TO other;"
                                     "CREATE VIEW CUPTI_ACTIVITY_KIND_MARKER AS SELECT * FROM other");
    assert_string_equal(stint_foreign_left_out(foreign_opened), "the view CUPTI_ACTIVITY_KIND_MARKER");
    (void)foreign_close(NULL);
    (void)foreign_open("nvprof.sql", "UPDATE CUPTI_ACTIVITY_KIND_MARKER SET flags = 'begin' WHERE flags & 2");
    assert_non_null(strstr(stint_foreign_left_out(foreign_opened), "of unknown kinds of ranges"));
}

/* Each process has domains of its own. */
TEST(ranges_of_very_many_processes_are_all_there)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                                 "INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                                 "SELECT 1000, 2000, 59, 'of many', i << 24, 0 FROM n");
    assert_int_equal(foreign_stat(snapshot, "NVTX", "of many")->numbers.count, 5000);
    assert_true(snapshot->dropped.nvtx_domains >= 5000 - STINT_FOREIGN_MOST_DOMAINS);
}

/* Without the constraints and types that the tool gives its columns. */
static void write_loosely(char *out, size_t size, const char *table, const char *set)
{
    snprintf(out, size,
             "CREATE TABLE r AS SELECT * FROM %s; DROP TABLE %s; ALTER TABLE r RENAME TO %s;"
             "UPDATE %s SET %s WHERE rowid = (SELECT max(rowid) FROM %s)",
             table, table, table, table, set, table);
}

TEST(impossible_values_are_counted_and_the_first_is_told)
{
    static const char kernel[] = "CUPTI_ACTIVITY_KIND_KERNEL", call[] = "CUPTI_ACTIVITY_KIND_RUNTIME",
                      copy[] = "CUPTI_ACTIVITY_KIND_MEMCPY", range[] = "NVTX_EVENTS",
                      concurrent[] = "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL";
    static const struct {
        const char *file, *table, *column;
        int is_wide;
    } places[] = {{"nsys.sql", kernel, "deviceId", 0},
                  {"nsys.sql", kernel, "contextId", 0},
                  {"nsys.sql", kernel, "streamId", 0},
                  {"nsys.sql", kernel, "gridX", 0},
                  {"nsys.sql", kernel, "blockZ", 0},
                  {"nsys.sql", kernel, "registersPerThread", 0},
                  {"nsys.sql", kernel, "correlationId", 1},
                  {"nsys.sql", kernel, "dynamicSharedMemory", 0},
                  {"nsys.sql", copy, "bytes", 1},
                  {"nsys.sql", copy, "copyKind", 0},
                  {"nsys.sql", call, "correlationId", 1},
                  {"nsys.sql", range, "category", 0},
                  {"nvprof.sql", concurrent, "streamId", 0},
                  {"nvprof.sql", call, "processId", 0},
                  {"nvprof.sql", call, "threadId", 0},
                  {"nvprof.sql", copy, "bytes", 1}};
    static const char *const values[] = {"-2147483649", "'many'", "1e300", "x'00'", "4294967296"};
    for (size_t i = 0; i < TEST_COUNT(places) * TEST_COUNT(values); i++) {
        char statements[600], set[100], first[100];
        size_t place = i / TEST_COUNT(values), value = i % TEST_COUNT(values);
        if (places[place].is_wide && value + 1 == TEST_COUNT(values))
            continue;
        snprintf(set, sizeof set, "\"%s\" = %s", places[place].column, values[value]);
        write_loosely(statements, sizeof statements, places[place].table, set);
        snprintf(first, sizeof first, "%s of %s", places[place].column, places[place].table);
        const struct stint_snapshot *snapshot = foreign_open(places[place].file, statements);
        if (snapshot->dropped.impossible != 1)
            fail_msg("%s: %llu impossible values", statements, (unsigned long long)snapshot->dropped.impossible);
        assert_string_equal(stint_foreign_first_impossible(foreign_opened), first);
        (void)foreign_close(NULL);
    }
}

TEST(possible_values_are_not_counted)
{
    char statements[1000];
    write_loosely(statements, sizeof statements, "CUPTI_ACTIVITY_KIND_KERNEL",
                  "contextId = NULL, gridX = '7', gridY = 2.0, registersPerThread = 4294967295;"
                  "UPDATE NVTX_EVENTS SET color = -16777216;"
                  "UPDATE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SET streamId = -1, contextId = 4294967295");
    const struct stint_snapshot *snapshot = foreign_open("nsys.sql", statements);
    assert_int_equal(snapshot->dropped.impossible, 0);
    assert_string_equal(stint_foreign_first_impossible(foreign_opened), "");
}

TEST(impossible_numbers_of_devices_are_counted)
{
    const struct stint_snapshot *snapshot = foreign_open(
        "nsys.sql",
        "UPDATE TARGET_INFO_GPU SET smCount = -132, clockRate = 'fast', totalMemory = '64', computeMinor = NULL");
    assert_int_equal(snapshot->dropped.impossible, 2);
    assert_int_equal(snapshot->gpu_devices[0].memory_bytes, 64);
    (void)foreign_close(NULL);
    snapshot = foreign_open("nvprof.sql", "UPDATE CUPTI_ACTIVITY_KIND_DEVICE SET coreClockRate = 5000000000");
    assert_int_equal(snapshot->dropped.impossible, 1);
}

/* What took no time that is known is not counted as if it had taken none. */
TEST(ranges_that_end_before_they_begin_are_left_out_and_told)
{
    const struct stint_snapshot *snapshot =
        foreign_open("nsys.sql", "UPDATE NVTX_EVENTS SET end = 5 WHERE text = 'forward'");
    assert_int_equal(snapshot->dropped.gpu_invalid, 1);
    assert_null(stint_snapshot_find(snapshot, "NVTX", "forward"));
}
