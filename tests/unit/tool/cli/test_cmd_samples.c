/* Functions by CPU time. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

static void options_have_to_fit(void **state)
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
    (void)state;
    CAPTURED_CHECK(stint_cli_samples, cases);
}

static void functions_are_printed(void **state)
{
    static const struct captured_case cases[] = {
        {"samples GOLDEN/report_json_samples.json", 0, "Function", ""},
        {"samples GOLDEN/report_json_samples.json --csv", 0, ",", ""},
        {"samples GOLDEN/report_json_samples.json --scope nowhere", 1, "", "no sample is within a scope \"nowhere\""},
        {"samples GOLDEN/report_json_samples.json --source nothing", 1, "",
         "no function with lines and samples matches"},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli_samples, cases);
}

static void without_samples_there_are_none(void **state)
{
    static const struct captured_case cases[] = {
        {"samples GOLDEN/report_json_gpu.json", 1, "", "has no samples: record with stint run --sample"},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli_samples, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_have_to_fit),
        cmocka_unit_test(functions_are_printed),
        cmocka_unit_test(without_samples_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
