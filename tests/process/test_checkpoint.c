/* STINT_CHECKPOINT: what a process leaves that is killed while it runs. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ------------------------------------------------------------------------------------------------------------ modes */

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/* Writes a byte after each step: stdout is a file, whose size the test can read at any time. */
MODE(steps_for_ever)
{
    for (;;) {
        scopes("step", 1);
        if (write(STDOUT_FILENO, ".", 1) != 1)
            return 1;
        usleep(200);
    }
}

MODE(steps_and_forks)
{
    scopes("step", 1);
    pause_ms(100);
    if (!fork()) {
        pause_ms(100);
        _exit(0);
    }
    if (!fork()) {
        scopes("step", 2);
        pause_ms(100);
        raise(SIGKILL);
    }
    while (wait(NULL) > 0)
        continue;
    raise(SIGKILL);
    return 0;
}

MODE(steps_and_ends)
{
    scopes("step", 1);
    pause_ms(100);
    scopes("step", 1);
    return 0;
}

/* Programs rely on the lowest number that is free, which they have just closed. */
MODE(opens_files)
{
    int others = 0, lowest = open("/dev/null", O_RDONLY);
    for (clock_t end = clock() + CLOCKS_PER_SEC / 5; clock() < end;) {
        scopes("step", 1);
        (void)close(lowest);
        int fd = open("/dev/null", O_RDONLY);
        others += fd != lowest;
        if (fd != lowest && dup2(fd, lowest) == lowest)
            (void)close(fd);
    }
    return others != 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static uint64_t steps_of(const struct child *child)
{
    struct stat status;
    return stat(child->out_path, &status) ? 0 : (uint64_t)status.st_size;
}

static void await_report(void)
{
    while (access(scratch("report"), F_OK))
        pause_ms(1);
}

TEST(files_have_the_numbers_that_they_would_have)
{
    const struct result result = run("opens_files", "STINT_CHECKPOINT=0.01", NULL);
    assert_exit(&result, 0);
    assert_true(stat_number(result.report, "step", "count") > 0);
}

/* The interval is 0.2 s; the other second is for machines that do too much at once. */
TEST(kill_loses_at_most_an_interval)
{
    const struct child child = begin("steps_for_ever", "STINT_CHECKPOINT=0.2", NULL);
    await_report();
    uint64_t before = steps_of(&child);
    pause_ms(1200);
    kill(child.pid, SIGKILL);
    const struct result result = finish(&child);
    assert_signal(&result, SIGKILL);
    uint64_t reported = stat_number(result.report, "step", "count");
    assert_true(before > 0);
    assert_in_range(reported, before, steps_of(&child) + 1);
}

TEST(file_is_whole_whenever_the_process_is_killed)
{
    for (long i = 0; i < 12; i++) {
        const struct child child = begin("steps_for_ever", "STINT_CHECKPOINT=0.01", NULL);
        await_report();
        pause_ms(3 * i);
        kill(child.pid, SIGKILL);
        const struct result result = finish(&child);
        assert_true(is_json(result.report));
        assert_in_range(stat_number(result.report, "step", "count"), 1, steps_of(&child) + 1);
        assert_int_equal(remove(scratch("report")), 0);
    }
}

static unsigned s_children;

static void check_child(const char *path)
{
    if (strstr(path, ".tmp."))
        return;
    s_children++;
    assert_int_equal(stat_number(read_file(path), "step", "count"), 2);
}

/* Under ThreadSanitizer a child of a process that has threads can make none. */
TEST(children_have_checkpoints_of_their_own)
{
    if (WITH_TSAN)
        return;
    const struct result result = run("steps_and_forks", "STINT_CHECKPOINT=0.02", NULL);

    assert_signal(&result, SIGKILL);
    assert_int_equal(stat_number(result.report, "step", "count"), 1);
    s_children = 0;
    for_each_scratch("report.", check_child); /* and none of the child that recorded nothing */
    assert_int_equal(s_children, 1);
}

TEST(last_report_replaces_checkpoints)
{
    const struct result result = run("steps_and_ends", "STINT_CHECKPOINT=0.03", NULL);
    assert_exit(&result, 0);
    assert_int_equal(stat_number(result.report, "step", "count"), 2);
}

TEST(nothing_is_written_to_stderr_again_and_again)
{
    const struct result result = run("steps_and_ends", "STINT_CHECKPOINT=0.01", "STINT_OUTPUT", NULL);
    assert_exit(&result, 0);
    assert_int_equal(occurrences(result.err, "STINT_CHECKPOINT is ignored: name a file in STINT_OUTPUT"), 1);
    assert_int_equal(occurrences(result.err, "\"step\""), 1);
}

TEST(metrics_may_be_read_by_their_collector)
{
    struct stat status;
    const struct result json = run("steps_and_ends", NULL);
    assert_non_null(json.report);
    assert_int_equal(stat(scratch("report"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(remove(scratch("report")), 0);
    const struct result metrics = run("steps_and_ends", "STINT_REPORT=prometheus", NULL);
    assert_non_null(strstr(metrics.report, "\nstint_scope_duration_seconds_count{"));
    assert_int_equal(stat(scratch("report"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0644);
}
