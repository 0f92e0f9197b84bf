/* Invalid values of environment variables: one log line names the variable, its value and what is expected; then the
 * default is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

static int works(void)
{
    scopes("work", 3);
    return 0;
}

static int enters_many_contexts(void)
{
    char name[32];
    for (int i = 0; i < 100; ++i) {
        snprintf(name, sizeof name, "name %d", i);
        scopes(name, 2);
    }
    return 0;
}

/* Prints what a program can see of the settings. */
static int shows_settings(void)
{
    scopes("work", 3);
    printf("enabled %d\n", stint_enabled());
    return 0;
}

static int waits_and_works(void)
{
    {
        STINT_SCOPE("waits");
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    STINT_SCOPE("works hard");
    const clock_t end = clock() + CLOCKS_PER_SEC / 50;
    while (clock() < end)
        ;
    return 0;
}

static const struct mode s_modes[] = {
    {"works", works},
    {"enters_many_contexts", enters_many_contexts},
    {"shows_settings", shows_settings},
    {"waits_and_works", waits_and_works},
    {NULL, NULL},
};

/* ------------------------------------------------------------------------------------------------------------ tests */

/* Runs with NAME=value, which has to be logged exactly once and have no effect. */
static void assert_nonsense(const char *name, const char *value, const char *expected)
{
    char setting[12000], shown[128];
    struct result result;
    snprintf(setting, sizeof setting, "%s=%s", name, value);
    snprintf(shown, sizeof shown, "%s=%.20s", name, value);
    result = run("works", setting, NULL);
    assert_exit(&result, 0);
    if (occurrences(result.err, "\n") != 1)
        fail_msg("%s: not exactly one line: %.1000s", shown, result.err);
    if (occurrences(result.err, shown) != 1 || occurrences(result.err, expected) != 1)
        fail_msg("%s: does not mention '%s': %.1000s", shown, expected, result.err);
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

static const char *huge_value(void)
{
    static char value[10241];
    memset(value, '9', sizeof value - 1);
    return value;
}

static void test_switches(void **state)
{
    static const char *const names[] = {"STINT_ENABLE", "STINT_PERCENTILES", "STINT_SIGNALS"};
    static const char *const values[] = {"maybe", "2", "-1", "on ", "onoff", "%s%n", "\xff\xfe"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
            assert_nonsense(names[i], values[k], "expected ");
        assert_nonsense(names[i], "perhaps", "off|on");
        assert_nonsense(names[i], huge_value(), "off|on");
    }
}

static void test_clock(void **state)
{
    assert_nonsense("STINT_CLOCK", "sundial", "auto|tsc|monotonic|fast");
    assert_nonsense("STINT_CLOCK", "rdtsc", "auto|tsc|monotonic|fast");
    assert_nonsense("STINT_CLOCK", huge_value(), "auto|tsc|monotonic|fast");
}

static void test_limits(void **state)
{
    static const char *const names[] = {"STINT_MAX_NODES", "STINT_MAX_NAMES", "STINT_MAX_THREADS"};
    static const char *const values[] = {"many",      "0",   "-1", "1e6", "0x10", "10k",
                                         " 10",       "+10", "1.", "10 ", "%d%n", "99999999999999999999",
                                         "1000000000"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k)
            assert_nonsense(names[i], values[k], "a number from 1 to");
        assert_nonsense(names[i], huge_value(), "a number from 1 to");
    }
}

/* A value must not be able to forge a second line. */
static void test_line_breaks(void **state)
{
    static const char *const names[] = {"STINT_ENABLE", "STINT_CLOCK", "STINT_MAX_NODES", "STINT_REPORT"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char setting[64];
        struct result result;
        snprintf(setting, sizeof setting, "%s=a\nE0101 00:00:00.000000 1 x.c:1] b", names[i]);
        result = run("works", setting, NULL);
        assert_exit(&result, 0);
        if (occurrences(result.err, "\n") != 1)
            fail_msg("%s: not exactly one line: %.1000s", names[i], result.err);
    }
}

/* With several invalid values, each is logged once, however much is recorded on however many threads. */
static void test_all_at_once(void **state)
{
    const struct result result =
        run("enters_many_contexts", "STINT_ENABLE=?", "STINT_CLOCK=?", "STINT_PERCENTILES=?", "STINT_SIGNALS=?",
            "STINT_MAX_NODES=?", "STINT_MAX_NAMES=?", "STINT_MAX_THREADS=?", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "\n"), 7);
    assert_int_equal(occurrences(result.err, "=? "), 7);
    assert_int_equal(stat_number(result.report, "name 99", "count"), 2);
}

