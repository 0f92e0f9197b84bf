/* A file that may be executed but is no program: each function tells of the report, and then fails. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject/inject.h"
#include "stint_test.h"

static char s_folder[64], s_path[96];
static int s_reports;

static void report(void)
{
    s_reports++;
}

static int begin(void **state)
{
    strcpy(s_folder, "/tmp/stint_exec_XXXXXX");
    if (!mkdtemp(s_folder))
        return -1;
    (void)snprintf(s_path, sizeof s_path, "%s/nothing", s_folder);
    int file = open(s_path, O_WRONLY | O_CREAT | O_EXCL, 0700);
    if (file < 0 || write(file, "\1\2\3\4", 4) != 4 || close(file))
        return -1;
    stint_exec_start(report);
    s_reports = 0;
    return setenv("PATH", s_folder, 1);
}

static int end(void **state)
{
    return unlink(s_path) || rmdir(s_folder);
}

TEST_EACH(begin, end)

TEST(before_each_that_may_succeed_there_is_a_report)
{
    char *arguments[] = {s_path, NULL}, *environment[] = {NULL};
    int file = open(s_path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(execve(s_path, arguments, environment), -1);
    assert_int_equal(execv(s_path, arguments), -1);
    assert_int_equal(s_reports, 2);
    assert_int_equal(fexecve(file, arguments, environment), -1);
    assert_int_equal(s_reports, 3);
    assert_int_equal(execl(s_path, s_path, "one", NULL), -1);
    assert_int_equal(execle(s_path, s_path, "one", NULL, environment), -1);
    assert_int_equal(s_reports, 5);
    (void)close(file);
}

TEST(a_path_that_is_not_there_needs_none)
{
    char *arguments[] = {s_path, NULL};
    assert_int_equal(execv("/none/at/all", arguments), -1);
    assert_int_equal(execvp("none-at-all", arguments), -1);
    assert_int_equal(s_reports, 0);
}

/* Runs env in place of a child that alone is sampled, or, if it forks, in place of what it starts. */
static void run_env(int forks, char *out, size_t size)
{
    static char name[] = "env";
    int ends[2], status;
    size_t used = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(STDERR_FILENO); /* the dynamic linker has no such library */
        (void)setenv("STINT_SAMPLE", "process", 1);
        (void)setenv("LD_PRELOAD", "/x/libstint_sample.so:/y.so", 1);
        stint_exec_start(report);
        if (forks && (child = fork()) > 0)
            _exit(waitpid(child, &status, 0) != child);
        (void)execv("/usr/bin/env", (char *[]){name, NULL});
        _exit(127);
    }
    (void)close(ends[1]);
    for (ssize_t length; (length = read(ends[0], out + used, size - used - 1)) > 0;)
        used += (size_t)length;
    out[used] = '\0';
    (void)close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

TEST(a_program_that_takes_the_place_of_a_sampled_one_is_sampled)
{
    char out[1 << 16];
    run_env(0, out, sizeof out);
    assert_non_null(strstr(out, "STINT_SAMPLE=process\n"));
    assert_non_null(strstr(out, "LD_PRELOAD=/x/libstint_sample.so:/y.so\n"));
    run_env(1, out, sizeof out);
    assert_non_null(strstr(out, "STINT_SAMPLE=off\n"));
    assert_non_null(strstr(out, "LD_PRELOAD=/y.so\n"));
}
