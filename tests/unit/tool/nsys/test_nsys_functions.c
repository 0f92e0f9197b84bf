/* Functions of SQL: what they return for values in a table. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "nsys/nsys.h"
#include "nsys/nsys_fixture.h"
#include "stint_test.h"

static void fill(const char *values)
{
    char text[256];
    (void)snprintf(text, sizeof text, "DELETE FROM t; INSERT INTO t VALUES %s", values);
    stint_nsys_run(&nsys_memory, text);
    assert_int_equal(nsys_memory.status, STINT_OK);
}

TEST_EACH(nsys_open_memory, nsys_close_memory)

TEST(medians_and_deviations_are_of_all_values)
{
    nsys_expect_rows("SELECT median(x) FROM t", "NULL");
    nsys_expect_rows("SELECT deviation(x) FROM t", "NULL");
    fill("(7)");
    nsys_expect_rows("SELECT median(x) || ',' || deviation(x) FROM t", "7.0,0.0");
    fill("(4), (NULL), (1)");
    nsys_expect_rows("SELECT median(x) || ',' || round(deviation(x), 4) FROM t", "2.5,2.1213");
    fill("(5), (1), (9223372036854775807), (2), (3)");
    nsys_expect_rows("SELECT median(x) FROM t", "3.0");
}

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* With many equal values, rising, and at random. */
TEST(medians_are_those_of_sorted_values)
{
    uint64_t random = 5;
    for (size_t count = 1; count < 200; count += 7) {
        int64_t values[200];
        sqlite3_stmt *insert = NULL;
        fill("(NULL)");
        assert_int_equal(sqlite3_prepare_v2(nsys_memory.database, "INSERT INTO t VALUES (?)", -1, &insert, NULL),
                         SQLITE_OK);
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
        nsys_expect_rows("SELECT printf('%.1f', median(x)) FROM t", median);
    }
}

TEST(sums_do_not_overflow)
{
    nsys_expect_rows("SELECT add_up(x) FROM t", "NULL");
    fill("(1), (NULL), (2)");
    nsys_expect_rows("SELECT add_up(x) FROM t", "3");
    fill("(9223372036854775807), (2), (-5)");
    nsys_expect_rows("SELECT trim(add_up(x)) FROM t", "9223372036854775809");
    fill("(9223372036854775807), (9223372036854775807), ('18446744073709551615')");
    nsys_expect_rows("SELECT add_up(x) FROM t", "18446744073709551615");
}

TEST(sums_beyond_the_numbers_of_sql_sort_by_value)
{
    fill("(9223372036854775807), (9223372036854775806), (2)");
    nsys_expect_rows(
        "SELECT group_concat(trim(s)) FROM (SELECT add_up(x) AS s FROM t UNION ALL SELECT add_up(x) FROM t "
        "WHERE x < 9223372036854775807 UNION ALL SELECT 7 ORDER BY s)",
        "7,9223372036854775808,18446744073709551615");
}

TEST(names_are_those_of_nsys)
{
    nsys_expect_rows("SELECT copy_name(1, 'x')", "[CUDA memcpy Host-to-Device]");
    nsys_expect_rows("SELECT copy_name(11, 'x')", "[CUDA memcpy Unified Host-to-Device]");
    nsys_expect_rows("SELECT copy_name(0, '[CUDA memset]')", "[CUDA memset]");
    nsys_expect_rows("SELECT copy_is_move(11) || copy_is_move(1) || copy_is_move(0)", "100");
    nsys_expect_rows("SELECT memory_name(1)", "Pinned");
    nsys_expect_rows("SELECT memory_name(NULL)", "NULL");
    nsys_expect_rows("SELECT kernel_name('void k<int>(int)', '')", "void k<int>(int)");
    nsys_expect_rows("SELECT operation_text('aten::mm', 54, 783, ', sizes = [[1, 2]]')",
                     "aten::mm, seq = 54, op_id = 783, sizes = [[1, 2]]");
}
