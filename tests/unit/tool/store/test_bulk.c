#include "store/bulk.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint/nvtx_stats.h"
#include "stint_test.h"
#include "store/scratch.h"
#include "store/store_writer.h"

/* Rows and entries are written without SQLite, so SQLite says whether they are right. */

static const char s_report[] =
    "{\"format\":\"stint-report\",\"version\":1,\"process\":{\"pid\":4711,\"command\":\"./test\","
    "\"host\":\"\",\"start_unix_ns\":1790000000000000000,\"wall_ns\":60000000000}}";

static struct stint_store_writer *open_writer(void)
{
    char reason[256];
    struct stint_store_writer *writer = stint_store_writer_open(scratch_path, 4711, reason, sizeof reason);
    if (!writer)
        fail_msg("%s", reason);
    return writer;
}

static void tell(struct stint_store_writer *writer, int64_t tid, uint64_t start, uint64_t end)
{
    struct stint_event event = {.kind = STINT_EVENT_RANGE,
                                .start_ns = start,
                                .end_ns = end,
                                .pid = 4711,
                                .tid = tid,
                                .context = STINT_GPU_UNATTRIBUTED,
                                .name = "range",
                                .set = STINT_NVTX_START_END_SET};
    assert_int_equal(stint_store_writer_event(writer, &event), 0);
}

static void finish(struct stint_store_writer *writer)
{
    char reason[256];
    if (stint_store_writer_finish(writer, s_report, sizeof s_report - 1, reason, sizeof reason))
        fail_msg("%s", reason);
}

/* ---------------------------------------------------------------------------------------------------------- queries */

static int compare_answer(void *expected, int count, char **values, char **names)
{
    (void)count;
    (void)names;
    assert_string_equal(values[0], expected);
    return 0;
}

static void assert_answer(sqlite3 *database, const char *query, const char *expected)
{
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%s", expected);
    assert_int_equal(sqlite3_exec(database, query, compare_answer, copy, NULL), SQLITE_OK);
}

static int drop_view(void *database, int count, char **values, char **names)
{
    char statement[100];
    (void)count;
    (void)names;
    (void)snprintf(statement, sizeof statement, "DROP VIEW %s", values[0]);
    return sqlite3_exec(database, statement, NULL, NULL, NULL);
}

/* Where there are views, SQLite may take the check for one of some tables only, and not look for pages that are of no
 * use. */
