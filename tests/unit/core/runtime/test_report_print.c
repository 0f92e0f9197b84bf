#include "stint/report.h"

#include <string.h>

#include "captured_log.h"
#include "record/fixture.h"
#include "stint_test.h"

#define TEST(name) cmocka_unit_test_setup(name, fixture_reset)

static void a_statistic_is_printed_in_lines_of_the_log(void **state)
{
    run("printed", 3000000);
    assert_int_equal(stint_statset_print(NULL, "printed"), STINT_OK);
    assert_true(captured_log.lines > 0);
    assert_non_null(strstr(captured_log.message, "Stat="));
}

static void what_is_unknown_is_told(void **state)
{
    assert_int_equal(stint_statset_print(NULL, "not printed"), STINT_ERROR_NOT_FOUND);
    assert_string_equal(captured_log.message, "not printed is not registed in GlobalStatInfo");
}

static void all_is_printed_even_if_nothing_ran(void **state)
{
    assert_int_equal(stint_print_all_status(), STINT_OK);
    assert_true(captured_log.lines > 0);
}

static void a_report_is_saved_in_a_file_that_has_a_name(void **state)
{
    assert_int_equal(stint_report_save(STINT_FORMAT_JSON, NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_save(STINT_FORMAT_JSON, ""), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_save(STINT_FORMAT_JSON, "/no/such/folder/report.json"), STINT_ERROR_IO);
    assert_int_equal(captured_log.lines, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_statistic_is_printed_in_lines_of_the_log),
        TEST(what_is_unknown_is_told),
        TEST(all_is_printed_even_if_nothing_ran),
        TEST(a_report_is_saved_in_a_file_that_has_a_name),
    };

    return cmocka_run_group_tests(tests, fixture_start, NULL);
}
