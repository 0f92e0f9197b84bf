#include "store/rows.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint/nvtx_stats.h"
#include "stint_test.h"
#include "store/scratch.h"
#include "store/store_fixture.h"

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

/* ---------------------------------------------------------------------------------------------------------- queries */

static int compare_answer(void *expected, int count, char **values, char **names)
{
    assert_string_equal(values[0], expected);
    return 0;
}

static void assert_answer(sqlite3 *database, const char *query, const char *expected)
{
    char copy[64];
    (void)snprintf(copy, sizeof copy, "%s", expected);
    assert_int_equal(sqlite3_exec(database, query, compare_answer, copy, NULL), SQLITE_OK);
}

static sqlite3 *open_database(void)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open_v2(scratch_path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_answer(database, "PRAGMA integrity_check", "ok");
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

TEST_ONCE(scratch_make, scratch_remove)

/* Several runs, the last rows of which are too few to be inserted together, and numbers of all sizes. */
TEST(many_rows_are_found)
{
    enum { ROWS = 300000 };
    struct stint_store_writer *writer = fixture_open_writer();
    uint64_t sum = 0, start = 0;
    char expected[64];
    for (uint64_t i = 0; i < ROWS; i++) {
        start += i % 1000 ? i % 7 : (i / 1000) << 38;
        tell(writer, (int64_t)(i % 3) + 1, start, start + i);
        sum += start % 1000003;
    }
    fixture_finish(writer);
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

TEST(what_is_not_there_is_null)
{
    struct stint_store_writer *writer = fixture_open_writer();
    tell(writer, 1, 5, 6);
    fixture_finish(writer);
    sqlite3 *database = open_database();
    assert_answer(database,
                  "SELECT count(*) FROM NVTX_EVENTS WHERE start = 5 AND \"end\" = 6 AND rangeId IS NULL AND text IS "
                  "NULL AND endGlobalTid IS NULL AND context IS NULL AND category IS NULL AND textId = (SELECT id FROM "
                  "StringIds WHERE value = 'range')",
                  "1");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

TEST(rows_of_a_run_are_in_order)
{
    enum { ROWS = 600000 };
    struct stint_store_writer *writer = fixture_open_writer();
    for (uint64_t i = ROWS; i; i--)
        tell(writer, 1, i, i + 1);
    fixture_finish(writer);
    assert_counts((const size_t[]){ROWS}, 1);
    sqlite3 *database = open_database();
    assert_answer(database, "SELECT count(*) FROM stint_runs", "3");
    assert_answer(database,
                  "SELECT count(*) FROM stint_runs r, NVTX_EVENTS a ON a.rowid >= r.first AND a.rowid < r.last, "
                  "NVTX_EVENTS b ON b.rowid = a.rowid + 1 WHERE b.start < a.start",
                  "0");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

/* SQLite has no numbers without a sign. */
TEST(starts_beyond_its_numbers_do_no_harm)
{
    static const uint64_t starts[] = {1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX - 1};
    struct stint_store_writer *writer = fixture_open_writer();
    for (size_t i = 0; i < TEST_COUNT(starts); i++)
        tell(writer, 1, starts[i], starts[i] + 1);
    fixture_finish(writer);
    assert_counts((const size_t[]){2}, 1);
}

TEST(no_rows_are_no_run)
{
    fixture_finish(fixture_open_writer());
    assert_counts((const size_t[]){0}, 1);
    sqlite3 *database = open_database();
    assert_answer(database, "SELECT count(*) FROM stint_runs", "0");
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}
