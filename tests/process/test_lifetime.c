/* Scopes at any time in the life of a process: before main, in exit handlers, in destructors, after the report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

/* Runs before every other constructor of the program, and of libraries whose constructors have no priority. */
__attribute__((constructor(101))) static void first_constructor(void)
{
    if (mode_is("runs_before_main"))
        scopes("first constructor", 2);
}

__attribute__((constructor)) static void constructor(void)
{
    if (mode_is("runs_before_main"))
        scopes("constructor", 3);
}

__attribute__((destructor)) static void destructor(void)
{
    if (mode_is("runs_after_main"))
        scopes("destructor", 4);
}

__attribute__((destructor(102))) static void last_destructor(void)
{
    if (mode_is("runs_after_main"))
        scopes("last destructor", 5);
}

MODE(runs_before_main)
{
    scopes("main", 1);
    return 0;
}

static void at_exit(void)
{
    scopes("atexit", 2);
}

static void late_at_exit(void)
{
    scopes("late atexit", 3);
    atexit(at_exit);
}

MODE(runs_after_main)
{
    atexit(at_exit);
    scopes("main", 1);
    atexit(late_at_exit);
    return 0;
}

/* Nothing is recorded before the exit handlers, which start the library. */
MODE(runs_in_exit_only)
{
    atexit(at_exit);
    return 0;
}

MODE(runs_in_quick_exit)
{
    scopes("main", 1);
    at_quick_exit(at_exit);
    quick_exit(0);
}

/* Registered before stint's own handler, hence called after it, when the report has been written. */
MODE(runs_after_report)
{
    at_quick_exit(at_exit);
    scopes("main", 1);
    quick_exit(12);
}

static void fork_at_exit(void)
{
    scopes("parent's exit", 1);
    if (!fork())
        scopes("child's exit", 1);
}

MODE(forks_at_exit)
{
    scopes("main", 1);
    atexit(fork_at_exit);
    return 0;
}

/* Calls every public function before anything else. */
MODE(asks_first)
{
    const char *question = getenv("TEST_QUESTION");
    struct stint_timer timer = STINT_TIMER_INIT;
    struct stint_snapshot *snapshot = NULL;
    switch (*question) {
    case 'a':
        return stint_timer_stop(&timer) != STINT_ERROR_NOT_STARTED;
    case 'b':
        return stint_timer_start(&timer, "x", NULL) != STINT_OK;
    case 'c':
        return stint_snapshot_take(&snapshot) != STINT_OK || snapshot->stat_count;
    case 'd':
        return stint_statset_delete(NULL, "x") != STINT_ERROR_NOT_FOUND;
    case 'e':
        stint_reset(STINT_RESET_ALL);
        return 0;
    case 'f':
        return printAllStatus() != STINT_OK;
    case 'g':
        return printStatus("x") != STINT_ERROR_NOT_FOUND;
    case 'h':
        return strcmp(stint_statset_name(stint_statset_get("set")), "set") != 0;
    case 'i':
        return strcmp(stint_statset_name(stint_statset_global()), "GlobalStatInfo") != 0;
    case 'j':
        stint_set_enabled(0);
        return stint_enabled();
    case 'k':
        stint_set_percentiles(0);
        return 0;
    case 'l':
        return stint_statset_add(NULL, "x", 5) != STINT_OK;
    case 'm':
        return setThreadInfo(NULL, 1) != STINT_OK;
    case 'n':
        return stint_now_us() == 0;
    default:
        return stint_report_print(STINT_FORMAT_TABLE) != STINT_OK;
    }
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST(test_before_main)
{
    const struct result result = run("runs_before_main", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "first constructor", "count"), 2);
    assert_int_equal(stat_number(result.report, "constructor", "count"), 3);
    assert_int_equal(stat_number(result.report, "main", "count"), 1);
}

TEST(test_atexit)
{
    struct result result = run("runs_after_main", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "main", "count"), 1);
    assert_int_equal(stat_number(result.report, "late atexit", "count"), 3);
    assert_int_equal(stat_number(result.report, "atexit", "count"), 4);

    result = run("runs_in_exit_only", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "atexit", "count"), 2);
}

TEST(test_destructors)
{
    const struct result result = run("runs_after_main", NULL);
    assert_int_equal(stat_number(result.report, "destructor", "count"), 4);
    assert_int_equal(stat_number(result.report, "last destructor", "count"), 5);
}

TEST(test_quick_exit)
{
    struct result result = run("runs_in_quick_exit", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "main", "count"), 1);
    assert_int_equal(stat_number(result.report, "atexit", "count"), 2);

    result = run("runs_after_report", NULL);
    assert_exit(&result, 12);
    assert_int_equal(stat_number(result.report, "main", "count"), 1);
}

static unsigned s_children;

static void check_child(const char *path)
{
    const char *report = read_file(path);
    s_children += is_json(report) && has_stat(report, "child's exit") && !has_stat(report, "main");
}

TEST(test_fork_at_exit)
{
    const struct result result = run("forks_at_exit", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "parent's exit", "count"), 1);
    s_children = 0;
    for (int i = 0; i < 500 && !s_children; ++i) {
        usleep(2000);
        for_each_scratch("report.", check_child);
    }
    assert_int_equal(s_children, 1);
}

TEST(test_first_question)
{
    char question[] = "TEST_QUESTION=a";
    for (char *letter = strchr(question, '=') + 1; *letter <= 'o'; ++*letter) {
        const struct result result = run("asks_first", question, NULL);
        if (result.status)
            fail_msg("%s: wait status %#x; stderr: %.1000s", question, (unsigned)result.status, result.err);
    }
}
