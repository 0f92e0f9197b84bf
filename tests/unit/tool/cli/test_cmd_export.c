/* Files for other tools. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(the_format_has_to_be_known)
{
    static const struct captured_case cases[] = {
        {"export --help", 0, "or a report: json, csv", ""},
        {"export", 2, "", "expected a file: stint export FILE"},
        {"export a b", 2, "", "there is also b; stint merge adds up several"},
        {"export a", 2, "", "a: No such file or directory"},
        {"export GOLDEN/report_json_gpu.json", 2, "", "no output was given"},
        {"export a -o b.txt", 2, "", "the name b.txt does not end in a known format"},
        {"export a --format chrom", 2, "", "did you mean \"chrome\"?"},
        {"export a --format nvprof-csv", 2, "", "did you mean \"nvprof:csv\"?"},
        {"export a --format cuda_gpu_ker_sum", 2, "", "did you mean \"cuda_gpu_kern_sum\"?"},
        {"export a --fromat chrome", 2, "", "did you mean --format?"},
        {"export GOLDEN/none.json --format chrome", 2, "", "none.json: No such file or directory"},
    };
    CAPTURED_CHECK(stint_cli_export, cases);
}

TEST(options_that_do_not_fit_are_refused)
{
    static const struct captured_case cases[] = {
        {"export a --format chrome --weight gpu", 2, "", "--weight applies only to the format collapsed"},
        {"export a --format collapsed --weight joules", 2, "", "expected one of host, gpu, bytes"},
        {"export a --format sqlite", 2, "", "a database must be a file"},
        {"export GOLDEN/report_json_gpu.json -o GOLDEN/report_json_gpu.json --format chrome", 2, "",
         "is the recording to be read"},
    };
    CAPTURED_CHECK(stint_cli_export, cases);
}

TEST(a_recording_is_written)
{
    static const struct captured_case cases[] = {
        {"export GOLDEN/report_json_gpu.json --format collapsed", 0, "trainOnePass 97779132\n", ""},
        {"export GOLDEN/report_json_gpu.json --format csv", 0, "trainOnePass", ""},
        {"export GOLDEN/report_json_gpu.json --format chrome", 0, "traceEvents", ""},
        {"export GOLDEN/report_json_training.json --format chrome", 2, "", "has only totals and no events"},
    };
    CAPTURED_CHECK(stint_cli_export, cases);
}

TEST(what_cannot_be_written_is_said)
{
    static const struct captured_case cases[] = {
        {"export GOLDEN/report_json_gpu.json --format chrome -o /none/a.json.gz", 2, "",
         "could not be exported to /none/a.json.gz: No such file or directory"},
        {"export GOLDEN/report_json_gpu.json --format chrome -o /none/a.json", 2, "", "No such file or directory"},
        {"export GOLDEN/report_json_gpu.json --format csv -o /none/a.csv", 2, "", "No such file or directory"},
        {"export GOLDEN/report_json_gpu.json --format chrome -o /dev/full", 2, "", "No space left on device"},
        {"export GOLDEN/report_json_gpu.json --format csv -o /dev/full", 2, "", "No space left on device"},
    };
    CAPTURED_CHECK(stint_cli_export, cases);
}
