/* What can be recorded here. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(mistakes_in_options_are_told)
{
    static const struct captured_case cases[] = {
        {"doctor --help", 0, "Usage: stint doctor", ""},
        {"doctor --mesure", 2, "", "did you mean --measure?"},
    };
    CAPTURED_CHECK(stint_cli_doctor, cases);
}

TEST(a_program_is_looked_at)
{
    static const struct captured_case cases[] = {
        {"doctor no-such-program-anywhere", 1, "NO  program    no-such-program-anywhere: No such file", ""},
        {"doctor sh", 1, "ok  program    /", ""},
    };
    CAPTURED_CHECK(stint_cli_doctor, cases);
}
