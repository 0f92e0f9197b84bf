/* Metrics of running programs. */
#include "cli/command.h"

#include "captured_output.h"
#include "stint_test.h"

static void an_address_is_needed(void **state)
{
    static const struct captured_case cases[] = {
        {"metrics --help", 0, "Usage: stint metrics --listen ADDRESS", ""},
        {"metrics", 2, "", "expected where to answer"},
        {"metrics --listen 127.0.0.1:x", 2, "", "--listen 127.0.0.1:x: "},
        {"metrics --lisen x", 2, "", "did you mean --listen?"},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli_metrics, cases);
}

static void processes_or_all_of_them_are_asked(void **state)
{
    static const struct captured_case cases[] = {
        {"metrics --listen /run/stint.sock --all 1", 2, "", "give processes or --all, not both"},
        {"metrics --listen /run/stint.sock 2147483647", 1, "", "there is no process 2147483647"},
    };
    (void)state;
    CAPTURED_CHECK(stint_cli_metrics, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_is_needed),
        cmocka_unit_test(processes_or_all_of_them_are_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