static void assert_sound(sqlite3 *database)
{
    assert_answer(database, "PRAGMA integrity_check", "ok");
    assert_int_equal(sqlite3_exec(database, "BEGIN", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(database, "SELECT name FROM sqlite_master WHERE type = 'view'", drop_view, database, NULL),
        SQLITE_OK);
    assert_answer(database, "PRAGMA integrity_check", "ok");
    assert_int_equal(sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
}

static sqlite3 *open_database(void)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open_v2(scratch_path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_sound(database);
    return database;
}

/* Checks the numbers of rows, found through the index, of threads 0, 1, ... */
static void assert_counts(const size_t *counts, size_t threads)
{
    sqlite3 *database = open_database();
    for (size_t i = 0; i < threads; i++) {
        char query[200], expected[24];
        (void)snprintf(query, sizeof query,
                       "SELECT count(*) FROM NVTX_EVENTS INDEXED BY stint_ranges_by_thread WHERE globalTid = %lld AND "
                       "start >= 1",
                       4711LL << 24 | (long long)(i + 1));
        (void)snprintf(expected, sizeof expected, "%zu", counts[i]);
        assert_answer(database, query, expected);
    }
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* What threads have left over is put into leaves together; all ways in which these can meet full ones occur here. */
static void threads_of_any_length_are_indexed(void **state)
{
    enum { MOST = 4 };
    uint64_t random = 1;
    (void)state;
    for (int round = 0; round < 150; round++) {
        struct stint_store_writer *writer = open_writer();
        size_t counts[MOST], threads = 1 + test_random(&random) % MOST;
        for (size_t i = 0; i < threads; i++)
            counts[i] = test_random(&random) % 3 ? test_random(&random) % 4 : 165 + test_random(&random) % 200;
        for (uint64_t at = 1; at < 400; at++)
            for (size_t i = 0; i < threads; i++)
                if (at <= counts[i])
                    tell(writer, (int64_t)i + 1, at * 1000, at * 1000 + i);
        finish(writer);
        assert_counts(counts, threads);
    }
}

/* Three levels of the index, and numbers of all sizes. */
static void many_rows_are_found(void **state)
{
    enum { ROWS = 300000 };
    struct stint_store_writer *writer = open_writer();
    uint64_t sum = 0, start = 0;
    char expected[64];
    (void)state;
    for (uint64_t i = 0; i < ROWS; i++) {
        start += i % 1000 ? i % 7 : (i / 1000) << 38;
        tell(writer, (int64_t)(i % 3) + 1, start, start + i);
        sum += start % 1000003;
    }
    finish(writer);
    sqlite3 *database = open_database();
    (void)snprintf(expected, sizeof expected, "%llu", (unsigned long long)sum);
    assert_answer(database, "SELECT sum(start % 1000003) FROM NVTX_EVENTS WHERE eventType = 60", expected);
    assert_answer(database, "SELECT sum(\"end\" - start) FROM NVTX_EVENTS WHERE eventType = 60", "44999850000");
    assert_answer(database, "SELECT max(rowid) - min(rowid) + 1 - count(*) FROM NVTX_EVENTS", "0");
    assert_answer(database,
                  "SELECT count(*) FROM NVTX_EVENTS a, NVTX_EVENTS b WHERE b.rowid = a.rowid + 1 AND b.start < a.start",
                  "0");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static void what_is_not_there_is_null(void **state)
{
    struct stint_store_writer *writer = open_writer();
    (void)state;
    tell(writer, 1, 5, 6);
    finish(writer);
    sqlite3 *database = open_database();
    assert_answer(database,
                  "SELECT count(*) FROM NVTX_EVENTS WHERE start = 5 AND \"end\" = 6 AND rangeId IS NULL AND text IS "
                  "NULL AND endGlobalTid IS NULL AND context IS NULL AND category IS NULL AND textId = (SELECT id FROM "
                  "StringIds WHERE value = 'range')",
                  "1");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

/* Rows that are not in the order of their starts have an index that SQLite makes. */
static void order_is_not_needed(void **state)
{
    enum { ROWS = 600000 };
    struct stint_store_writer *writer = open_writer();
    (void)state;
    for (uint64_t i = ROWS; i; i--)
        tell(writer, 1, i, i + 1);
    finish(writer);
    assert_counts((const size_t[]){ROWS}, 1);
}

/* SQLite has no numbers without a sign. */
static void starts_beyond_its_numbers_do_no_harm(void **state)
{
    static const uint64_t starts[] = {1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1};
    struct stint_store_writer *writer = open_writer();
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(starts); i++)
        tell(writer, 1, starts[i], starts[i] + 1);
    finish(writer);
    assert_counts((const size_t[]){2}, 1);
}

static void empty_table_is_sound(void **state)
{
    (void)state;
    finish(open_writer());
    assert_counts((const size_t[]){0}, 1);
}

static void rest_of_the_file_is_not_touched(void **state)
{
    (void)state;
    struct stint_store_writer *writer = open_writer();
    for (uint64_t i = 1; i < 5000; i++)
        tell(writer, 1, i, i + 1);
    finish(writer);
    sqlite3 *database = open_database();
    assert_answer(database, "SELECT count(*) FROM PROCESSES", "1");
    assert_answer(database, "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_PRODUCT_NAME'", "stint");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
    assert_int_equal(sqlite3_open_v2(scratch_path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database,
                                  "CREATE TABLE mine(x); INSERT INTO mine SELECT start FROM NVTX_EVENTS; VACUUM", NULL,
                                  NULL, NULL),
                     SQLITE_OK);
    assert_answer(database, "SELECT count(*) FROM mine WHERE x > 0", "4999");
    assert_answer(database, "PRAGMA integrity_check", "ok");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_any_length_are_indexed),
        cmocka_unit_test(many_rows_are_found),
        cmocka_unit_test(what_is_not_there_is_null),
        cmocka_unit_test(order_is_not_needed),
        cmocka_unit_test(starts_beyond_its_numbers_do_no_harm),
        cmocka_unit_test(empty_table_is_sound),
        cmocka_unit_test(rest_of_the_file_is_not_touched),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
