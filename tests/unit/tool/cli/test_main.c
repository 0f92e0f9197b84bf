/* The first words of a command line. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(help_lists_the_commands)
{
    static const struct captured_case cases[] = {
        {"stint --help", 0, "\n  merge    add up recordings", ""},
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

TEST(help_has_that_of_the_commands)
{
    static const struct captured_case cases[] = {
        {"stint help", 0, "Usage: stint COMMAND", ""},
        {"stint help diff", 0, "Usage: stint diff", ""},
        {"stint help dif", 2, "", "did you mean \"diff\"?"},
    };
    CAPTURED_CHECK(stint_cli, cases);
}

TEST(an_unknown_command_is_explained)
{
    static const struct captured_case cases[] = {
        {"stint stast", 2, "", "there is no command \"stast\"; did you mean \"stats\"?"},
        {"stint tpo", 2, "", "there is no command \"tpo\"; did you mean \"top\"?"},
        {"stint foo", 2, "", "there is no command \"foo\"; to run a program: stint run foo ..."},
        {"stint stat ./train", 2, "", "type stint run PROGRAM, or stint stats FILE"},
        {"stint record ./train", 2, "", "type stint run --sample --store run.stint PROGRAM"},
        {"stint --verson", 2, "", "there is no option --verson; did you mean --version?"},
        {"stint --frequency", 2, "", "there is no option --frequency: options follow a command"},
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
