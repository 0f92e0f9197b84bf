/* Functions by CPU time. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(options_have_to_fit)
{
    static const struct captured_case cases[] = {
        {"samples --help", 0, "Usage: stint samples FILE", ""},
        {"samples", 2, "", "no recording was given"},
        {"samples a b", 2, "", "there is also b"},
        {"samples a --csv --mode top-down", 2, "", "--csv: trees cannot be printed as CSV"},
        {"samples a --format pprof --csv", 2, "", "cannot be combined with --mode or --csv"},
        {"samples a --source main --csv", 2, "", "--source cannot be combined with --mode or --format"},
        {"samples a --format pprof --mode top-down", 2, "", "cannot be combined with --mode or --csv"},
        {"samples a --source main --mode top-down", 2, "", "--source cannot be combined with --mode or --format"},
        {"samples a --source main --format pprof", 2, "", "--source cannot be combined with --mode or --format"},
        {"samples a --top x", 2, "", "--top x: expected a number from 0"},
        {"samples a --source-path .", 2, "", "--source-path needs --source"},
        {"samples a --mode x", 2, "", "--mode x: expected one of flat"},
    };
    CAPTURED_CHECK(stint_cli_samples, cases);
}

TEST(functions_are_printed)
{
    static const struct captured_case cases[] = {
        {"samples GOLDEN/report_json_samples.json", 0, "Function", ""},
        {"samples GOLDEN/report_json_samples.json --csv", 0, ",", ""},
        {"samples GOLDEN/report_json_samples.json --scope nowhere", 1, "",
         "no sample was taken in a scope \"nowhere\""},
        {"samples GOLDEN/report_json_samples.json --source nothing", 1, "",
         "no function with samples and line information matches"},
    };
    CAPTURED_CHECK(stint_cli_samples, cases);
}

TEST(without_samples_there_are_none)
{
    static const struct captured_case cases[] = {
        {"samples GOLDEN/report_json_gpu.json", 1, "", "has no samples: record with stint run --sample"},
    };
    CAPTURED_CHECK(stint_cli_samples, cases);
}
