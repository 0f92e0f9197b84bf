/* Running a program. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

TEST(a_program_is_needed)
{
    static const struct captured_case cases[] = {
        {"run --help", 0, "Usage: stint run [OPTIONS]", ""},
        {"run", 2, "", "no program was given"},
        {"run --osrt", 2, "", NULL},
        {"run no-such-program-anywhere", 127, "", "cannot run no-such-program-anywhere: No such file"},
    };
    CAPTURED_CHECK(stint_cli_run, cases);
}

TEST(options_that_contradict_each_other_are_refused)
{
    static const struct captured_case cases[] = {
        {"run --gpu api --api off true", 2, "", "--gpu api and --api off contradict each other"},
        {"run --report table --format json true", 2, "", "--format json prints everything"},
        {"run --report ops true", 2, "", "--report ops: add --ops"},
        {"run --per-process --format csv true", 2, "", "each process needs a file of its own"},
        {"run --per-process --report tree,nvtx_sum:csv true", 2, "", "each process needs a file of its own"},
        {"run --api all --gpu kernels true", 2, "", "--gpu kernels and --api all contradict each other"},
        {"run --report tree --format csv true", 2, "", "cannot be printed as CSV"},
        {"run --report nvprof, true", 2, "", "there is no report \"\""},
        {"run --log-file a%z true", 2, "", "--log-file=a%z is not understood"},
        {"run --quiet --", 2, "", "no program was given"},
    };
    CAPTURED_CHECK(stint_cli_run, cases);
}

TEST(the_program_ends_the_command)
{
    static const struct captured_case cases[] = {
        {"run --quiet true", 0, "", NULL},
        {"run --quiet false", 1, "", NULL},
    };
    CAPTURED_CHECK(stint_cli_run, cases);
}
