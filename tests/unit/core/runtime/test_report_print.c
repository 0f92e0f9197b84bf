#include "stint/report.h"

#include <string.h>

#include "captured_log.h"
#include "record/fixture.h"
#include "stint_test.h"

TEST_ONCE(fixture_start, NULL)
TEST_EACH(fixture_reset, NULL)

TEST(a_statistic_is_printed_in_lines_of_the_log)
{
    run("printed", 3000000);
    assert_int_equal(stint_statset_print(NULL, "printed"), STINT_OK);
    assert_true(captured_log.lines > 0);
    assert_non_null(strstr(captured_log.message, "Stat="));
}

TEST(what_is_unknown_is_told)
{
    assert_int_equal(stint_statset_print(NULL, "not printed"), STINT_ERROR_NOT_FOUND);
    assert_string_equal(captured_log.message, "not printed is not registed in GlobalStatInfo");
}

TEST(all_is_printed_even_if_nothing_ran)
{
    assert_int_equal(stint_print_all_status(), STINT_OK);
    assert_true(captured_log.lines > 0);
}

TEST(a_report_is_saved_in_a_file_that_has_a_name)
{
    assert_int_equal(stint_report_save(STINT_FORMAT_JSON, NULL), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_save(STINT_FORMAT_JSON, ""), STINT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(stint_report_save(STINT_FORMAT_JSON, "/no/such/folder/report.json"), STINT_ERROR_IO);
    assert_int_equal(captured_log.lines, 1);
}
