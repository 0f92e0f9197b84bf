/* Operations that launched kernels. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(options_have_to_fit)
{
    static const struct captured_case cases[] = {
        {"ops --help", 0, "Usage: stint ops FILE", ""},
        {"ops", 2, "", "no recording was given"},
        {"ops a b", 2, "", "there is also b"},
        {"ops a -c nonsense", 2, "", "there is no column \"nonsense\"; there are idx"},
        {"ops a --csv -w 80", 2, "", "give only one of --csv, --json and -w"},
        {"ops a --by op --advice", 2, "", "give only one of"},
        {"ops a -w 0", 2, "", "expected a number from 1 to 100000"},
        {"ops a -w 1", 1, "", "Minimum width required"},
    };
    CAPTURED_CHECK(stint_cli_ops, cases);
}

TEST(each_kernel_has_a_line)
{
    static const struct captured_case cases[] = {
        {"ops GOLDEN/report_json_gpu.json", 0, "1 na 0 na na convolve", ""},
        {"ops GOLDEN/report_json_gpu.json --csv -c idx,kernel", 0, "\"1\",\"", ""},
        {"ops GOLDEN/report_json_gpu.json --by kernel", 0, "convolve", ""},
    };
    CAPTURED_CHECK(stint_cli_ops, cases);
}

TEST(without_kernels_there_are_none)
{
    static const struct captured_case cases[] = {
        {"ops GOLDEN/report_json_training.json", 0, "", "Found 0 kernels. Exiting."},
        {"ops GOLDEN/report_json_training.json", 0, "", "training.json has no work of a GPU; stint stats shows"},
    };
    CAPTURED_CHECK(stint_cli_ops, cases);
}
