/* What programs set and are told of signals that have a handler which they do not see. */
#include "runtime/runtime.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "stint_test.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static volatile sig_atomic_t s_taken; /* glibc says that raise() changes nothing of a program, which gcc believes */

static void take(int number)
{
    s_taken = number;
}

TEST(signals_are_held_and_let_in)
{
    assert_true(sigset(SIGUSR1, SIG_HOLD) == SIG_DFL);
    (void)raise(SIGUSR1);
    s_taken = 0;
    assert_true(sigset(SIGUSR1, SIG_HOLD) == SIG_HOLD);
    assert_true(sigset(SIGUSR1, SIG_IGN) == SIG_HOLD); /* what waited is ignored */
    assert_true(sigset(SIGUSR1, take) == SIG_IGN);
    (void)raise(SIGUSR1);
    assert_int_equal(s_taken, SIGUSR1);
    assert_true(sigset(SIGUSR1, SIG_DFL) == take);
}

TEST(calls_are_interrupted_as_was_asked)
{
    struct sigaction now;
    assert_int_equal(siginterrupt(SIGUSR2, 1), 0);
    assert_true(signal(SIGUSR2, take) == SIG_DFL);
    assert_int_equal(sigaction(SIGUSR2, NULL, &now), 0);
    assert_int_equal(now.sa_flags & SA_RESTART, 0);
    assert_int_equal(siginterrupt(SIGUSR2, 0), 0);
    assert_int_equal(sigaction(SIGUSR2, NULL, &now), 0);
    assert_int_equal(now.sa_flags & SA_RESTART, SA_RESTART);
    assert_true(signal(SIGUSR2, SIG_DFL) == take);
    assert_int_equal(sigaction(SIGUSR2, NULL, &now), 0);
    assert_int_equal(now.sa_flags & SA_RESTART, SA_RESTART);
}

TEST(what_is_no_signal_is_refused)
{
    errno = 0;
    assert_true(signal(0, take) == SIG_ERR);
    assert_int_equal(errno, EINVAL);
    assert_true(signal(SIGUSR1, SIG_ERR) == SIG_ERR);
    assert_true(sigset(NSIG, take) == SIG_ERR);
    assert_true(sigset(SIGKILL, take) == SIG_ERR);
    assert_int_equal(siginterrupt(NSIG, 1), -1);
    assert_int_equal(sigaction(-1, NULL, NULL), -1);
    assert_int_equal(errno, EINVAL);
}

/* ---------------------------------------------------------------------------------------------------------- hidden */

static void report(int number, siginfo_t *info, void *context)
{
    take(number);
}

static int s_fails; /* 1: each call; 2: those that set something */

static int refuse(int number, const struct sigaction *action, struct sigaction *before)
{
    errno = EPERM;
    return s_fails == 1 || action ? -1 : sigaction(number, action, before);
}

TEST(a_hidden_handler_is_in_no_answer)
{
    static const struct stint_hidden_handler s_report = {report, 0, 0, NULL}, s_other = {report, 0, 0, NULL};
    struct sigaction now, mine = {.sa_handler = take};
    assert_int_equal(stint_handler_hide(SIGTERM, &s_report), 0);
    assert_int_equal(stint_handler_hide(SIGTERM, &s_other), -1);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
    (void)raise(SIGTERM);
    assert_int_equal(s_taken, SIGTERM);
    assert_int_equal(sigaction(SIGTERM, &mine, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
    assert_true(signal(SIGTERM, SIG_DFL) == take);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
    assert_int_equal(stint_handler_show(SIGTERM), 0);
}

TEST(what_the_system_refuses_changes_nothing)
{
    static const struct stint_hidden_handler s_report = {report, 0, 0, NULL};
    struct sigaction now, mine = {.sa_handler = take};
    assert_int_equal(stint_handler_hide(SIGKILL, &s_report), -1);
    assert_int_equal(stint_handler_hide(SIGTERM, &s_report), 0);
    for (s_fails = 1; s_fails <= 2; s_fails++) {
        errno = 0;
        assert_int_equal(stint_handler_exchange(refuse, SIGTERM, &mine, &now), -1);
        assert_int_equal(errno, EPERM);
        s_taken = 0;
        (void)raise(SIGTERM);
        assert_int_equal(s_taken, SIGTERM);
    }
    assert_int_equal(stint_handler_exchange(refuse, SIGHUP, &mine, NULL), -1);
    assert_int_equal(stint_handler_show(SIGTERM), 0);
}
