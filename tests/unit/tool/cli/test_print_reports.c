/* Which reports are printed, in which form, and where to. */
#include "cli/results.h"

#include <stdlib.h>
#include <string.h>

#include "captured_output.h"
#include "report/fixture.h"
#include "stint_test.h"

static struct stint_print s_print;

static int choose(const char *list, int csv)
{
    captured_output_begin();
    int failed = stint_print_choose(&s_print, "--report", list, csv);
    captured_output_end();
    return failed;
}

TEST(words_become_forms)
{
    assert_int_equal(choose("tree,nvprof:csv,cuda_gpu_kern_sum:base", 0), 0);
    assert_int_equal(s_print.count, 3);
    assert_true(s_print.forms[0].report == STINT_REPORT_TREE && !s_print.forms[0].csv);
    assert_true(s_print.forms[1].csv);
    assert_int_equal(s_print.forms[2].kernels, STINT_KERNELS_BASE);
    assert_int_equal(choose("nvprof", 1), 0);
    assert_true(s_print.forms[0].csv);
    assert_int_equal(choose("OFF", 0), 0);
    assert_int_equal(s_print.count, 0);
}

TEST(unknown_words_are_explained)
{
    static const struct {
        const char *list, *said;
    } mistakes[] = {
        {"tre", "stint: --report: there is no report \"tre\"; did you mean \"tree\"?\n"},
        {"nvprof-csv", "stint: --report: there is no report \"nvprof-csv\"; did you mean \"nvprof:csv\"?\n"},
        {"tree:csv", "stint: --report: the report \"tree\" cannot be printed as CSV\n"},
        {"tree:base",
         "stint: --report: the report \"tree\" has no names of kernels: :base and :mangled do not apply\n"},
        {"cuda_gpu_kern_sum:basic",
         "stint: --report: there is no report \"cuda_gpu_kern_sum:basic\"; did you mean \"cuda_gpu_kern_sum\"?\n"},
        {"-csv", "stint: --report: there is no report \"-csv\"; did you mean \"csv\"?\n"},
        {"csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,csv,"
         "csv,"
         "csv,csv,csv,csv,csv",
         "stint: --report: more than 32 reports\n"},
        {"none.sql", "stint: --report: none.sql: No such file or directory\n"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        assert_int_equal(choose(mistakes[i].list, 0), -1);
        assert_string_equal(captured_output.err, mistakes[i].said);
    }
}

TEST(options_come_before_the_environment)
{
    assert_int_equal(setenv("STINT_REPORT", "paddle", 1), 0);
    assert_int_equal(stint_print_ask(&s_print, NULL, NULL), 0);
    assert_int_equal(s_print.forms[0].report, STINT_REPORT_PADDLE);
    assert_int_equal(stint_print_ask(&s_print, "tree", "table"), 0);
    assert_int_equal(s_print.forms[0].report, STINT_REPORT_TREE);
    assert_int_equal(stint_print_ask(&s_print, NULL, "json"), 0);
    assert_int_equal(s_print.forms[0].report, STINT_REPORT_JSON);
    assert_int_equal(unsetenv("STINT_REPORT"), 0);
    assert_int_equal(stint_print_ask(&s_print, NULL, NULL), 0);
    assert_int_equal(s_print.forms[0].report, STINT_REPORT_SUMMARY);
}

TEST(a_path_has_the_number_of_the_process)
{
    char path[16];
    static const struct stint_process process = {.pid = 42, .start_unix_ns = 17};
    assert_int_equal(stint_print_path(path, sizeof path, "a%p%%.txt", &process), 0);
    assert_string_equal(path, "a42%.txt");
    assert_int_equal(stint_print_path(path, sizeof path, "a%i.txt", &process), 0);
    assert_string_equal(path, "a42.17.txt");
    assert_int_equal(stint_print_path(path, sizeof path, "a%p.txt", NULL), 0);
    assert_string_equal(path, "a0.txt");
    assert_int_equal(stint_print_path(path, sizeof path, "a-name-that-is-too-long", &process), -1);
}

TEST(reports_for_programs_need_a_file_for_each_process)
{
    struct stint_print print = {.per_process = 1};
    assert_int_equal(stint_print_choose(&print, "", "json", 0), 0);
    captured_output_begin();
    assert_int_equal(stint_print_check(&print, "--log-file"), -1);
    captured_output_end();
    assert_non_null(strstr(captured_output.err, "--per-process: in CSV and JSON each process needs a file of its own"));
    assert_int_equal(stint_print_to(&print, "--log-file", "x.%p"), 0);
    assert_int_equal(stint_print_check(&print, "--log-file"), 0);
}

TEST(reports_follow_one_another_with_a_blank_line_between)
{
    struct stint_print print = {.to_stdout = 1};
    assert_int_equal(stint_print_choose(&print, "", "table,tree", 0), 0);
    captured_output_begin();
    int failed = stint_print(&print, fixture_training(), NULL, 0);
    captured_output_end();
    assert_int_equal(failed, 0);
    const char *second = strstr(captured_output.out + 1, "\n\nstint: ");
    assert_non_null(second);
    assert_null(strstr(second + 1, "\n\n\n"));
}

TEST(what_cannot_be_written_is_told_and_printed)
{
    struct stint_print print = {.path = "/no-such-folder/report"};
    stint_print_usual(&print);
    captured_output_begin();
    int failed = stint_print(&print, fixture_training(), NULL, 0);
    captured_output_end();
    assert_int_equal(failed, -1);
    assert_non_null(strstr(captured_output.err, "stint: the report cannot be written: No such file or directory\n"));
    assert_non_null(strstr(captured_output.err, "trainOnePass"));
    assert_int_equal(stint_print_try(&print, "--log-file"), -1);
    assert_string_equal(print.path, "");
}
