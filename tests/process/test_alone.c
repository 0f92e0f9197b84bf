/* Calls that the kernel refuses to a process with several threads, under stint run. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

#define INJECTED "LD_PRELOAD=" INJECT

/* ------------------------------------------------------------------------------------------------------------ modes */

/* Needs no privileges, and changes nothing in a process with one thread. */
static int is_alone(void)
{
    int failed = unshare(CLONE_VM);
    if (failed)
        perror("unshare");
    return !failed;
}

static void spin(const char *name)
{
    STINT_SCOPE_DYNAMIC(name);
    for (clock_t end = clock() + CLOCKS_PER_SEC / 50; clock() < end;)
        continue;
}

static int count_threads(void)
{
    struct stat status;
    return stat("/proc/self/task", &status) ? -1 : (int)status.st_nlink - 2;
}

/* As long as a thread takes to begin. */
static int has_threads_again(int before)
{
    for (int i = 0; i < 1000 && count_threads() != before; i++)
        usleep(1000);
    return count_threads() == before;
}

/* Some threads begin only when the process is no longer young. */
static int asks(void)
{
    spin("before");
    usleep(200000);
    int threads = count_threads();
    if (threads < 2 || !is_alone() || !has_threads_again(threads) || !is_alone())
        return 1;
    spin("after");
    return 0;
}

MODE(asks_alone)
{
    return asks();
}

MODE(asks_alone_in_a_child)
{
    int status = -1;
    pid_t child = fork();
    if (!child)
        return asks();
    waitpid(child, &status, 0);
    return status || asks();
}

/* Its exit finds threads that have ended for a while. */
MODE(asks_alone_and_ends)
{
    spin("only");
    return !is_alone();
}

static void *ask_there(void *alone)
{
    *(int *)alone = unshare(CLONE_VM) == 0;
    return NULL;
}

MODE(asks_with_a_thread)
{
    int alone = 0;
    spin("before");
    on_thread(ask_there, &alone);
    spin("after");
    return alone;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static struct result run_with_threads(const char *mode, const char *sample)
{
    char control[4096], trace[4096];
    snprintf(control, sizeof control, "STINT_CONTROL=%s", scratch(""));
    snprintf(trace, sizeof trace, "STINT_TRACE=%s", scratch("trace.stint"));
    return run(mode, control, trace, sample, "STINT_MODULE=" FAKE_STORE, "FAKE_STORE=write", INJECTED, NULL);
}

static void check_report(const struct result *result)
{
    assert_exit(result, 0);
    assert_string_equal(result->err, "");
    assert_int_equal(stat_number(result->report, "before", "count"), 1);
    assert_int_equal(stat_number(result->report, "after", "count"), 1);
}

/* What was written before the threads ended, and after, is in one recording. */
static void check_recording(void)
{
    const char *text = read_file(scratch("trace.stint"));
    assert_non_null(text);
    assert_int_equal(occurrences(text, " before\nevent "), 1);
    assert_int_equal(occurrences(text, " GlobalStatInfo before\n"), 1);
    assert_int_equal(occurrences(text, " GlobalStatInfo after\n"), 1);
    assert_int_equal(occurrences(text, "\nfinish "), 1);
}

TEST(thread_that_listens_and_writes_checkpoints_ends_for_as_long_as_the_call_takes)
{
    char control[4096];
    snprintf(control, sizeof control, "STINT_CONTROL=%s", scratch(""));
    const struct result result = run("asks_alone", control, "STINT_CHECKPOINT=0.01", INJECTED, NULL);
    check_report(&result);
}

TEST(threads_that_write_and_sample_do_so_too)
{
    const struct result result = run_with_threads("asks_alone", "STINT_SAMPLE=on");
    check_report(&result);
    check_recording();
}

TEST(children_do_so_too)
{
    const struct result result = run_with_threads("asks_alone_in_a_child", "STINT_SAMPLE=wall");
    check_report(&result);
    check_recording();
    assert_int_equal(for_each_scratch("report.", NULL), 1);
}

TEST(end_may_come_at_once)
{
    const struct result result = run_with_threads("asks_alone_and_ends", "STINT_SAMPLE=on");
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "only", "count"), 1);
    assert_int_equal(occurrences(read_file(scratch("trace.stint")), "\nfinish "), 1);
}

TEST(threads_of_the_program_are_refused_as_ever)
{
    const struct result result = run_with_threads("asks_with_a_thread", "STINT_SAMPLE=on");
    check_report(&result);
    check_recording();
}
