/* Running a program as if it had been run directly. */
#include "cli/recording.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "captured_output.h"
#include "cli/command.h"
#include "stint_test.h"

static void prepare(void *context)
{
    (void)setenv("PREPARED", "3", 1);
}

static void started(void *context, long long pid)
{
    *(long long *)context = pid;
}

/* Runs the words behind the first, and returns the exit code that corresponds to the end. */
static int launch(int count, char **arguments)
{
    long long pid = 0;
    struct stint_launch launch = {.arguments = arguments + 1, .prepare = prepare, .started = started, .context = &pid};
    stint_launch(&launch);
    if (!launch.error && pid != launch.pid)
        return 99;
    return stint_launch_end(&launch);
}

TEST(its_exit_code_is_passed_on)
{
    static const struct captured_case cases[] = {
        {"x true", 0, "", ""},
        {"x false", 1, "", ""},
        {"x sh -c exit${IFS}$PREPARED", 3, "", ""},
        {"x no-such-program-anywhere", STINT_CLI_NOT_FOUND, "", ""},
        {"x /etc/passwd", STINT_CLI_NOT_EXECUTABLE, "", ""},
        {"x sh -c kill${IFS}-9${IFS}$$", -1, "", ""}, /* dies of the same signal */
    };
    CAPTURED_CHECK(launch, cases);
}

TEST(handlers_are_as_before_afterwards)
{
    static char name[] = "true";
    char *arguments[] = {name, NULL};
    struct stint_launch launch = {.arguments = arguments, .prepare = prepare};
    struct sigaction before, after;
    assert_int_equal(sigaction(SIGTERM, NULL, &before), 0);
    stint_launch(&launch);
    assert_int_equal(launch.error, 0);
    assert_true(WIFEXITED(launch.status));
    assert_false(launch.survivors);
    assert_int_equal(sigaction(SIGTERM, NULL, &after), 0);
    assert_true(before.sa_handler == after.sa_handler);
}