static void test_empty_is_unset(void **state)
{
    const struct result result = run("works", "STINT_ENABLE=", "STINT_CLOCK=", "STINT_PERCENTILES=", "STINT_SIGNALS=",
                                     "STINT_MAX_NODES=", "STINT_MAX_NAMES=", "STINT_MAX_THREADS=", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

static void test_spellings(void **state)
{
    static const char *const off[] = {"STINT_ENABLE=off", "STINT_ENABLE=0", "STINT_ENABLE=no", "STINT_ENABLE=FALSE"};
    static const char *const on[] = {"STINT_ENABLE=on", "STINT_ENABLE=1", "STINT_ENABLE=Yes", "STINT_ENABLE=true"};
    for (int i = 0; i < 4; ++i) {
        const struct result result = run("shows_settings", off[i], NULL);
        assert_string_equal(result.err, "");
        assert_string_equal(result.out, "enabled 0\n");
        assert_null(result.report);
    }
    for (int i = 0; i < 4; ++i) {
        const struct result result = run("shows_settings", on[i], NULL);
        assert_string_equal(result.err, "");
        assert_string_equal(result.out, "enabled 1\n");
        assert_non_null(result.report);
    }
}

static void test_clocks(void **state)
{
    struct result result = run("works", "STINT_CLOCK=monotonic", NULL);
    assert_non_null(strstr(result.report, "\"clock\":{\"name\":\"monotonic\""));
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
    result = run("works", "STINT_CLOCK=tsc", NULL);
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
    result = run("works", "STINT_CLOCK=fast", NULL);
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

static void test_cpu_time_tells_waiting_from_working(void **state)
{
    struct result result = run("waits_and_works", "STINT_CPU=on", NULL);
    assert_exit(&result, 0);
    assert_in_range(stat_number(result.report, "waits", "cpu_ns"), 1, 10000000);
    assert_in_range(stat_number(result.report, "works hard", "cpu_ns"), 10000000, UINT64_MAX);
    assert_non_null(strstr(result.report, "\"exited\":false,\"state\":\"running\",\"cpu_ns\":"));
    result = run("waits_and_works", NULL);
    assert_null(strstr(result.report, "cpu_ns"));
}

static void test_percentiles_off(void **state)
{
    const struct result result = run("works", "STINT_PERCENTILES=off", NULL);
    assert_non_null(strstr(result.report, "\"p50_ns\":null"));
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

/* What exceeds a limit is counted: of 200 scopes, those with the first names are kept. */
static void test_bounds(void **state)
{
    struct result result = run("enters_many_contexts", "STINT_MAX_NAMES=10", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "name 9", "count"), 2);
    assert_false(has_stat(result.report, "name 10"));
    assert_int_equal(dropped(result.report, "names"), 180);

    result = run("enters_many_contexts", "STINT_MAX_NODES=10", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "name 9", "count"), 2);
    assert_int_equal(dropped(result.report, "nodes"), 180);

    result = run("enters_many_contexts", "STINT_MAX_NODES=10", "STINT_REPORT=table", NULL);
    assert_int_equal(occurrences(result.report, "dropped: 180 scopes"), 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        process_test(test_switches),        process_test(test_clock),
        process_test(test_limits),          process_test(test_line_breaks),
        process_test(test_all_at_once),     process_test(test_empty_is_unset),
        process_test(test_spellings),       process_test(test_clocks),
        process_test(test_percentiles_off), process_test(test_cpu_time_tells_waiting_from_working),
        process_test(test_bounds),
    };
    if (argc > 1)
        return run_mode(s_modes, argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
