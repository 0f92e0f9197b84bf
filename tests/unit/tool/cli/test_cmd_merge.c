/* Adding recordings up. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(options_have_to_fit)
{
    static const struct captured_case cases[] = {
        {"merge --help", 0, "Usage: stint merge FILE...", ""},
        {"merge a", 2, "", "expected two files or more"},
        {"merge a b -o c --report gpu", 2, "", "--report and --format cannot be combined with -o"},
        {"merge a b --ranks", 2, "", "--ranks needs a file for the sum"},
        {"merge a b --report table --format json", 2, "", "--format json prints everything"},
        {"merge a b --format yaml", 2, "", "expected one of table, csv, json"},
    };
    CAPTURED_CHECK(stint_cli_merge, cases);
}

TEST(ranks_are_compared)
{
    static const struct captured_case cases[] = {
        {"merge GOLDEN/report_json_gpu.json GOLDEN/report_json_training.json", 0, "stint: train --gpus 2, 2 ranks", ""},
        {"merge GOLDEN/report_json_gpu.json GOLDEN/none.json", 2, NULL, "none.json"},
    };
    CAPTURED_CHECK(stint_cli_merge, cases);
}

TEST(the_sum_is_a_file)
{
    static const struct captured_case cases[] = {
        {"merge GOLDEN/report_json_gpu.json GOLDEN/report_json_training.json -o /dev/full", 2, NULL, "/dev/full"},
    };
    CAPTURED_CHECK(stint_cli_merge, cases);
}
