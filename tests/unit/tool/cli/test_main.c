/* The first words of a command line. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(help_lists_the_commands)
{
    static const struct captured_case cases[] = {
        {"stint --help", 0, "\n  merge    add recordings up\n", ""},
        {"stint help", 0, "Usage: stint COMMAND", ""},
        {"stint", 2, "", "Usage: stint COMMAND [OPTIONS]"},
    };
    CAPTURED_CHECK(stint_cli, cases);
}

TEST(the_version_is_printed)
{
    static const struct captured_case cases[] = {
        {"stint --version", 0, "stint 0.", ""},
        {"stint -V", 0, "stint 0.", ""},
        {"stint stats -V", 0, "stint 0.", ""},
    };
    CAPTURED_CHECK(stint_cli, cases);
}

TEST(an_unknown_command_is_explained)
{
    static const struct captured_case cases[] = {
        {"stint stat", 2, "", "there is no command \"stat\"; did you mean \"stats\"?"},
        {"stint ./train", 2, "", "to run a program: stint run ./train ..."},
    };
    CAPTURED_CHECK(stint_cli, cases);
}

TEST(by_the_name_nvprof_it_is_that)
{
    static const struct captured_case cases[] = {
        {"/usr/bin/nvprof --help", 0, "Usage: stint nvprof", ""},
        {"nvprof", 2, "", "======== Error: no program was given"},
    };
    CAPTURED_CHECK(stint_cli, cases);
}
