#include "store/rows.h"

#include <stdio.h>
#include <string.h>

#include "stint_test.h"
#include "store/scratch.h"

static struct stint_sql s_sql;

/* Has all tables, and one whose rows are inserted. */
static int begin(void **state)
{
    char text[400] = "CREATE TABLE given(c0";
    for (int i = 1; i < 40; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), ", c%d", i);
    (void)snprintf(text + strlen(text), sizeof text - strlen(text), ")");
    assert_int_equal(stint_sql_create(&s_sql, scratch_path), 0);
    (void)stint_sql_run(&s_sql, "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
                                "CREATE TABLE stint_runs(kind, first, last, start, \"end\")");
    for (int table = 0; table < STINT_STORE_TABLES; table++)
        stint_event_columns_create(&s_sql, (enum stint_store_table)table);
    return stint_sql_run(&s_sql, text);
}

static int end(void **state)
{
    assert_string_equal(s_sql.reason, "");
    stint_sql_close(&s_sql);
    return 0;
}

static void insert_given(enum stint_store_table table)
{
    struct stint_sql_query insert = stint_event_columns_insert(&s_sql, table, "given");
    stint_sql_do(&insert);
    stint_sql_end(&insert);
}

static int read_first(enum stint_store_table table, void *row)
{
    struct stint_sql_query select = stint_event_columns_select(&s_sql, table);
    stint_sql_bind_i64(&select, 1, 1);
    stint_sql_bind_i64(&select, 2, 1);
    int has_row = stint_sql_step(&select);
    if (has_row)
        stint_event_columns_read(&select, table, row);
    stint_sql_end(&select);
    return has_row;
}

TEST_ONCE(scratch_make, scratch_remove)
TEST_EACH(begin, end)

TEST(every_table_can_be_written_and_read)
{
    struct stint_gpu_row row;
    for (int table = 0; table < STINT_STORE_TABLES; table++) {
        insert_given((enum stint_store_table)table);
        stint_event_columns_compute(&s_sql, (enum stint_store_table)table);
        assert_int_equal(read_first((enum stint_store_table)table, &row), 0);
    }
}

TEST(members_are_those_of_the_columns)
{
    struct stint_range_row row = {.context = STINT_ROW_UNKNOWN, .color = 7};
    (void)stint_sql_run(&s_sql,
                        "INSERT INTO given(c0, c1, c2, c5, c7, c8, c12, c13) VALUES (5, 9, 59, 77, 3, 2, -1, 6)");
    insert_given(STINT_STORE_RANGES);
    assert_int_equal(read_first(STINT_STORE_RANGES, &row), 1);
    assert_int_equal(row.start_ns, 5);
    assert_int_equal(row.end_ns, 9);
    assert_int_equal(row.type, STINT_STORE_PUSH_POP);
    assert_int_equal(row.thread, 77);
    assert_int_equal(row.text, 3);
    assert_int_equal(row.domain, 2);
    assert_int_equal(row.context, STINT_ROW_UNKNOWN); /* NULL leaves it as it was */
    assert_int_equal(row.color, 7);
    assert_int_equal(row.has_seq, 1);
    assert_true(row.seq == UINT64_MAX);
    assert_int_equal(row.op_id, 6);
}

/* SQLite has no whole numbers above INT64_MAX: they must not become negative in sums. */
TEST(amounts_are_as_large_as_they_are)
{
    static const uint64_t amounts[] = {0, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    for (size_t i = 0; i < TEST_COUNT(amounts); i++) {
        struct stint_gpu_row written = {.event.bytes = amounts[i]}, row = {.event.instance = STINT_GPU_NO_INSTANCE};
        struct stint_rows rows;
        struct stint_strings strings = {0};
        (void)stint_sql_run(&s_sql, "DELETE FROM CUPTI_ACTIVITY_KIND_MEMSET; DELETE FROM stint_runs");
        stint_rows_begin(&rows, &s_sql, &strings);
        written.event.kind = STINT_GPU_SET;
        stint_rows_add_gpu(&rows, &written);
        stint_rows_flush(&rows);
        stint_rows_end(&rows);
        assert_int_equal(read_first(STINT_STORE_SETS, &row), 1);
        assert_true(row.event.bytes == amounts[i]);
        struct stint_sql_query sum = stint_sql_query(&s_sql, "SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMSET");
        assert_int_equal(stint_sql_step(&sum), 1);
        assert_true(stint_sql_double(&sum, 0) == (double)amounts[i]);
        stint_sql_end(&sum);
    }
}

/* A file that somebody has made up may have any number. */
TEST(numbers_that_cannot_be_are_harmless)
{
    struct stint_gpu_row row = {.event.instance = STINT_GPU_NO_INSTANCE};
    (void)stint_sql_run(&s_sql, "INSERT INTO stint_device_events(start, \"end\", kind, nameId, context, deviceId) "
                                "VALUES (1, 2, 99, 1, -5, 4294967299)");
    assert_int_equal(read_first(STINT_STORE_OTHERS, &row), 1);
    assert_int_equal(row.event.kind, STINT_GPU_OVERHEAD);
    assert_int_equal(row.context, 0);
    assert_int_equal(row.event.device, 0);
    assert_true(row.event.instance == STINT_GPU_NO_INSTANCE);
}
