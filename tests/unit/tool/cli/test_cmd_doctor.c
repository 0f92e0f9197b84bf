/* What can be recorded here. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

static void mistakes_in_options_are_told(void **state)
{
    static const struct captured_case cases[] = {
        {"doctor --help", 0, "Usage: stint doctor", ""},
        {"doctor --mesure", 2, "", "did you mean --measure?"},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli_doctor, cases);
}

static void a_program_is_looked_at(void **state)
{
    static const struct captured_case cases[] = {
        {"doctor no-such-program-anywhere", 1, "NO  program    no-such-program-anywhere: No such file", ""},
        {"doctor sh", 1, "ok  program    /", ""},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli_doctor, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_options_are_told),
        cmocka_unit_test(a_program_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
