/* Forked children report what they did themselves, in files of their own, and leave the parent's files alone. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

/* Waits for a child that has to return 0. */
static int expect_zero(pid_t child)
{
    int status;
    return waitpid(child, &status, 0) != child || status;
}

static void sleep_ms(long ms)
{
    const struct timespec moment = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&moment, NULL);
}

/* The parent's scope is open at the fork, and ends in both processes. */
MODE(forks)
{
    pid_t child;
    scopes("parent", 5);
    {
        STINT_SCOPE("outer");

        sleep_ms(60);
        child = fork();
        if (!child)
            scopes("child", 3);
    }
    if (!child)
        return 0;
    if (expect_zero(child))
        return 1;
    scopes("parent", 2);
    return 0;
}

MODE(forks_idle_child)
{
    STINT_SCOPE("outer");

    scopes("parent", 5);
    pid_t child = fork();
    if (!child)
        exit(0);
    return expect_zero(child);
}

/* A child's numbers start at 0, and so do its losses. */
MODE(forks_after_losses)
{
    struct stint_timer never = STINT_TIMER_INIT;
    stint_timer_stop(&never);
    pid_t child = fork();
    if (!child) {
        scopes("child", 1);
        return 0;
    }
    return expect_zero(child);
}

MODE(forks_before_first_scope)
{
    const pid_t child = fork();
    if (!child) {
        scopes("child", 3);
        return 0;
    }
    if (expect_zero(child))
        return 1;
    scopes("parent", 2);
    return 0;
}

MODE(forks_grandchild)
{
    pid_t child, grandchild;
    scopes("all", 1);
    child = fork();
    if (child)
        return expect_zero(child);
    scopes("all", 1);
    grandchild = fork();
    scopes("all", 1);
    return grandchild ? expect_zero(grandchild) : 0;
}

/* --------------------------------------------------------------------------------------- with threads that record */

enum { RECORDERS = 3, ROUNDS = 20000, CHILDREN = 25 };

static int s_recorded;

/* Uses new names again and again, so that locks are held as often as possible. */
static void *record(void *argument)
{
    char name[32];
    for (int i = 0; i < ROUNDS; ++i) {
        snprintf(name, sizeof name, "name %d", i % 500);
        scopes(name, 1);
        scopes(argument, 1);
    }
    __atomic_add_fetch(&s_recorded, 1, __ATOMIC_RELEASE);
    return NULL;
}

static int fork_one(void)
{
    const pid_t child = fork();
    if (!child) {
        scopes("child", 10);
        scopes("thread", 2);
        exit(0);
    }
    return expect_zero(child);
}

MODE(forks_beside_threads)
{
    pthread_t threads[RECORDERS];
    int failed = 0;
    scopes("main", 1);
    for (int i = 0; i < RECORDERS; ++i)
        pthread_create(&threads[i], NULL, record, "thread");
    for (int i = 0; i < CHILDREN; ++i)
        failed += fork_one();
    for (int i = 0; i < RECORDERS; ++i)
        pthread_join(threads[i], NULL);
    return failed;
}

/* The child has the first scope of all. At the fork, another thread was about to use the C library's clock, whose lock
 * a child must not take. */
static int s_stop;

static void *tell_time(void *argument)
{
    while (!__atomic_load_n(&s_stop, __ATOMIC_RELAXED)) {
        const time_t now = time(NULL);
        struct tm local;
        localtime_r(&now, &local);
    }
    return argument;
}

MODE(forks_beside_clock)
{
    pthread_t thread;
    int failed = 0;
    pthread_create(&thread, NULL, tell_time, NULL);
    for (int i = 0; i < 4 * CHILDREN; ++i)
        failed += fork_one();
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return failed;
}

/* The first scope is being started in another thread. */
static void *begin_there(void *argument)
{
    scopes("thread", 1);
    return argument;
}

MODE(forks_beside_start)
{
    pthread_t thread;
    pthread_create(&thread, NULL, begin_there, NULL);
    int failed = fork_one();
    pthread_join(thread, NULL);
    return failed;
}

