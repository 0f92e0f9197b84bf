/* Metrics of running programs. */
#include "cli/command.h"
#include "http/http_server.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(an_address_is_needed)
{
    static const struct captured_case cases[] = {
        {"metrics --help", 0, "Usage: stint metrics --listen ADDRESS", ""},
        {"metrics", 2, "", "expected an address to listen on"},
        {"metrics --listen 127.0.0.1:x", 2, "", "--listen 127.0.0.1:x: "},
        {"metrics --lisen x", 2, "", "did you mean --listen?"},
    };
    CAPTURED_CHECK(stint_cli_metrics, cases);
}

TEST(processes_or_all_of_them_are_asked)
{
    static const struct captured_case cases[] = {
        {"metrics --listen /run/stint.sock --all 1", 2, "", "give processes or --all, not both"},
        {"metrics --listen /run/stint.sock 2147483647", 1, "", "there is no process 2147483647"},
    };
    if (stint_http_missing())
        skip();
    CAPTURED_CHECK(stint_cli_metrics, cases);
}
