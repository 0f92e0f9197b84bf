#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "captured_log.h"
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

static pid_t s_pid; /* what every process is called; 0: as the system calls it */

pid_t __real_getpid(void);
pid_t __wrap_getpid(void);

pid_t __wrap_getpid(void)
{
    return s_pid ? s_pid : __real_getpid();
}

static int is_marked(void *unused)
{
    return stint_process_is(STINT_SET_UP);
}

/* The exit status of a copy, made with these flags of clone(2). */
static int copy_is_marked(int flags)
{
    enum { STACK = 1 << 16 };
    char *stack = malloc(STACK);
    int status = -1;
    assert_non_null(stack);
    const pid_t child = clone(is_marked, stack + STACK, flags | SIGCHLD, NULL);
    assert_int_equal(waitpid(child, &status, 0), child);
    free(stack);
    return WEXITSTATUS(status);
}

/* The first process of a namespace is called 1, as its parent is if that is the first of another. */
TEST(a_copy_is_not_marked_though_it_has_the_same_id)
{
    int status = -1;
    s_pid = 1;
    stint_process_mark(STINT_SET_UP);
    assert_true(stint_process_is(STINT_SET_UP));
    assert_false(stint_process_is(STINT_COLLECTING));
    assert_false(copy_is_marked(0));
    assert_false(copy_is_marked(CLONE_VM | CLONE_VFORK));
    const pid_t child = fork();
    if (child == 0) {
        int before = stint_process_is(STINT_SET_UP);
        stint_process_mark(STINT_SET_UP);
        _exit(before ? 1 : stint_process_is(STINT_SET_UP) ? 0 : 2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(stint_process_is(STINT_SET_UP));
    s_pid = 2;
    assert_false(stint_process_is(STINT_SET_UP));
    s_pid = 0;
}

/* Runs this program with the arguments, and returns the command that it sees itself as. */
static void command_of_child(char *out, const char *const *arguments)
{
    const char *argv[8] = {s_program, "--print-command"};
    int ends[2];
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
    ssize_t length = read(ends[0], out, SIZE - 1);
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

TEST(the_command_is_program_and_arguments_with_blanks)
{
    char seen[SIZE], expected[SIZE];
    command_of_child(seen, (const char *const[]){"one", "two words", "\xC3\xA4", NULL});
    (void)snprintf(expected, sizeof expected, "%s --print-command one two words \xC3\xA4", s_program);
    assert_string_equal(seen, expected);
}

TEST(empty_arguments_at_the_end_leave_no_blanks)
{
    char seen[SIZE];
    command_of_child(seen, (const char *const[]){"", "", NULL});
    assert_int_not_equal(seen[strlen(seen) - 1], ' ');
}

TEST(the_command_is_cut_to_size)
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

TEST(the_host_is_the_systems)
{
    char host[256];
    stint_process_host(host, sizeof host);
    assert_string_equal(host, "node17.example");
}

TEST(the_host_is_cut_to_size)
{
    char host[8] = "########";
    stint_process_host(host, 7);
    assert_memory_equal(host, "node17\0#", 8);
}

TEST(a_thread_has_the_systems_name)
{
    char name[16];
    assert_int_equal(pthread_setname_np(pthread_self(), "loader 1"), 0);
    stint_process_thread_name(name, sizeof name, syscall(SYS_gettid));
    assert_string_equal(name, "loader 1");
    assert_int_equal(pthread_setname_np(pthread_self(), "fifteen letters"), 0);
    stint_process_thread_name(name, sizeof name, syscall(SYS_gettid));
    assert_string_equal(name, "fifteen letters");
}

TEST(what_is_unknown_is_empty)
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
    assert_memory_equal(text, program_invocation_name, sizeof text - 1);
    memset(text, 'x', sizeof text);
    stint_process_host(text, sizeof text);
    assert_string_equal(text, "");
    s_no_files = s_no_host = 0;
}

TEST(what_a_thread_used_is_the_systems)
{
    struct timespec before, after;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    struct stint_thread_usage usage = stint_process_thread_usage(syscall(SYS_gettid));
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

TEST(no_file_stays_open)
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

static const char s_name[] = "STINT_TEST_VARIABLE";

/* Sets the variable; NULL unsets it. */
static void set(const char *text)
{
    if (text)
        assert_int_equal(setenv(s_name, text, 1), 0);
    else
        assert_int_equal(unsetenv(s_name), 0);
    captured_log_begin();
}

static size_t fruit(void)
{
    return stint_env_choice(s_name, "apple|pear|plum", 1);
}

static uint64_t from_10_to_20(void)
{
    return stint_env_number(s_name, 15, 10, 20);
}

TEST(unset_and_empty_are_no_text)
{
    set(NULL);
    assert_null(stint_env_text(s_name));
    set("");
    assert_null(stint_env_text(s_name));
    set(" a b ");
    assert_string_equal(stint_env_text(s_name), " a b ");
}

TEST(unset_and_empty_give_the_default_silently)
{
    const char *const texts[] = {NULL, ""};
    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(fruit(), 1);
        assert_int_equal(stint_env_switch(s_name, 0), 0);
        assert_int_equal(stint_env_switch(s_name, 1), 1);
        assert_int_equal(from_10_to_20(), 15);
        assert_int_equal(captured_log.lines, 0);
    }
}

TEST(every_word_for_a_switch_is_understood)
{
    static const char *const words[2][6] = {{"off", "0", "false", "no", "OFF", "No"},
                                            {"on", "1", "true", "yes", "True", "YES"}};
    for (int value = 0; value < 2; ++value)
        for (size_t i = 0; i < TEST_COUNT(words[0]); ++i) {
            set(words[value][i]);
            assert_int_equal(stint_env_switch(s_name, !value), value);
            assert_int_equal(captured_log.lines, 0);
        }
}

TEST(every_choice_is_understood_in_any_case)
{
    set("apple");
    assert_int_equal(fruit(), 0);
    set("PLUM");
    assert_int_equal(fruit(), 2);
    assert_int_equal(captured_log.lines, 0);
}

TEST(a_number_within_its_limits_is_taken)
{
    set("10");
    assert_int_equal(from_10_to_20(), 10);
    set("20");
    assert_int_equal(from_10_to_20(), 20);
    set("0017");
    assert_int_equal(from_10_to_20(), 17);
    set("18446744073709551615");
    assert_int_equal(stint_env_number(s_name, 1, 0, UINT64_MAX), UINT64_MAX);
    assert_int_equal(captured_log.lines, 0);
}

TEST(nonsense_for_a_number_gives_the_default_and_one_line)
{
    const char *const texts[] = {"9",
                                 "21",
                                 "-15",
                                 "+15",
                                 " 15",
                                 "15 ",
                                 "15x",
                                 "0xf",
                                 "1e1",
                                 "fifteen",
                                 "15.0",
                                 "18446744073709551616",
                                 "99999999999999999999999999",
                                 "%s%n",
                                 "\xff\xfe"};
    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(from_10_to_20(), 15);
        assert_int_equal(captured_log.lines, 1);
        assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    }
}

TEST(nonsense_for_a_word_gives_the_default_and_one_line)
{
    const char *const texts[] = {"appl", "apples", " apple", "apple ", "0", "-1", "%s%n", "\xff\xfe", "|"};
    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(fruit(), 1);
        assert_int_equal(captured_log.lines, 1);
        assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    }
}

