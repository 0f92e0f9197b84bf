#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "captured_log.h"
#include "stint/status.h"
#include "stint_test.h"

static struct timespec s_now; /* what every clock shows */
static int s_short_writes;    /* writev takes 3 bytes at a time, and every other call is interrupted */
static unsigned s_writes;
static char *s_program;
static char s_with_stderr_closed[] = "--with-stderr-closed";

int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
ssize_t __real_writev(int fd, const struct iovec *parts, int count);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    *now = s_now;
    return 0;
}

ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)
{
    ++s_writes;
    if (!s_short_writes)
        return __real_writev(fd, parts, count);
    if (s_writes % 2) {
        errno = EINTR;
        return -1;
    }
    return write(fd, parts[0].iov_base, parts[0].iov_len < 3 ? parts[0].iov_len : 3);
}

static void set_time(const char *zone, time_t seconds, long ns)
{
    setenv("TZ", zone, 1);
    tzset();
    stint_log_learn_zone();
    s_now = (struct timespec){seconds, ns};
}

static int reset(void **state)
{
    set_time("UTC0", 0, 0);
    s_short_writes = 0;
    stint_log_set_sink(NULL, NULL);
    return 0;
}

/* Runs `log` with stderr in a pipe, and returns what it wrote. */
static void logged(char *out, size_t size, void (*log)(void))
{
    const int old = dup(STDERR_FILENO);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    stint_log_learn_streams();
    log();
    dup2(old, STDERR_FILENO);
    close(old);
    stint_log_learn_streams();
    const ssize_t length = read(ends[0], out, size - 1);
    out[length > 0 ? length : 0] = '\0';
    close(ends[0]);
}

/* ----------------------------------------------------------------------------------------------------------- prefix */

TEST_SETUP(the_prefix_is_glogs, reset)
{
    char prefix[STINT_LOG_PREFIX_SIZE], expected[STINT_LOG_PREFIX_SIZE];
    set_time("UTC0", 1078110245, 6789); /* 2004-03-01 03:04:05 */
    const size_t length = stint_log_prefix(prefix, STINT_LOG_INFO, "dir/file.c", 42);
    (void)snprintf(expected, sizeof expected, "I0301 03:04:05.000006 %5ld file.c:42] ", syscall(SYS_gettid));
    assert_string_equal(prefix, expected);
    assert_int_equal(length, strlen(expected));
}

TEST_SETUP(the_prefix_begins_with_the_levels_letter, reset)
{
    char prefix[STINT_LOG_PREFIX_SIZE];
    stint_log_prefix(prefix, STINT_LOG_INFO, "", 0);
    assert_int_equal(prefix[0], 'I');
    stint_log_prefix(prefix, STINT_LOG_WARNING, "", 0);
    assert_int_equal(prefix[0], 'W');
    stint_log_prefix(prefix, STINT_LOG_ERROR, "", 0);
    assert_int_equal(prefix[0], 'E');
}

TEST_SETUP(every_day_until_2500_has_its_month_and_day, reset)
{
    for (time_t day = 0; day < 530 * 366; ++day) {
        char prefix[STINT_LOG_PREFIX_SIZE], expected[8];
        struct tm date;
        s_now.tv_sec = day * 86400 + day % 86400;
        gmtime_r(&s_now.tv_sec, &date);
        (void)strftime(expected, sizeof expected, "I%m%d ", &date);
        stint_log_prefix(prefix, STINT_LOG_INFO, "f", 1);
        assert_memory_equal(prefix, expected, 6);
    }
}

TEST_SETUP(every_second_of_a_day_is_right, reset)
{
    for (time_t second = 0; second < 86400; second += 7) {
        char prefix[STINT_LOG_PREFIX_SIZE], expected[32];
        struct tm date;
        s_now = (struct timespec){second, 999999999};
        gmtime_r(&second, &date);
        (void)strftime(expected, sizeof expected, "I%m%d %H:%M:%S.999999 ", &date);
        stint_log_prefix(prefix, STINT_LOG_INFO, "f", 1);
        assert_memory_equal(prefix, expected, strlen(expected));
    }
}

TEST_SETUP(the_time_is_local, reset)
{
    char prefix[STINT_LOG_PREFIX_SIZE];
    set_time("XST-5:30", 1078086600, 0); /* 2004-02-29 20:30:00 UTC */
    stint_log_prefix(prefix, STINT_LOG_INFO, "f", 1);
    assert_memory_equal(prefix, "I0301 02:00:00.", 15);
    set_time("YST8", 1078110000, 0); /* 2004-03-01 03:00:00 UTC */
    stint_log_prefix(prefix, STINT_LOG_INFO, "f", 1);
    assert_memory_equal(prefix, "I0229 19:00:00.", 15);
}

