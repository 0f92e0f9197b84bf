/* Processes that give up what they may do, under stint run: their reports go where they would have gone, and nowhere
 * else. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

/* All but what it does itself ends it. */
MODE(allows_itself_nothing_else)
{
#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
    struct sock_filter filter[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                   ALLOW(SYS_write), ALLOW(SYS_exit_group),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};
#undef ALLOW
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    scopes("before", 1);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return 1;
    if (getenv("TEST_CALL") ? syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program)
                            : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 2;
    scopes("after", 2);
    return write(STDOUT_FILENO, "done", 4) == 4 ? 5 : 3;
}

/* The kernel refuses both. */
MODE(asks_which_filters_there_are)
{
    struct sock_filter steps[] = {BPF_STMT(BPF_JMP | BPF_JA, UINT32_MAX), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL)};
    struct sock_fprog beyond = {2, steps};
    scopes("before", 1);
    if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) || !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL))
        return 1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &beyond))
        return 1;
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
    if (geteuid() != 0 || TEST_UNDER_GCOV)
        skip(); /* gcov says that it cannot write */
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
    if (geteuid() != 0 || TEST_UNDER_GCOV)
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

TEST(what_was_recorded_before_a_strict_filter_is_written_before_it)
{
    static const char *const ways[] = {"TEST_CALL", "TEST_CALL=1"};
    if (WITH_ASAN || TEST_UNDER_GCOV)
        skip(); /* it does more at the end than the program */
    for (int i = 0; i < 2; i++) {
        const struct result result = run("allows_itself_nothing_else", ways[i], INJECTED, NULL);
        assert_exit(&result, 5);
        assert_string_equal(result.out, "done");
        assert_int_equal(occurrences(result.err, "nothing more is recorded"), 1);
        assert_int_equal(stat_number(result.report, "before", "count"), 1);
        assert_null(strstr(result.report, "after"));
        assert_int_equal(remove(scratch("report")), 0);
    }
}

TEST(filter_that_is_refused_is_none)
{
    const struct result result = run("asks_which_filters_there_are", INJECTED, NULL);
    assert_exit(&result, 0);
    assert_string_equal(result.err, "");
    check(result.report);
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
