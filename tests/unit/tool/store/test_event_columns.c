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
    (void)stint_sql_run(&s_sql, "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT)");
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

static void every_table_can_be_written_and_read(void **state)
{
    struct stint_gpu_row row;
    for (int table = 0; table < STINT_STORE_TABLES; table++) {
        insert_given((enum stint_store_table)table);
        stint_event_columns_compute(&s_sql, (enum stint_store_table)table);
        assert_int_equal(read_first((enum stint_store_table)table, &row), 0);
    }
}

static void members_are_those_of_the_columns(void **state)
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

/* A file that somebody has made up may have any number. */
static void numbers_that_cannot_be_are_harmless(void **state)
{
    struct stint_gpu_row row = {.event.instance = STINT_GPU_NO_INSTANCE};
    (void)stint_sql_run(&s_sql, "INSERT INTO stint_device_events(start, \"end\", kind, nameId, context) "
                                "VALUES (1, 2, 99, 1, -5)");
    assert_int_equal(read_first(STINT_STORE_OTHERS, &row), 1);
    assert_int_equal(row.event.kind, STINT_GPU_OVERHEAD);
    assert_int_equal(row.context, 0);
    assert_true(row.event.instance == STINT_GPU_NO_INSTANCE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_table_can_be_written_and_read, begin, end),
        cmocka_unit_test_setup_teardown(members_are_those_of_the_columns, begin, end),
        cmocka_unit_test_setup_teardown(numbers_that_cannot_be_are_harmless, begin, end),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