TEST_SETUP(a_forked_child_keeps_its_zone, reset)
{
    int status = 0;
    set_time("XST-5:30", 1078086600, 0);
    pid_t child = fork();
    if (child == 0) {
        char prefix[STINT_LOG_PREFIX_SIZE];
        set_time("YST8", 1078086600, 0);
        stint_log_prefix(prefix, STINT_LOG_INFO, "f", 1);
        _exit(strncmp(prefix, "I0301 02:00:00.", 15) != 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

TEST_SETUP(the_longest_prefix_fits, reset)
{
    char prefix[STINT_LOG_PREFIX_SIZE + 8], file[5000];
    memset(file, 'f', sizeof file - 1);
    file[sizeof file - 1] = '\0';
    memset(prefix, '#', sizeof prefix);
    const size_t length = stint_log_prefix(prefix, STINT_LOG_ERROR, file, -2147483647);
    assert_int_equal(length, strlen(prefix));
    assert_in_range(length, 255, STINT_LOG_PREFIX_SIZE - 1);
    assert_memory_equal(prefix + STINT_LOG_PREFIX_SIZE, "########", 8);
    assert_non_null(strstr(prefix, ":-2147483647] "));
}

/* ----------------------------------------------------------------------------------------------------------- stderr */

static void log_a_warning(void)
{
    stint_log(STINT_LOG_WARNING, "dir/file.c", 7, "%d%% of %s", 5, "it");
}

TEST_SETUP(without_a_sink_a_line_goes_to_stderr, reset)
{
    char seen[1024], expected[1024];
    logged(seen, sizeof seen, log_a_warning);
    (void)snprintf(expected, sizeof expected, "W0101 00:00:00.000000 %5ld file.c:7] 5%% of it\n", syscall(SYS_gettid));
    assert_string_equal(seen, expected);
}

TEST_SETUP(a_line_is_one_write, reset)
{
    char seen[1024];
    s_writes = 0;
    logged(seen, sizeof seen, log_a_warning);
    assert_int_equal(s_writes, 1);
}

TEST_SETUP(a_closed_stderr_is_no_harm, reset)
{
    const int old = dup(STDERR_FILENO);
    close(STDERR_FILENO);
    log_a_warning();
    dup2(old, STDERR_FILENO);
    close(old);
}

/* Begun with stderr closed: number 2 becomes a file of the program's own. Returns 0 if it stays empty. */
static int log_with_stderr_closed(void)
{
    char name[] = "/tmp/stint.XXXXXX";
    const int fd = mkstemp(name);
    unlink(name);
    if (fd != STDERR_FILENO)
        return 2;
    log_a_warning();
    return stint_log_stderr() != -1 || lseek(fd, 0, SEEK_END) != 0;
}

TEST_SETUP(stderr_that_was_closed_at_the_beginning_is_not_written_to, reset)
{
    char *const arguments[] = {s_program, s_with_stderr_closed, NULL};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        execv("/proc/self/exe", arguments);
        _exit(3);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(stint_log_stderr(), STDERR_FILENO);
}

/* What is descriptor 2 now, in a child whose stderr it was not when it was loaded. */
static int stderr_in_place_of(int fd)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        dup2(fd, STDERR_FILENO);
        _exit(stint_log_stderr() == STDERR_FILENO ? 1 : stint_log_stderr_is_lost() ? 2 : 3);
    }
    close(fd);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

enum { FOLLOWED = 1, LOST };

static int open_data(int flags)
{
    char name[] = "/tmp/stint.XXXXXX";
    const int first = mkstemp(name), fd = open(name, flags | O_CLOEXEC);
    unlink(name); /* the first stays open: many programs have their data open twice */
    assert_true(first >= 0 && fd >= 0);
    return fd;
}

TEST_SETUP(what_the_program_opens_as_descriptor_2_is_not_written_to, reset)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(stderr_in_place_of(ends[1]), LOST);
    close(ends[0]);
    assert_int_equal(stderr_in_place_of(open_data(O_RDWR)), LOST);
    assert_int_equal(stderr_in_place_of(open_data(O_WRONLY | O_APPEND)), LOST);
    assert_int_equal(stderr_in_place_of(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)), LOST);
    assert_int_equal(stderr_in_place_of(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), LOST);
}

