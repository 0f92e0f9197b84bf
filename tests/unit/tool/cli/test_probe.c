/* Trials in processes of their own. */
#include "cli/probe.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "stint_test.h"

struct result {
    char text[64];
    long parent;
};

static void copy_path(void *result, const char *path)
{
    struct result *copy = result;
    (void)strncat(copy->text, path, sizeof copy->text - 1);
    copy->parent = (long)getppid();
}

static void die(void *result, const char *path)
{
    ((struct result *)result)->parent = 7;
    (void)signal(SIGTERM, SIG_DFL);
    (void)raise(SIGTERM);
}

static void leave(void *result, const char *path)
{
    _exit(0);
}

TEST(the_result_of_a_trial_comes_back)
{
    struct result result = {.text = "before"};
    assert_int_equal(stint_trial(copy_path, "/path", &result, sizeof result), 0);
    assert_string_equal(result.text, "/path");
    assert_int_equal(result.parent, getpid());
}

TEST(a_trial_that_ends_early_leaves_nothing_but_a_reason)
{
    struct result result = {.parent = 1};
    char reason[128];
    assert_int_equal(stint_trial(die, "", &result, sizeof result), SIGTERM);
    assert_int_equal(result.parent, 0);
    stint_trial_reason(SIGTERM, reason, sizeof reason);
    assert_string_equal(reason, "the trial was ended by: Terminated");
    assert_int_equal(stint_trial(leave, "", &result, sizeof result), -1);
    stint_trial_reason(-1, reason, sizeof reason);
    assert_string_equal(reason, "no process could be started for the trial");
    stint_trial_reason(SIGALRM, reason, sizeof reason);
    assert_string_equal(reason, "the trial did not end within a minute");
}

TEST(a_library_that_cannot_be_loaded_is_named)
{
    struct stint_probe probe;
    assert_int_equal(stint_probe(&probe, "/no-such-library.so"), 0);
    assert_non_null(strstr(probe.library, "/no-such-library.so"));
    assert_string_equal(probe.cupti, "");
}

TEST(without_cupti_nothing_is_measured)
{
    struct stint_cupti_cost cost;
    char reason[128] = "";
    assert_int_equal(stint_probe_cupti(&cost, "/no-such-cupti.so", reason, sizeof reason), -1);
    assert_non_null(strstr(reason, " failed"));
}
