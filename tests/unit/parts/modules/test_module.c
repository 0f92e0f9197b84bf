#include "modules/module.h"

#include <stdlib.h>
#include <string.h>

#include "captured_log.h"
#include "report/report.h"
#include "stint_test.h"

TEST(a_missing_module_is_a_reason_and_what_to_do)
{
    char reason[512];
    (void)setenv("STINT_MODULE", "/none/libstint_module.so", 1);
    assert_null(stint_module_find("stint_counting_open", reason, sizeof reason));
    assert_non_null(strstr(reason, "/none/libstint_module.so"));
    assert_non_null(strstr(reason, "install it beside stint's library, or set STINT_MODULE to its path"));
}

TEST(a_module_that_lacks_a_function_is_named)
{
    char reason[512];
    (void)setenv("STINT_MODULE", STINT_MODULE_FILE, 1);
    assert_null(stint_module_find("no_such_function", reason, sizeof reason));
    assert_non_null(strstr(reason, "no_such_function"));
}

/* The table is printed instead, which is told once. */
TEST(without_the_module_other_reports_are_told_once)
{
    (void)setenv("STINT_MODULE", "/none/libstint_module.so", 1);
    captured_log_begin();
    assert_int_equal(stint_report_load_others(0), -1);
    assert_int_equal(captured_log.lines, 0);
    assert_int_equal(stint_report_load_others(1), -1);
    assert_int_equal(stint_report_load_others(1), -1);
    assert_int_equal(captured_log.lines, 1);
    assert_non_null(strstr(captured_log.message, "the table is printed instead"));
}

TEST(a_function_of_the_module_is_found)
{
    char reason[512] = "";
    (void)setenv("STINT_MODULE", STINT_MODULE_FILE, 1);
    assert_non_null(stint_module_find(STINT_MODULE_REPORTS, reason, sizeof reason));
    assert_string_equal(reason, "");
}

TEST(the_environment_says_which_samples_are_wanted)
{
    (void)unsetenv("STINT_SAMPLE");
    assert_null(stint_module_samples_wanted());
    (void)setenv("STINT_SAMPLE", "off", 1);
    assert_null(stint_module_samples_wanted());
    (void)setenv("STINT_SAMPLE", "wall,99", 1);
    assert_string_equal(stint_module_samples_wanted(), "wall,99");
}