TEST_SETUP(stderr_that_goes_nowhere_or_where_stdout_went_is_followed, reset)
{
    assert_int_equal(stderr_in_place_of(open("/dev/null", O_RDWR | O_CLOEXEC)), FOLLOWED);
    assert_int_equal(stderr_in_place_of(dup(STDOUT_FILENO)), FOLLOWED);
}

static int sigpipe_is_pending(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE);
}

/* Returns a descriptor whose reader is gone. */
static int broken_pipe(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    return ends[1];
}

static void block_sigpipe(int how)
{
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(how, &pipe, NULL);
}

TEST_SETUP(a_broken_pipe_is_an_error_and_no_signal, reset)
{
    int fd = broken_pipe();
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(stint_write_fd(&fd, "text", 4), -1);
    assert_int_equal(errno, EPIPE);
    assert_false(sigpipe_is_pending());
    close(fd);
}

TEST_SETUP(a_blocked_sigpipe_does_not_stay_pending, reset)
{
    int fd = broken_pipe();
    block_sigpipe(SIG_BLOCK);
    assert_int_equal(stint_write_fd(&fd, "text", 4), -1);
    assert_false(sigpipe_is_pending());
    block_sigpipe(SIG_UNBLOCK);
    close(fd);
}

TEST_SETUP(a_sigpipe_of_the_host_stays_pending, reset)
{
    int fd = broken_pipe();
    block_sigpipe(SIG_BLOCK);
    raise(SIGPIPE);
    assert_int_equal(stint_write_fd(&fd, "text", 4), -1);
    assert_true(sigpipe_is_pending());
    signal(SIGPIPE, SIG_IGN); /* discards it */
    signal(SIGPIPE, SIG_DFL);
    block_sigpipe(SIG_UNBLOCK);
    close(fd);
}

TEST_SETUP(the_hosts_signal_mask_is_as_before, reset)
{
    int fd = broken_pipe();
    sigset_t mask;
    (void)stint_write_fd(&fd, "text", 4);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGPIPE));
    close(fd);
}

TEST_SETUP(a_file_that_may_not_grow_is_an_error_and_no_signal, reset)
{
    char name[] = "/tmp/stint.XXXXXX";
    int fd = mkstemp(name), written;
    struct rlimit old, none;
    unlink(name);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    none = old;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    written = stint_write_fd(&fd, "text", 4);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(written, -1);
    close(fd);
}

/* --------------------------------------------------------------------------------------------------------- write_fd */

TEST_SETUP(everything_is_written_whatever_the_system_takes, reset)
{
    const char text[] = "a text that takes several writes";
    char seen[64] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    s_short_writes = 1;
    assert_int_equal(stint_write_fd(&ends[1], text, sizeof text), 0);
    assert_int_equal(read(ends[0], seen, sizeof seen), sizeof text);
    assert_string_equal(seen, text);
    close(ends[0]);
    close(ends[1]);
}

TEST_SETUP(writing_nothing_succeeds, reset)
{
    int fd = -1;
    assert_int_equal(stint_write_fd(&fd, "", 0), 0);
}

TEST_SETUP(a_closed_descriptor_is_an_error, reset)
{
    int fd = broken_pipe();
    close(fd);
    assert_int_equal(stint_write_fd(&fd, "text", 4), -1);
    assert_int_equal(errno, EBADF);
}

TEST_SETUP(a_full_disk_is_an_error, reset)
{
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        skip();
    assert_int_equal(stint_write_fd(&fd, "text", 4), -1);
    assert_int_equal(errno, ENOSPC);
    close(fd);
}

/* ------------------------------------------------------------------------------------------------------------- sink */

TEST_SETUP(a_sink_gets_the_bare_message, reset)
{
    char seen[64];
    captured_log_begin();
    logged(seen, sizeof seen, log_a_warning);
    assert_string_equal(seen, "");
    assert_int_equal(captured_log.lines, 1);
    assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    assert_string_equal(captured_log.file, "dir/file.c");
    assert_int_equal(captured_log.line, 7);
    assert_string_equal(captured_log.message, "5% of it");
}

TEST_SETUP(a_null_sink_restores_stderr, reset)
{
    char seen[1024];
    captured_log_begin();
    stint_log_set_sink(NULL, NULL);
    logged(seen, sizeof seen, log_a_warning);
    assert_int_equal(captured_log.lines, 0);
    assert_non_null(strstr(seen, "] 5% of it\n"));
}

/* Logs a text; returns what the sink got. */
static const char *sunk(const char *text)
{
    captured_log_begin();
    stint_log(STINT_LOG_INFO, "f", 1, "%s", text);
    assert_int_equal(captured_log.lines, 1);
    return captured_log.message;
}

