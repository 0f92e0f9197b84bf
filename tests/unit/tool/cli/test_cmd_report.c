/* Pages for a browser. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(one_file_and_one_output_are_needed)
{
    static const struct captured_case cases[] = {
        {"report --help", 0, "Usage: stint report FILE -o OUT.html", ""},
        {"report", 2, "", "expected a file"},
        {"report a b -o c", 2, "", "there is also b"},
        {"report a", 2, "", "a: No such file or directory"},
        {"report GOLDEN/report_json_gpu.json", 2, "", "no output was given"},
        {"report a -o b --serve", 2, "", "give only one of"},
        {"report a --serve=0", 2, "", "expected a number from 1 to 65535"},
        {"report a --serve=65536", 2, "", "--serve 65536: expected a number from 1 to 65535"},
        {"report --titel x", 2, "", "did you mean --title?"},
        {"report a --title", 2, "", "option --title needs a value"},
        {"report GOLDEN/none.json -o -", 2, "", "none.json"},
    };
    CAPTURED_CHECK(stint_cli_report, cases);
}

TEST(the_page_is_written)
{
    static const struct captured_case cases[] = {
        {"report GOLDEN/report_json_gpu.json -o - --title My-run", 0, "<title>My-run</title>", ""},
    };
    CAPTURED_CHECK(stint_cli_report, cases);
}

TEST(a_part_needs_events)
{
    static const struct captured_case cases[] = {
        {"report GOLDEN/report_json_training.json -o - --filter-time 0/1ms", 2, "",
         "has only statistics, but filters need events"},
    };
    CAPTURED_CHECK(stint_cli_report, cases);
}
