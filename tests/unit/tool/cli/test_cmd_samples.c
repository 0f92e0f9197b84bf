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
        {"samples a --csv --mode top-down", 2, "", "--csv: trees have no such form"},
        {"samples a --format pprof --csv", 2, "", "have no mode, and no --csv"},
        {"samples a --source main --csv", 2, "", "--source: it has no mode and no format"},
        {"samples a --source-path .", 2, "", "say with --source which functions"},
        {"samples a --mode x", 2, "", "--mode x: expected one of flat"},
    };
    CAPTURED_CHECK(stint_cli_samples, cases);
}

TEST(functions_are_printed)
{
    static const struct captured_case cases[] = {
        {"samples GOLDEN/report_json_samples.json", 0, "Function", ""},
        {"samples GOLDEN/report_json_samples.json --csv", 0, ",", ""},
        {"samples GOLDEN/report_json_samples.json --scope nowhere", 1, "", "no sample is within a scope \"nowhere\""},
        {"samples GOLDEN/report_json_samples.json --source nothing", 1, "",
         "no function with lines and samples matches"},
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
