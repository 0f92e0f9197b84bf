/* Comparing recordings. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(both_sides_are_needed)
{
    static const struct captured_case cases[] = {
        {"diff --help", 0, "\nExit status: 0: no rule is broken", ""},
        {"diff a", 2, "", "expected two files, or several with -- between"},
        {"diff a b c", 2, "", "3 files: put -- between the two sides"},
        {"diff GOLDEN/report_json_gpu.json GOLDEN/none.json", 2, "", "No such file"},
    };
    CAPTURED_CHECK(stint_cli_diff, cases);
}

TEST(what_changed_is_printed)
{
    static const struct captured_case cases[] = {
        {"diff GOLDEN/report_json_gpu.json GOLDEN/report_json_training.json", 0,
         "note: GPU activity was recorded only in A", ""},
        {"diff --format csv GOLDEN/report_json_gpu.json GOLDEN/report_json_gpu.json", 0, "trainOnePass", ""},
    };
    CAPTURED_CHECK(stint_cli_diff, cases);
}

TEST(functions_of_samples_are_compared)
{
    static const struct captured_case cases[] = {
        {"diff --by function GOLDEN/report_json_samples.json GOLDEN/report_json_samples.json", 0, "Functions", ""},
    };
    CAPTURED_CHECK(stint_cli_diff, cases);
}

TEST(a_broken_rule_is_the_exit_code)
{
    static const struct captured_case cases[] = {
        {"diff --gate scope:trainOnePass:total<=1ms GOLDEN/report_json_gpu.json GOLDEN/report_json_training.json", 1,
         "trainOnePass", "--gate: "},
        {"diff --gate scope:trainOnePass:count==1 GOLDEN/report_json_gpu.json GOLDEN/report_json_gpu.json", 0, NULL,
         ""},
    };
    CAPTURED_CHECK(stint_cli_diff, cases);
}