static void *fork_some(void *argument)
{
    int *failed = argument;
    scopes("forker", 1);
    for (int i = 0; i < CHILDREN / 2; ++i)
        *failed += fork_one();
    return NULL;
}

MODE(forks_from_threads)
{
    int failed[2] = {0, 0};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, fork_some, &failed[i]);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
    return failed[0] + failed[1];
}

/* ---------------------------------------------------------------------------------------------------- in a handler */

static volatile sig_atomic_t s_children, s_failed;

static void fork_in_handler(int signal)
{
    if (s_children == CHILDREN)
        return;
    pid_t child = fork();
    if (!child)
        _exit(0);
    ++s_children;
    s_failed += expect_zero(child);
}

/* The interrupted program, most likely inside stint, uses new names all the time. */
MODE(forks_in_handler)
{
    const struct itimerval soon = {{0, 2000}, {0, 2000}};
    struct sigaction action = {.sa_handler = fork_in_handler, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (int i = 0; s_children < CHILDREN; ++i) {
        char name[32];
        snprintf(name, sizeof name, "name %d", i % 10000);
        scopes(name, 1);
    }
    return s_failed;
}

/* -------------------------------------------------------------------------------------------- other kinds of child */

MODE(forks_lightly)
{
    scopes("parent", 5);
    pid_t child = vfork();
    if (!child)
        _exit(0);
    scopes("parent", 2); /* new data: the child's report, if it printed one, must not pass for the parent's */
    return expect_zero(child);
}

MODE(forks_and_execs)
{
    scopes("parent", 5);
    pid_t child = fork();
    if (!child) {
        scopes("lost", 3);
        execl("/bin/true", "true", (char *)NULL);
        _exit(126);
    }
    return expect_zero(child);
}

MODE(forks_and_execs_itself)
{
    scopes("parent", 5);
    pid_t child = fork();
    if (!child) {
        scopes("lost", 3);
        setenv("STINT_OUTPUT", getenv("TEST_PATH"), 1);
        execl("/proc/self/exe", "again", "leaf", (char *)NULL);
        _exit(126);
    }
    return expect_zero(child);
}

MODE(leaf)
{
    scopes("leaf", 4);
    return 0;
}

/* The usual way to become a daemon: fork, setsid, fork. The test waits until the pipe is closed. */
MODE(daemonizes)
{
    scopes("foreground", 1);
    if (fork())
        _exit(0);
    setsid();
    scopes("between", 1);
    if (fork())
        _exit(0);
    scopes("daemon", 6);
    exit(0);
}

MODE(runs_shell)
{
    scopes("parent", 5);
    FILE *pipe = popen("exit 3", "r");
    if (!pipe || pclose(pipe) == 0)
        return 1;
    return system("exit 0");
}

static int s_is_forking;

/* Registered before stint's, which therefore has locked by now what the child needs. */
static void fork_slowly(void)
{
    __atomic_store_n(&s_is_forking, 1, __ATOMIC_RELEASE);
    sleep_ms(300);
}

static void *fork_once(void *argument)
{
    if (fork() == 0)
        _exit(0);
    for (;;)
        pause();
    return argument;
}

MODE(exits_beside_fork)
{
    pthread_t thread;
    pthread_atfork(fork_slowly, NULL, NULL);
    scopes("work", 1);
    if (pthread_create(&thread, NULL, fork_once, NULL))
        return 1;
    while (!__atomic_load_n(&s_is_forking, __ATOMIC_ACQUIRE))
        sleep_ms(1);
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

/* The only child's report: report.PID. */
static const char *s_child_path;

static void note_path(const char *path)
{
    s_child_path = path;
}

static const char *child_report(void)
{
    assert_int_equal(for_each_scratch("report.", note_path), 1);
    return read_file(s_child_path);
}

TEST(test_exit_beside_a_fork)
{
    const struct result result = run("exits_beside_fork", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "work", "count"), 1);
}

TEST(test_each_its_own)
{
    const struct result result = run("forks", NULL);
    const char *child;
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "parent", "count"), 7);
    assert_int_equal(stat_number(result.report, "outer", "count"), 1);
    assert_false(has_stat(result.report, "child"));

    child = child_report();
    assert_true(is_json(child));
    assert_int_equal(stat_number(child, "child", "count"), 3);
    assert_int_equal(process_number(child, "pid"), strtoull(strrchr(s_child_path, '.') + 1, NULL, 10));
    assert_false(has_stat(child, "parent"));

    /* The scope that was open at the fork: in the child it only has the time since then. */
    assert_int_equal(stat_number(child, "outer", "count"), 1);
    assert_true(stat_number(result.report, "outer", "total_ns") >= 60000000);
    assert_true(stat_number(child, "outer", "total_ns") < 60000000);
    assert_true(stat_number(child, "outer", "self_ns") <= stat_number(child, "outer", "total_ns"));
}

