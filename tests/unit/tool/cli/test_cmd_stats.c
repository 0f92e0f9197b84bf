/* Reports of recordings. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(a_recording_is_needed)
{
    static const struct captured_case cases[] = {
        {"stats --help", 0, "Usage: stint stats FILE...", ""},
        {"stats", 2, "", "no recording was given"},
        {"stats GOLDEN/none.json", 2, "", "none.json"},
        {"stats a --report nvprog", 2, "", "there is no report \"nvprog\"; did you mean \"nvprof\"?"},
        {"stats a -o x%z", 2, "", "--output=x%z is not understood"},
        {"stats a --sort size", 2, "", "expected one of total"},
        {"stats --report tree", 2, "", "no recording was given"},
        {"stats a --report nvtx_sum:base", 2, "", "has no names of kernels: :base and :mangled do not apply"},
        {"stats a --report cuda_gpu_kern_sum:bas", 2, "", "there is no report \"cuda_gpu_kern_sum:bas\""},
        {"stats a --report cuda_gpu_kern_sum:base:mangled", 2, "", "there is no report \"cuda_gpu_kern_sum:mangled\""},
        {"stats a --format json --report tree", 2, "", "--format json prints everything: leave out --report"},
        {"stats a b --per-process --format csv", 2, "", "a file of its own: --output NAME.%p"},
        {"stats a --filter-tim3 1/2", 2, "", "there is no option --filter-tim3; did you mean --filter-time?"},
        {"stats a --filter-device x", 2, "", "--filter-device x: expected a number from 0"},
    };
    CAPTURED_CHECK(stint_cli_stats, cases);
}

TEST(reports_are_listed)
{
    static const struct captured_case cases[] = {
        {"stats --list", 0, "\ncuda_gpu_kern_sum ", ""},
    };
    CAPTURED_CHECK(stint_cli_stats, cases);
}

TEST(options_may_stand_behind_files)
{
    static const struct captured_case cases[] = {
        {"stats GOLDEN/report_json_gpu.json --report csv --top 1", 0, "trainOnePass", ""},
        {"stats GOLDEN/recording_v2.stint", 0, "stint: train --fast (pid 77)", ""},
    };
    CAPTURED_CHECK(stint_cli_stats, cases);
}

TEST(several_files_have_one_report)
{
    static const struct captured_case cases[] = {
        {"stats GOLDEN/report_json_gpu.json GOLDEN/report_json_training.json", 0, "wall 12.04 s, GPUs busy 804.6 ms",
         ""},
    };
    CAPTURED_CHECK(stint_cli_stats, cases);
}

TEST(a_part_is_chosen)
{
    static const struct captured_case cases[] = {
        {"stats GOLDEN/report_json_gpu.json --include convolve* --exclude *", 0, NULL, "left out"},
        {"stats GOLDEN/report_json_gpu.json --filter-nvtx nowhere", 1, "", "has no such range among its events"},
    };
    CAPTURED_CHECK(stint_cli_stats, cases);
}
