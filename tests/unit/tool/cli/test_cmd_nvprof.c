/* Command lines of nvprof. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(a_program_or_a_file_is_needed)
{
    static const struct captured_case cases[] = {
        {"nvprof --help", 0, "Usage: stint nvprof", ""},
        {"nvprof", 2, "", "======== Error: no program was given"},
        {"nvprof -i a -o b", 2, "", "--import-profile cannot be combined"},
        {"nvprof -i a ./train", 2, "", "--import-profile cannot be combined"},
        {"nvprof --profile-from-stat off ./train", 2, "", "did you mean --profile-from-start?"},
        {"nvprof --print-pci-topology", 2, "", "======== Warning: --print-pci-topology: "},
        {"nvprof --metrics nonsense ./train", 2, "", "======== Error: --metrics nonsense: there is no such metric"},
    };
    CAPTURED_CHECK(stint_cli_nvprof, cases);
}

TEST(names_of_files_are_checked_before_the_run)
{
    static const struct captured_case cases[] = {
        {"nvprof -o x%z ./train", 2, "", "--export-profile x%z: expected a path"},
        {"nvprof --export-profile= ./train", 2, "", "--export-profile : expected a path"},
        {"nvprof --log-file= ./train", 2, "", "--log-file : expected a path"},
        {"nvprof --log-file x%z ./train", 2, "", "--log-file x%z: expected a path"},
        {"nvprof --profile-child-processes -o x ./train", 2, "", "the name needs %p"},
        {"nvprof -o GOLDEN/report_json_gpu.json ./train", 2, "", "--force-overwrite replaces it"},
    };
    CAPTURED_CHECK(stint_cli_nvprof, cases);
}

TEST(a_profile_is_printed_again)
{
    static const struct captured_case cases[] = {
        {"nvprof -i GOLDEN/report_json_gpu.json", 0, "", "======== Profiling result:"},
        {"nvprof -q -i GOLDEN/report_json_gpu.json", 0, "", ""},
        {"nvprof --log-file %2 -i GOLDEN/report_json_gpu.json", 0, "", "======== Profiling result:"},
        {"nvprof --log-file /none/x -i GOLDEN/report_json_gpu.json", 1, "", "cannot be written: No such file"},
        {"nvprof -i GOLDEN/report_json_samples.json", 0, "", "======== CPU profiling result (bottom up):"},
        {"nvprof --log-file %1 --devices 0 -i GOLDEN/report_json_gpu.json", 0,
         "======== Warning: --devices: all devices are recorded", ""},
        {"nvprof -i GOLDEN/none.json", 1, "", "none.json"},
    };
    CAPTURED_CHECK(stint_cli_nvprof, cases);
}