TEST(test_pattern_tells_them_apart)
{
    char pattern[128];
    snprintf(pattern, sizeof pattern, "STINT_OUTPUT=%s", scratch("of.%p"));
    struct result result = run("forks", pattern, NULL);
    assert_exit(&result, 0);
    assert_int_equal(for_each_scratch("of.", note_path), 2); /* and no PID occurs twice */
    assert_null(strchr(strstr(s_child_path, "of.") + 3, '.'));
}

/* "%%p" does not stand for the process id, but for the letters "%p". */
TEST(test_escaped_pattern_does_not)
{
    char pattern[128];
    snprintf(pattern, sizeof pattern, "STINT_OUTPUT=%s", scratch("of.%%p"));
    struct result result = run("forks", pattern, NULL);
    assert_exit(&result, 0);
    assert_int_equal(for_each_scratch("of.%p", NULL), 2);
    assert_int_equal(stat_number(read_file(scratch("of.%p")), "parent", "count"), 7);
}

TEST(test_child_to_stderr)
{
    const struct result result = run("forks", "STINT_OUTPUT=", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "stint-report"), 2);
}

/* A device's folder must not get any new file. */
TEST(test_child_to_device)
{
    char change[128];
    snprintf(change, sizeof change, "STINT_OUTPUT=%s", scratch("null"));
    assert_int_equal(symlink("/dev/null", scratch("null")), 0);
    struct result result = run("forks", change, NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(for_each_scratch("null.", NULL), 0);
}

TEST(test_idle_child)
{
    const struct result result = run("forks_idle_child", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "parent", "count"), 5);
    assert_int_equal(for_each_scratch("report.", NULL), 0);
}

TEST(test_losses)
{
    const struct result result = run("forks_after_losses", NULL);
    const char *child = child_report();
    assert_int_equal(dropped(result.report, "mismatched"), 1);
    assert_int_equal(dropped(child, "mismatched"), 0);
    assert_int_equal(stat_number(child, "child", "count"), 1);
}

/* Neither process knows of the other: the last one to end writes the file, and it is complete. */
TEST(test_fork_before_first_scope)
{
    const struct result result = run("forks_before_first_scope", NULL);
    assert_exit(&result, 0);
    assert_true(is_json(result.report));
    assert_int_equal(stat_number(result.report, "parent", "count"), 2);
    assert_false(has_stat(result.report, "child"));
}

static unsigned s_alls;

static void add_alls(const char *path)
{
    s_alls += (unsigned)stat_number(read_file(path), "all", "count");
}

TEST(test_grandchild)
{
    const struct result result = run("forks_grandchild", NULL);
    assert_exit(&result, 0);
    s_alls = 0;
    assert_int_equal(for_each_scratch("report", add_alls), 3);
    assert_int_equal(s_alls, 1 + 2 + 1);
    assert_int_equal(stat_number(result.report, "all", "count"), 1);
}

