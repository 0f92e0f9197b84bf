/* The statements of a report, and the database that they run on. */
#include <sqlite3.h>
#include <string.h>

#include "nsys/nsys_fixture.h"
#include "report/gpu_fixture.h"
#include "stint_test.h"

static void scripts_have_names(void **state)
{
    assert_non_null(strstr(stint_nsys_script("tables"), "CREATE TABLE StringIds"));
    assert_null(stint_nsys_script("no_such_report"));
}

static void last_select_of_a_script_has_the_rows(void **state)
{
    sqlite3_stmt *select =
        stint_nsys_run_to_select(&nsys_memory, "SELECT 1; INSERT INTO t VALUES (7); SELECT x FROM t");
    assert_non_null(select);
    assert_int_equal(sqlite3_step(select), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(select, 0), 7);
    assert_int_equal(sqlite3_finalize(select), SQLITE_OK);
    assert_int_equal(nsys_memory.status, STINT_OK);
}

static void rows_are_kept_under_the_names_of_their_columns(void **state)
{
    sqlite3_stmt *select = stint_nsys_run_to_select(&nsys_memory, "SELECT 3 AS \"a \"\"b\"\":dur_ns\" UNION SELECT 4");
    stint_nsys_keep(&nsys_memory, select);
    assert_int_equal(
        (int)stint_nsys_number(&nsys_memory, sqlite3_mprintf("SELECT sum(\"a \"\"b\"\":dur_ns\") FROM report_result")),
        7);
    assert_int_equal(sqlite3_finalize(select), SQLITE_OK);
    assert_int_equal(nsys_memory.status, STINT_OK);
}

static void script_without_a_select_is_refused(void **state)
{
    assert_null(stint_nsys_run_to_select(&nsys_memory, "DELETE FROM t"));
    assert_int_equal(nsys_memory.status, STINT_ERROR_IO);
    assert_string_equal(nsys_memory.reason, "it has no SELECT");
}

static void mistake_in_a_script_has_sqlites_words_and_ends_it(void **state)
{
    nsys_memory.status = STINT_OK;
    assert_null(stint_nsys_run_to_select(&nsys_memory, "DELETE FROM missing; SELECT 1"));
    assert_string_equal(nsys_memory.reason, "no such table: missing");
    assert_null(stint_nsys_select(&nsys_memory, sqlite3_mprintf("SELECT 1")));
    assert_true(stint_nsys_number(&nsys_memory, sqlite3_mprintf("SELECT 1")) <= 0);
}

static void snapshot_without_a_recording_gets_all_tables(void **state)
{
    struct stint_nsys nsys = {.snapshot = fixture_gpu()};
    stint_nsys_open(&nsys);
    assert_int_equal(nsys.status, STINT_OK);
    assert_true(stint_nsys_number(&nsys, sqlite3_mprintf("SELECT count(*) FROM stint_statistics")) > 1);
    assert_true(stint_nsys_number(&nsys, sqlite3_mprintf("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL")) > 1);
    stint_nsys_close(&nsys);
    fixture_gpu_free();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_have_names),
        cmocka_unit_test(last_select_of_a_script_has_the_rows),
        cmocka_unit_test(rows_are_kept_under_the_names_of_their_columns),
        cmocka_unit_test(script_without_a_select_is_refused),
        cmocka_unit_test(mistake_in_a_script_has_sqlites_words_and_ends_it),
        cmocka_unit_test(snapshot_without_a_recording_gets_all_tables),
    };
    return cmocka_run_group_tests(tests, nsys_open_memory, nsys_close_memory);
}
