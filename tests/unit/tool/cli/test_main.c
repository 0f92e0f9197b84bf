/* The first words of a command line. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

static void help_lists_the_commands(void **state)
{
    static const struct captured_case cases[] = {
        {"stint --help", 0, "\n  merge    add recordings up\n", ""},
        {"stint help", 0, "Usage: stint COMMAND", ""},
        {"stint", 2, "", "Usage: stint COMMAND [OPTIONS]"},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli, cases);
}

static void the_version_is_printed(void **state)
{
    static const struct captured_case cases[] = {
        {"stint --version", 0, "stint 0.", ""},
        {"stint -V", 0, "stint 0.", ""},
        {"stint stats -V", 0, "stint 0.", ""},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli, cases);
}

static void an_unknown_command_is_explained(void **state)
{
    static const struct captured_case cases[] = {
        {"stint stat", 2, "", "there is no command \"stat\"; did you mean \"stats\"?"},
        {"stint ./train", 2, "", "to run a program: stint run ./train ..."},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli, cases);
}

static void by_the_name_nvprof_it_is_that(void **state)
{
    static const struct captured_case cases[] = {
        {"/usr/bin/nvprof --help", 0, "Usage: stint nvprof", ""},
        {"nvprof", 2, "", "======== Error: no program was given"},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_lists_the_commands),
        cmocka_unit_test(the_version_is_printed),
        cmocka_unit_test(an_unknown_command_is_explained),
        cmocka_unit_test(by_the_name_nvprof_it_is_that),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