static void check_child(const char *path)
{
    const char *report = read_file(path);
    assert_true(is_json(report));
    assert_int_equal(stat_number(report, "child", "count"), 10);
    assert_int_equal(stat_number(report, "thread", "count"), 2);
    assert_false(has_stat(report, "name 1"));
}

TEST(test_beside_threads)
{
    const struct result result = run("forks_beside_threads", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "thread", "count"), RECORDERS * ROUNDS);
    assert_int_equal(stat_number(result.report, "name 7", "count"), RECORDERS * ROUNDS / 500);
    assert_false(has_stat(result.report, "child"));
    assert_int_equal(for_each_scratch("report.", check_child), CHILDREN);
}

TEST(test_beside_clock)
{
    const struct result result = run("forks_beside_clock", "STINT_OUTPUT=/dev/null", NULL);
    assert_exit(&result, 0);
}

/* ThreadSanitizer's pthread_once makes the child wait for the parent's thread. */
TEST(test_beside_start)
{
    if (WITH_TSAN)
        skip();
    for (int i = 0; i < CHILDREN; ++i) {
        const struct result result = run("forks_beside_start", NULL);
        assert_exit(&result, 0);
        assert_true(is_json(result.report));
    }
}

TEST(test_from_threads)
{
    const struct result result = run("forks_from_threads", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "forker", "count"), 2);
    assert_int_equal(for_each_scratch("report.", check_child), 2 * (CHILDREN / 2));
}

/* A child that was forked while the registry's lock was held makes it anew. ThreadSanitizer takes it for held still,
 * and then for the outer one of the locks that the child takes: its order of locks is not looked at here. */
TEST(test_in_handler)
{
    const struct result result =
        run("forks_in_handler",
            "TSAN_OPTIONS=detect_deadlocks=0:halt_on_error=1:exitcode=99:report_signal_unsafe=0:"
            "report_thread_leaks=0:atexit_sleep_ms=0",
            NULL);
    assert_exit(&result, 0);
    assert_true(is_json(result.report));
}

TEST(test_vfork)
{
    const struct result result = run("forks_lightly", "STINT_OUTPUT=", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "stint-report"), 1);
    assert_int_equal(stat_number(result.err, "parent", "count"), 7);
}

TEST(test_exec)
{
    char path[128];
    struct result result = run("forks_and_execs", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "parent", "count"), 5);
    assert_int_equal(for_each_scratch("report.", NULL), 0);

    snprintf(path, sizeof path, "TEST_PATH=%s", scratch("leaf"));
    result = run("forks_and_execs_itself", path, NULL);
    assert_exit(&result, 0);
    assert_false(has_stat(result.report, "leaf"));
    assert_int_equal(stat_number(read_file(scratch("leaf")), "leaf", "count"), 4);
    assert_false(has_stat(read_file(scratch("leaf")), "lost"));
}

static const char *s_daemon;
static unsigned s_between;

static void sort_out(const char *path)
{
    const char *report = read_file(path);
    if (report && is_json(report) && has_stat(report, "daemon"))
        s_daemon = report;
    if (report && is_json(report) && has_stat(report, "between"))
        ++s_between;
}

TEST(test_daemon)
{
    const struct result result = run("daemonizes", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "foreground", "count"), 1);
    s_daemon = NULL;
    for (int i = 0; i < 500 && !(s_daemon && s_between); ++i) {
        sleep_ms(10);
        s_between = 0;
        for_each_scratch("report.", sort_out);
    }
    assert_non_null(s_daemon);
    assert_int_equal(stat_number(s_daemon, "daemon", "count"), 6);
    assert_false(has_stat(s_daemon, "between"));
    assert_false(has_stat(s_daemon, "foreground"));
    assert_int_equal(s_between, 1);
}

TEST(test_shell)
{
    const struct result result = run("runs_shell", NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(stat_number(result.report, "parent", "count"), 5);
    assert_int_equal(for_each_scratch("report.", NULL), 0);
}
