/* Asking a process that runs. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(one_thing_is_asked_of_one_process)
{
    static const struct captured_case cases[] = {
        {"attach --help", 0, "Usage: stint attach PID --on | --off", ""},
        {"attach 1", 2, "", "expected a process ID and an action"},
        {"attach --on", 2, "", "expected a process"},
        {"attach 1 --on --off", 2, "", "give only one of --on, --off, --print and --dump"},
        {"attach 1 --dumb", 2, "", "did you mean --dump?"},
    };
    CAPTURED_CHECK(stint_cli_attach, cases);
}

TEST(who_cannot_be_asked_is_named)
{
    static const struct captured_case cases[] = {
        {"attach x --on", 2, "", "x is not a process id"},
        {"attach 1x --print", 2, "", "1x is not a process id"},
        {"attach 0 --print", 2, "", "0 is not a process id"},
        {"attach 2147483648 --off", 2, "", "2147483648 is not a process id"},
        {"attach 9223372036854775808 --off", 2, "", "9223372036854775808 is not a process id"},
        {"attach /1 --off", 2, "", "/1 is not a process id"},
        {"attach 2147483647 --print", 1, "", "there is no process 2147483647"},
    };
    CAPTURED_CHECK(stint_cli_attach, cases);
}
