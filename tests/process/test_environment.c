/* Invalid values of environment variables: one log line names the variable, its value and what is expected; then the
 * default is used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

MODE(works)
{
    scopes("work", 3);
    return 0;
}

MODE(enters_many_contexts)
{
    char name[32];
    for (int i = 0; i < 100; ++i) {
        snprintf(name, sizeof name, "name %d", i);
        scopes(name, 2);
    }
    return 0;
}

/* Prints what a program can see of the settings. */
MODE(shows_settings)
{
    scopes("work", 3);
    printf("enabled %d\n", stint_enabled());
    return 0;
}

MODE(waits_and_works)
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

/* ------------------------------------------------------------------------------------------------------------ tests */

/* Runs with NAME=value, which has to be logged exactly once and have no effect. */
static void assert_nonsense(const char *name, const char *value, const char *expected)
{
    char setting[12000], shown[128];
    snprintf(setting, sizeof setting, "%s=%s", name, value);
    snprintf(shown, sizeof shown, "%s=%.20s", name, value);
    struct result result = run("works", setting, NULL);
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

TEST(test_switches)
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

TEST(test_clock)
{
    assert_nonsense("STINT_CLOCK", "sundial", "auto|tsc|monotonic|fast");
    assert_nonsense("STINT_CLOCK", "rdtsc", "auto|tsc|monotonic|fast");
    assert_nonsense("STINT_CLOCK", huge_value(), "auto|tsc|monotonic|fast");
}

TEST(test_limits)
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
TEST(test_line_breaks)
{
    static const char *const names[] = {"STINT_ENABLE", "STINT_CLOCK", "STINT_MAX_NODES", "STINT_REPORT"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char setting[64];
        snprintf(setting, sizeof setting, "%s=a\nE0101 00:00:00.000000 1 x.c:1] b", names[i]);
        struct result result = run("works", setting, NULL);
        assert_exit(&result, 0);
        if (occurrences(result.err, "\n") != 1)
            fail_msg("%s: not exactly one line: %.1000s", names[i], result.err);
    }
}

/* With several invalid values, each is logged once, however much is recorded on however many threads. */
TEST(test_all_at_once)
{
    const struct result result =
        run("enters_many_contexts", "STINT_ENABLE=?", "STINT_CLOCK=?", "STINT_PERCENTILES=?", "STINT_SIGNALS=?",
            "STINT_MAX_NODES=?", "STINT_MAX_NAMES=?", "STINT_MAX_THREADS=?", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "\n"), 7);
    assert_int_equal(occurrences(result.err, "=? "), 7);
    assert_int_equal(stat_number(result.report, "name 99", "count"), 2);
}

TEST(test_empty_is_unset)
{
    const struct result result = run("works", "STINT_ENABLE=", "STINT_CLOCK=", "STINT_PERCENTILES=", "STINT_SIGNALS=",
                                     "STINT_MAX_NODES=", "STINT_MAX_NAMES=", "STINT_MAX_THREADS=", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

TEST(test_spellings)
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

TEST(test_clocks)
{
    struct result result = run("works", "STINT_CLOCK=monotonic", NULL);
    assert_non_null(strstr(result.report, "\"clock\":{\"name\":\"monotonic\""));
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
    result = run("works", "STINT_CLOCK=tsc", NULL);
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
    result = run("works", "STINT_CLOCK=fast", NULL);
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

TEST(test_cpu_time_tells_waiting_from_working)
{
    struct result result = run("waits_and_works", "STINT_CPU=on", NULL);
    assert_exit(&result, 0);
    assert_in_range(stat_number(result.report, "waits", "cpu_ns"), 1, 10000000);
    assert_in_range(stat_number(result.report, "works hard", "cpu_ns"), 10000000, UINT64_MAX);
    assert_non_null(strstr(result.report, "\"exited\":false,\"state\":\"running\",\"cpu_ns\":"));
    result = run("waits_and_works", NULL);
    assert_null(strstr(result.report, "cpu_ns"));
}

TEST(test_percentiles_off)
{
    const struct result result = run("works", "STINT_PERCENTILES=off", NULL);
    assert_non_null(strstr(result.report, "\"p50_ns\":null"));
    assert_int_equal(stat_number(result.report, "work", "count"), 3);
}

/* What exceeds a limit is counted: of 200 scopes, those with the first names are kept. */
TEST(test_bounds)
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
