/* Functions of SQL: what they return for values in a table. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "nsys/nsys.h"
#include "stint_test.h"

static struct stint_nsys s_nsys;

static int open_table(void **state)
{
    s_nsys = (struct stint_nsys){.status = STINT_OK};
    assert_int_equal(sqlite3_open(":memory:", &s_nsys.database), SQLITE_OK);
    stint_nsys_add_functions(&s_nsys);
    stint_nsys_add_range_functions(&s_nsys);
    stint_nsys_run(&s_nsys, "CREATE TABLE t(x)");
    assert_int_equal(s_nsys.status, STINT_OK);
    return 0;
}

static int close_table(void **state)
{
    return sqlite3_close(s_nsys.database);
}

static void fill(const char *values)
{
    char text[256];
    (void)snprintf(text, sizeof text, "DELETE FROM t; INSERT INTO t VALUES %s", values);
    stint_nsys_run(&s_nsys, text);
    assert_int_equal(s_nsys.status, STINT_OK);
}

/* The rows of a query, with a blank between them. */
static void expect(const char *query, const char *rows)
{
    char text[512] = "";
    size_t used = 0;
    sqlite3_stmt *select = NULL;
    assert_int_equal(sqlite3_prepare_v2(s_nsys.database, query, -1, &select, NULL), SQLITE_OK);
    while (sqlite3_step(select) == SQLITE_ROW) {
        const char *value = (const char *)sqlite3_column_text(select, 0);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "", value ? value : "NULL");
    }
    assert_int_equal(sqlite3_finalize(select), SQLITE_OK);
    assert_string_equal(text, rows);
}

static void medians_and_deviations_are_of_all_values(void **state)
{
    expect("SELECT median(x) FROM t", "NULL");
    expect("SELECT deviation(x) FROM t", "NULL");
    fill("(7)");
    expect("SELECT median(x) || ',' || deviation(x) FROM t", "7.0,0.0");
    fill("(4), (NULL), (1)");
    expect("SELECT median(x) || ',' || round(deviation(x), 4) FROM t", "2.5,2.1213");
    fill("(5), (1), (9223372036854775807), (2), (3)");
    expect("SELECT median(x) FROM t", "3.0");
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* With many equal values, rising, and at random. */
static void medians_are_those_of_sorted_values(void **state)
{
    uint64_t random = 5;
    for (size_t count = 1; count < 200; count += 7) {
        int64_t values[200];
        sqlite3_stmt *insert = NULL;
        fill("(NULL)");
        assert_int_equal(sqlite3_prepare_v2(s_nsys.database, "INSERT INTO t VALUES (?)", -1, &insert, NULL), SQLITE_OK);
        for (size_t i = 0; i < count; i++) {
            values[i] = count % 3 ? (int64_t)(test_random(&random) % (count % 3 == 1 ? 4 : 1000000)) : (int64_t)i;
            sqlite3_bind_int64(insert, 1, values[i]);
            assert_int_equal(sqlite3_step(insert), SQLITE_DONE);
            sqlite3_reset(insert);
        }
        sqlite3_finalize(insert);
        qsort(values, count, sizeof values[0], compare);
        char median[64];
        (void)snprintf(median, sizeof median, "%.1f",
                       ((double)values[(count - 1) / 2] + (double)values[count / 2]) / 2);
        expect("SELECT printf('%.1f', median(x)) FROM t", median);
    }
}

static void sums_do_not_overflow(void **state)
{
    expect("SELECT add_up(x) FROM t", "NULL");
    fill("(1), (NULL), (2)");
    expect("SELECT add_up(x) FROM t", "3");
    fill("(9223372036854775807), (2), (-5)");
    expect("SELECT add_up(x) FROM t", "9223372036854775809");
    fill("(9223372036854775807), (9223372036854775807), ('18446744073709551615')");
    expect("SELECT add_up(x) FROM t", "18446744073709551615");
}

/* A [0, 100) has B [10, 50), which has C [20, 30); D [40, 60) ends after B and is in A; E [70, 80) does not open. */
#define ROWS                                                                                                           \
    "(SELECT 1 AS id, 0 AS a, 100 AS b, 1 AS opens UNION ALL SELECT 2, 10, 50, 1 UNION ALL SELECT 3, 20, 30, 1 "       \
    "UNION ALL SELECT 4, 40, 60, 1 UNION ALL SELECT 5, 70, 80, 0 UNION ALL SELECT 6, 75, 76, 1)"
#define OF(function) "SELECT " function "(id, a, b, opens) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) FROM " ROWS

static void ranges_nest_in_the_shortest_one_around_them(void **state)
{
    expect(OF("range_parent"), "NULL 1 2 1 1 1");
    expect(OF("range_level"), "0 1 2 1 1 1");
    expect(OF("range_stack"), ":1 :1:2 :1:2:3 :1:4 :1:5 :1:6");
    expect("SELECT coalesce(range_list(id, a, b, opens) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING), '-') FROM " ROWS,
           "- - - - [1] -");
}

static void names_are_those_of_nsys(void **state)
{
    expect("SELECT copy_name(1, 'x')", "[CUDA memcpy Host-to-Device]");
    expect("SELECT copy_name(11, 'x')", "[CUDA memcpy Unified Host-to-Device]");
    expect("SELECT copy_name(0, '[CUDA memset]')", "[CUDA memset]");
    expect("SELECT copy_is_move(11) || copy_is_move(1) || copy_is_move(0)", "100");
    expect("SELECT memory_name(1)", "Pinned");
    expect("SELECT memory_name(NULL)", "NULL");
    expect("SELECT kernel_name('void k<int>(int)', '')", "void k<int>(int)");
    expect("SELECT operation_text('aten::mm', 54, 783, ', sizes = [[1, 2]]')",
           "aten::mm, seq = 54, op_id = 783, sizes = [[1, 2]]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(medians_and_deviations_are_of_all_values, open_table, close_table),
        cmocka_unit_test_setup_teardown(medians_are_those_of_sorted_values, open_table, close_table),
        cmocka_unit_test_setup_teardown(sums_do_not_overflow, open_table, close_table),
        cmocka_unit_test_setup_teardown(ranges_nest_in_the_shortest_one_around_them, open_table, close_table),
        cmocka_unit_test_setup_teardown(names_are_those_of_nsys, open_table, close_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
