#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stint_test.h"

enum { SIZE = 4096 };

static const char *s_program;
static int s_no_files; /* open fails */
static int s_no_host;  /* gethostname fails */

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_gethostname(char *name, size_t size);

int __wrap_open(const char *path, int flags, ...)
{
    if (!s_no_files)
        return __real_open(path, flags);
    errno = EMFILE;
    return -1;
}

/* A name that does not fit comes back cut and unterminated, as the manual page says. */
int __wrap_gethostname(char *name, size_t size)
{
    static const char host[] = "node17.example";

    memset(name, 'x', size);
    if (s_no_host) {
        errno = EFAULT;
        return -1;
    }
    memcpy(name, host, size < sizeof host ? size : sizeof host);
    if (size >= sizeof host)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

/* Runs this program with the arguments, and returns the command that it sees itself as. */
static void command_of_child(char *out, const char *const *arguments)
{
    const char *argv[8] = {s_program, "--print-command"};
    int ends[2];
    ssize_t length;

    for (size_t i = 0; arguments[i]; ++i)
        argv[i + 2] = arguments[i];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
        _exit(1);
    }
    close(ends[1]);
    length = read(ends[0], out, SIZE - 1);
    out[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static int print_command(void)
{
    char command[SIZE];

    stint_process_command(command, sizeof command);
    return write(STDOUT_FILENO, command, strlen(command)) < 0;
}

static void the_command_is_program_and_arguments_with_blanks(void **state)
{
    char seen[SIZE], expected[SIZE];

    command_of_child(seen, (const char *const[]){"one", "two words", "\xC3\xA4", NULL});
    (void)snprintf(expected, sizeof expected, "%s --print-command one two words \xC3\xA4", s_program);
    assert_string_equal(seen, expected);
}

static void empty_arguments_at_the_end_leave_no_blanks(void **state)
{
    char seen[SIZE];

    command_of_child(seen, (const char *const[]){"", "", NULL});
    assert_int_not_equal(seen[strlen(seen) - 1], ' ');
}

static void the_command_is_cut_to_size(void **state)
{
    char whole[SIZE], cut[SIZE];

    stint_process_command(whole, sizeof whole);
    for (size_t size = 1; size < 8; ++size) {
        memset(cut, 'x', sizeof cut);
        stint_process_command(cut, size);
        assert_int_equal(strlen(cut), size - 1);
        assert_memory_equal(cut, whole, size - 1);
        assert_int_equal(cut[size], 'x');
    }
}

static void the_host_is_the_systems(void **state)
{
    char host[256];

    stint_process_host(host, sizeof host);
    assert_string_equal(host, "node17.example");
}

static void the_host_is_cut_to_size(void **state)
{
    char host[8] = "########";

    stint_process_host(host, 7);
    assert_memory_equal(host, "node17\0#", 8);
}

static void a_thread_has_the_systems_name(void **state)
{
    char name[16];

    assert_int_equal(pthread_setname_np(pthread_self(), "loader 1"), 0);
    stint_process_thread_name(name, sizeof name, syscall(SYS_gettid));
    assert_string_equal(name, "loader 1");
    assert_int_equal(pthread_setname_np(pthread_self(), "fifteen letters"), 0);
    stint_process_thread_name(name, sizeof name, syscall(SYS_gettid));
    assert_string_equal(name, "fifteen letters");
}

static void what_is_unknown_is_empty(void **state)
{
    char text[16] = "text";

    stint_process_thread_name(text, sizeof text, -1);
    assert_string_equal(text, "");
    s_no_files = s_no_host = 1;
    memset(text, 'x', sizeof text);
    stint_process_thread_name(text, sizeof text, syscall(SYS_gettid));
    assert_string_equal(text, "");
    memset(text, 'x', sizeof text);
    stint_process_command(text, sizeof text);
    assert_string_equal(text, "");
    memset(text, 'x', sizeof text);
    stint_process_host(text, sizeof text);
    assert_string_equal(text, "");
    s_no_files = s_no_host = 0;
}

static void what_a_thread_used_is_the_systems(void **state)
{
    struct timespec before, after;
    struct stint_thread_usage usage;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    usage = stint_process_thread_usage(syscall(SYS_gettid));
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    assert_in_range(usage.cpu_ns, (uint64_t)before.tv_sec * 1000000000 + (uint64_t)before.tv_nsec,
                    (uint64_t)after.tv_sec * 1000000000 + (uint64_t)after.tv_nsec);
    assert_string_equal(usage.state, "running");
    usage = stint_process_thread_usage(INT32_MAX); /* no thread has that id */
    assert_string_equal(usage.state, "");
    assert_int_equal(usage.waits + usage.preempted, 0);
    s_no_files = 1;
    usage = stint_process_thread_usage(syscall(SYS_gettid));
    s_no_files = 0;
    assert_string_equal(usage.state, "");
    assert_int_equal(usage.waits + usage.preempted, 0);
}

static void no_file_stays_open(void **state)
{
    char text[64];
    const int before = dup(STDIN_FILENO);

    close(before);
    for (int i = 0; i < 10; ++i) {
        stint_process_command(text, sizeof text);
        stint_process_thread_name(text, sizeof text, syscall(SYS_gettid));
    }
    const int after = dup(STDIN_FILENO);
    close(after);
    assert_int_equal(after, before);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_command_is_program_and_arguments_with_blanks),
        cmocka_unit_test(empty_arguments_at_the_end_leave_no_blanks),
        cmocka_unit_test(the_command_is_cut_to_size),
        cmocka_unit_test(the_host_is_the_systems),
        cmocka_unit_test(the_host_is_cut_to_size),
        cmocka_unit_test(a_thread_has_the_systems_name),
        cmocka_unit_test(what_is_unknown_is_empty),
        cmocka_unit_test(what_a_thread_used_is_the_systems),
        cmocka_unit_test(no_file_stays_open),
    };

    s_program = argv[0];
    if (argc > 1 && !strcmp(argv[1], "--print-command"))
        return print_command();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
