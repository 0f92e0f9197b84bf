/* What running processes do. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(options_have_to_fit)
{
    static const struct captured_case cases[] = {
        {"top --help", 0, "Usage: stint top [PID... | --all]", ""},
        {"top -d 0.01", 2, "", "--delay 0.01: expected seconds"},
        {"top -n 0", 2, "", "expected a number from 1"},
        {"top --sort size", 2, "", "expected one of total, self, count, name"},
        {"top --all 1", 2, "", "give processes or --all, not both"},
    };
    CAPTURED_CHECK(stint_cli_top, cases);
}

TEST(who_cannot_be_asked_is_named)
{
    static const struct captured_case cases[] = {
        {"top x", 2, "", "x is not a process id"},
        {"top --batch 2147483647", 1, "", "there is no process 2147483647"},
    };
    CAPTURED_CHECK(stint_cli_top, cases);
}
