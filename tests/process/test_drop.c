/* Processes that give up what they may do, under stint run: their reports go where they would have gone, and nowhere
 * else. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

enum { NOBODY = 65534 };

#define INJECTED "LD_PRELOAD=" INJECT

/* ------------------------------------------------------------------------------------------------------------ modes */

static int work_after(int failed)
{
    if (failed) {
        perror("it cannot be given up");
        return 1;
    }
    scopes("after", 2);
    return 0;
}

MODE(sets_user)
{
    scopes("before", 1);
    return work_after(setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY));
}

MODE(sets_users)
{
    scopes("before", 1);
    return work_after(setresuid(NOBODY, NOBODY, NOBODY));
}

MODE(sets_user_for_a_while)
{
    scopes("before", 1);
    if (seteuid(NOBODY) || seteuid(0) || setreuid(0, NOBODY))
        return 1;
    return work_after(0);
}

MODE(sets_user_in_a_child)
{
    int status = -1;
    scopes("before", 1);
    pid_t child = fork();
    if (!child) {
        scopes("child", 1);
        exit(work_after(setuid(NOBODY)));
    }
    waitpid(child, &status, 0);
    return status != 0;
}

MODE(changes_root)
{
    scopes("before", 1);
    return work_after(mkdir(getenv("JAIL"), 0700) || chroot(getenv("JAIL")) || chdir("/"));
}

/* As daemons close what they do not know; then numbers are used again. */
MODE(closes_all)
{
    scopes("before", 1);
    if (setuid(NOBODY))
        return 1;
    for (int fd = 3; fd < 1024; fd++)
        (void)close(fd);
    int data = open(getenv("DATA"), O_RDWR);
    for (int fd = 190; fd < 1024; fd++)
        if (data < 0 || dup2(data, fd) < 0)
            return 2;
    return work_after(0);
}

MODE(has_the_same_descriptors)
{
    int file = dup(1);
    scopes("before", 1);
    if (seteuid(NOBODY) || seteuid(0))
        return 1;
    return work_after(dup(1) != file + 1);
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void check(const char *report)
{
    assert_int_equal(stat_number(report, "before", "count"), 1);
    assert_int_equal(stat_number(report, "after", "count"), 2);
}

/* The scratch folder is root's. */
static void check_mode(const char *mode)
{
    char jail[4096];
    if (geteuid() != 0)
        skip();
    snprintf(jail, sizeof jail, "JAIL=%s", scratch("jail"));
    const struct result result = run(mode, jail, INJECTED, NULL);
    (void)rmdir(scratch("jail"));
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    check(result.report);
}

TEST(report_of_a_process_that_becomes_another_user_is_written)
{
    check_mode("sets_user");
}

TEST(report_of_one_that_becomes_it_for_good_is_written)
{
    check_mode("sets_users");
}

TEST(report_of_one_that_becomes_it_for_a_while_is_written)
{
    check_mode("sets_user_for_a_while");
}

TEST(report_of_one_that_changes_its_root_is_written)
{
    check_mode("changes_root");
}

static const char *s_child;

static void keep_child(const char *path)
{
    s_child = read_file(path);
}

TEST(report_of_a_child_is_written)
{
    if (geteuid() != 0)
        skip();
    const struct result result = run("sets_user_in_a_child", INJECTED, NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    assert_int_equal(for_each_scratch("report.", keep_child), 1);
    assert_int_equal(stat_number(s_child, "child", "count"), 1);
    assert_int_equal(stat_number(s_child, "after", "count"), 2);
}

TEST(what_uses_the_numbers_of_descriptors_again_is_left_alone)
{
    char data[4200], path[4096];
    if (geteuid() != 0)
        skip();
    snprintf(path, sizeof path, "%s", scratch("data"));
    snprintf(data, sizeof data, "DATA=%s", path);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    assert_int_equal(write(fd, "mine", 4), 4);
    (void)fchmod(fd, 0666);
    (void)close(fd);
    (void)chmod(scratch(""), 0755);
    const struct result result = run("closes_all", data, INJECTED, NULL);
    assert_exit(&result, 0);
    assert_string_equal(read_file(path), "mine");
    assert_int_equal(occurrences(result.err, "cannot write the report to"), 1);
    assert_int_equal(occurrences(result.err, "  after"), 1);
}

TEST(programs_get_the_descriptors_that_they_would_get)
{
    if (geteuid() != 0)
        skip();
    char control[4200];
    snprintf(control, sizeof control, "STINT_CONTROL=%s", scratch(""));
    const struct result result = run("has_the_same_descriptors", control, INJECTED, NULL);
    assert_exit(&result, 0);
    check(result.report);
}