TEST(nonsense_for_a_switch_gives_the_default_and_one_line)
{
    for (int otherwise = 0; otherwise < 2; ++otherwise) {
        set("2");
        assert_int_equal(stint_env_switch(s_name, otherwise), otherwise);
        assert_int_equal(captured_log.lines, 1);
    }
}

TEST(the_line_names_the_variable_and_what_was_expected)
{
    set("banana");
    fruit();
    assert_string_equal(captured_log.message,
                        "STINT_TEST_VARIABLE=banana is not understood: expected apple|pear|plum; using pear");
    set("21");
    from_10_to_20();
    assert_string_equal(captured_log.message,
                        "STINT_TEST_VARIABLE=21 is not understood: expected a number from 10 to 20; using 15");
}

TEST(a_very_long_text_is_cut_in_the_line)
{
    char text[100000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    set(text);
    assert_int_equal(fruit(), 1);
    assert_int_equal(from_10_to_20(), 15);
    assert_int_equal(captured_log.lines, 2);
    assert_in_range(strlen(captured_log.message), 1, 200);
}

TEST(a_word_is_whole)
{
    const char *const texts[] = {"plu", "plums", "pear|plum", "|", "apple|"};
    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(fruit(), 1);
        assert_int_equal(captured_log.lines, 1);
    }
    set("PLUM");
    assert_int_equal(fruit(), 2);
}

static pthread_mutex_t s_lock = PTHREAD_MUTEX_INITIALIZER;
static int s_pauses;
static int s_free_after; /* pauses */

int __wrap_nanosleep(const struct timespec *time, struct timespec *rest);

int __wrap_nanosleep(const struct timespec *time, struct timespec *rest)
{
    assert_true(time->tv_sec == 0 && time->tv_nsec > 0);
    if (++s_pauses == s_free_after)
        pthread_mutex_unlock(&s_lock);
    return 0;
}

TEST(a_free_lock_is_taken_at_once)
{
    for (int emergency = 0; emergency <= 1; ++emergency) {
        s_pauses = 0;
        assert_int_equal(stint_lock_for(&s_lock, emergency), 1);
        assert_int_not_equal(pthread_mutex_trylock(&s_lock), 0);
        pthread_mutex_unlock(&s_lock);
        assert_int_equal(s_pauses, 0);
    }
}

TEST(in_an_emergency_a_lock_that_stays_taken_is_left_alone)
{
    s_pauses = s_free_after = 0;
    pthread_mutex_lock(&s_lock);
    assert_int_equal(stint_lock_for(&s_lock, 1), 0);
    assert_in_range(s_pauses, 10, 1000);
    pthread_mutex_unlock(&s_lock);
}

TEST(in_an_emergency_a_lock_is_waited_for_a_moment)
{
    s_pauses = 0;
    s_free_after = 3;
    pthread_mutex_lock(&s_lock);
    assert_int_equal(stint_lock_for(&s_lock, 1), 1);
    assert_int_equal(s_pauses, 3);
    assert_int_not_equal(pthread_mutex_trylock(&s_lock), 0);
    pthread_mutex_unlock(&s_lock);
}

int test_main(int argc, char **argv)
{
    s_program = argv[0];
    if (argc > 1 && !strcmp(argv[1], "--print-command"))
        return print_command();
    return test_run(NULL, NULL);
}