TEST_SETUP(control_characters_are_made_visible, reset)
{
    assert_string_equal(sunk("two\nlines"), "two\\nlines");
    assert_string_equal(sunk("\x1b[31mred\x7f\r\t\x01"), "\\x1b[31mred\\x7f\\r\\t\\x01");
    assert_string_equal(sunk("\xE2\x80\xAE"
                             "backwards"),
                        "\\u202ebackwards");
    assert_string_equal(sunk("\xC3\xA4 \\ \"%d\""), "\xC3\xA4 \\ \"%d\"");
}

TEST_SETUP(a_message_of_control_characters_is_cut_to_its_size, reset)
{
    char text[2 * STINT_LOG_MESSAGE_SIZE];
    memset(text, 1, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_in_range(strlen(sunk(text)), STINT_LOG_MESSAGE_SIZE - 8, STINT_LOG_MESSAGE_SIZE - 1);
    memset(text, 'x', sizeof text - 1);
    text[0] = '\n';
    assert_in_range(strlen(sunk(text)), STINT_LOG_MESSAGE_SIZE - 8, STINT_LOG_MESSAGE_SIZE - 1);
}

TEST_SETUP(a_formatted_message_is_cut_to_its_size, reset)
{
    char text[2 * STINT_LOG_MESSAGE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    captured_log_begin();
    stint_log(STINT_LOG_INFO, "f", 1, "%s", text);
    assert_int_equal(strlen(captured_log.message), STINT_LOG_MESSAGE_SIZE - 1);
}

static size_t s_length;

static void measure(void *context, enum stint_log_level level, const char *file, int line, const char *message)
{
    s_length = strlen(message);
}

TEST_SETUP(a_finished_message_is_never_cut, reset)
{
    char text[2 * STINT_LOG_MESSAGE_SIZE];
    memset(text, '%', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    stint_log_set_sink(measure, NULL);
    stint_log_message(STINT_LOG_INFO, "f", 1, text);
    assert_int_equal(s_length, sizeof text - 1);
}

#define NAMED(status)                                                                                                  \
    {                                                                                                                  \
        status, #status                                                                                                \
    }

static const struct {
    enum stint_status status;
    const char *name;
} s_all[] = {
    NAMED(STINT_OK),
    NAMED(STINT_ERROR_INVALID_ARGUMENT),
    NAMED(STINT_ERROR_NOT_FOUND),
    NAMED(STINT_ERROR_NOT_STARTED),
    NAMED(STINT_ERROR_NO_MEMORY),
    NAMED(STINT_ERROR_LIMIT),
    NAMED(STINT_ERROR_IO),
    NAMED(STINT_ERROR_BUSY),
    NAMED(STINT_ERROR_INCOMPLETE),
    NAMED(STINT_ERROR_UNAVAILABLE),
    NAMED(STINT_ERROR_CUDA),
    NAMED(STINT_ERROR_TAKEN),
    NAMED(STINT_ERROR_PERMISSION),
};

TEST(a_status_is_named_as_in_the_header)
{
    for (size_t i = 0; i < TEST_COUNT(s_all); ++i)
        assert_string_equal(stint_status_name(s_all[i].status), s_all[i].name);
}

TEST(every_status_has_a_sentence_of_its_own)
{
    for (size_t i = 0; i < TEST_COUNT(s_all); ++i) {
        const char *sentence = stint_status_string(s_all[i].status);
        assert_true(strlen(sentence) > 5);
        assert_int_not_equal(sentence[strlen(sentence) - 1], '.');
        for (size_t j = 0; j < i; ++j)
            assert_string_not_equal(sentence, stint_status_string(s_all[j].status));
    }
    assert_string_equal(stint_status_string(STINT_ERROR_NOT_FOUND), "no set or statistic has that name");
}

TEST(any_other_value_is_unknown)
{
    const int others[] = {-1, (int)TEST_COUNT(s_all), 100, INT_MAX, INT_MIN};
    for (size_t i = 0; i < TEST_COUNT(others); ++i) {
        assert_string_equal(stint_status_name((enum stint_status)others[i]), "STINT_ERROR_UNKNOWN");
        assert_true(strlen(stint_status_string((enum stint_status)others[i])) > 5);
    }
}

int test_main(int argc, char **argv)
{
    s_program = argv[0];
    if (argc > 1 && !strcmp(argv[1], s_with_stderr_closed))
        return log_with_stderr_closed();
    return test_run(NULL, NULL);
}
