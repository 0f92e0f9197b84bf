/* One line per message, to the program's sink or to stderr. It must work in a signal handler, in a forked child and
 * after the program has closed its stderr, so a message needs neither lock nor memory, and has no floats. Also the
 * sentences for status codes. */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/text.h"
#include "stint/status.h"

static stint_log_fn *s_log;
static void *s_log_context;
static long s_zone_seconds; /* east of Greenwich */
static int s_is_unread;     /* the last write has waited in vain */
/* A stream as the program began. */
struct stream {
    struct stat file;
    int access; /* O_WRONLY, for example; -1: it was closed */
};

static struct stream s_stdout, s_stderr;

static struct stream stream_of(int fd)
{
    struct stream stream;
    int flags = fcntl(fd, F_GETFL);
    stream.access = flags < 0 || fstat(fd, &stream.file) ? -1 : flags & O_ACCMODE;
    return stream;
}

/* Nobody inherits a descriptor that is closed on exec: it is of a program that loads stint late. */
void stint_log_learn_streams(void)
{
    s_stdout = stream_of(STDOUT_FILENO);
    s_stderr = stream_of(STDERR_FILENO);
    if (s_stderr.access >= 0 && (fcntl(STDERR_FILENO, F_GETFD) & FD_CLOEXEC))
        s_stderr.access = -1;
}

/* Before constructors that may log. */
__attribute__((constructor(101))) static void look_around(void)
{
    stint_process_mark(STINT_LOADED);
    stint_log_learn_streams();
}

static int is_same(const struct stream *left, const struct stream *right)
{
    return left->access == right->access && left->file.st_dev == right->file.st_dev &&
           left->file.st_ino == right->file.st_ino;
}

static int is_null_device(const struct stat *file)
{
    return S_ISCHR(file->st_mode) && file->st_rdev == makedev(1, 3);
}

/* A program that closes its stderr gets the number again for whatever it opens next, its data perhaps. Who redirects it
 * looks the same from here, unless it is to nowhere or to what stdout was. */
int stint_log_stderr(void)
{
    struct stream now = stream_of(STDERR_FILENO);
    if (s_stderr.access < 0 || now.access < 0)
        return -1;
    return is_same(&now, &s_stderr) || is_same(&now, &s_stdout) || is_null_device(&now.file) ? STDERR_FILENO : -1;
}

int stint_log_stderr_is_lost(void)
{
    return s_stderr.access >= 0 && (stint_log_stderr() < 0 || s_is_unread);
}

void stint_log_set_sink(stint_log_fn *log, void *context)
{
    s_log_context = context;
    __atomic_store_n(&s_log, log, __ATOMIC_RELEASE);
}

void stint_log_learn_zone(void)
{
    time_t now = time(NULL);
    struct tm local;
    if (stint_process_is(STINT_LOADED) && !stint_process_is_confined() && localtime_r(&now, &local))
        s_zone_seconds = local.tm_gmtoff;
}

/* Computes month and day from the number of days since 1970-01-01. localtime_r is not used because it takes locks,
 * which a signal handler must not do. Years are counted from March, so that the leap day is the last of a year; the
 * constants are the days in 400, 100, 4 and 1 years, and the 153 days in five months. */
static void month_and_day(int64_t days, int *month, int *day)
{
    int64_t since_0000_03_01 = days + 719468;
    int64_t in_era = (since_0000_03_01 % 146097 + 146097) % 146097;
    int64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * year + year / 4 - year / 100);
    int64_t month_from_march = (5 * in_year + 2) / 153;
    *day = (int)(in_year - (153 * month_from_march + 2) / 5 + 1);
    *month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

size_t stint_log_prefix(char *out, enum stint_log_level level, const char *file, int line)
{
    struct timespec now;
    int month, day;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t local = (int64_t)now.tv_sec + s_zone_seconds;
    int in_day = (int)(local % 86400);
    month_and_day(local / 86400, &month, &day);
    int length = snprintf(out, STINT_LOG_PREFIX_SIZE, "%c%02d%02d %02d:%02d:%02d.%06ld %5ld %.*s:%d] ", "IWE"[level],
                          month, day, in_day / 3600, in_day / 60 % 60, in_day % 60, now.tv_nsec / 1000,
                          (long)syscall(SYS_gettid), NAME_MAX, base_name(file), line);
    return length < 0 ? 0 : (size_t)length;
}

int stint_write_patience_s = 2;

/* Returns the signal that a write raises with this error, or 0 if it raises none. */
static int signal_of(int error)
{
    return error == EPIPE ? SIGPIPE : error == EFBIG ? SIGXFSZ : 0;
}

static void take_back(int signal)
{
    struct timespec at_once = {0, 0};
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, signal);
    while (sigtimedwait(&only, NULL, &at_once) < 0 && errno == EINTR)
        ;
}

/* Waits until a pipe has room. Its reader may be waiting for the end of this process, or be stopped: who has not read
 * for some seconds is not waited for again. poll(2) of the C library would begin anew after each signal. */
static int has_room(int fd)
{
    struct pollfd room = {.fd = fd, .events = POLLOUT};
    struct timespec left = {__atomic_load_n(&s_is_unread, __ATOMIC_RELAXED) ? 0 : stint_write_patience_s, 0};
    long ready;
    do
        ready = stint_process_is_confined() ? 1 : syscall(SYS_ppoll, &room, 1, &left, NULL, 0);
    while (ready < 0 && errno == EINTR);
    __atomic_store_n(&s_is_unread, ready == 0, __ATOMIC_RELAXED);
    if (ready == 0)
        errno = EAGAIN;
    return ready != 0;
}

/* Calls writev with the signals of its errors blocked, and consumes the signal that it raised. What the program does
 * not block cannot have been pending. */
static ssize_t write_quietly(int fd, const struct iovec *parts, int count)
{
    sigset_t quiet, pending, old;
    ssize_t written = -1;
    int before = stint_own_work_begin();
    sigemptyset(&quiet);
    sigaddset(&quiet, SIGPIPE);
    sigaddset(&quiet, SIGXFSZ);
    sigemptyset(&pending);
    pthread_sigmask(SIG_BLOCK, &quiet, &old);
    if (sigismember(&old, SIGPIPE) || sigismember(&old, SIGXFSZ))
        sigpending(&pending);
    while (has_room(fd) && (written = writev(fd, parts, count)) < 0 && (errno == EINTR || errno == EAGAIN))
        ;
    int error = errno;
    if (written < 0 && signal_of(error) && !sigismember(&pending, signal_of(error)))
        take_back(signal_of(error));
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    stint_own_work_end(before);
    errno = error;
    return written;
}

int stint_write_fd(void *context, const char *bytes, size_t length)
{
    int fd = *(const int *)context;
    while (length) {
        struct iovec part = {(void *)(uintptr_t)bytes, length};
        ssize_t written = write_quietly(fd, &part, 1);
        if (written <= 0)
            return -1;
        bytes += written;
        length -= (size_t)written;
    }
    return 0;
}

/* One writev per line, so that lines of several threads do not mix. A line that cannot be written is lost. */
static void log_to_stderr(enum stint_log_level level, const char *file, int line, const char *message)
{
    char prefix[STINT_LOG_PREFIX_SIZE];
    size_t length = stint_log_prefix(prefix, level, file, line);
    const struct iovec parts[] = {
        {prefix, length}, {(void *)(uintptr_t)message, strlen(message)}, {(void *)(uintptr_t) "\n", 1}};
    int fd = stint_log_stderr();
    if (fd >= 0)
        (void)write_quietly(fd, parts, 3);
}

void stint_log_message(enum stint_log_level level, const char *file, int line, const char *message)
{
    stint_log_fn *log = __atomic_load_n(&s_log, __ATOMIC_ACQUIRE);
    int error = errno; /* a timer may run between a call of the program and its check of errno */
    if (log)
        log(s_log_context, level, file, line, message);
    else
        log_to_stderr(level, file, line, message);
    errno = error;
}

static int has_control(const char *message)
{
    char escape[STINT_ESCAPE_SIZE];
    size_t taken;
    for (; *message; message += taken)
        if (stint_escape_terminal(escape, message, &taken))
            return 1;
    return 0;
}

/* Escapes control characters, so that a message stays one line, and cuts the result if it is too long. Separate from
 * stint_log, so that the copy is on the stack only when it is needed. */
__attribute__((noinline)) static void escape_controls(char *message, size_t size)
{
    char plain[STINT_LOG_MESSAGE_SIZE];
    char *out = message;
    size_t taken;
    memcpy(plain, message, strlen(message) + 1);
    for (const char *at = plain; *at && (size_t)(out - message) + STINT_ESCAPE_SIZE <= size; at += taken) {
        char escape[STINT_ESCAPE_SIZE];
        size_t escaped = stint_escape_terminal(escape, at, &taken);
        memcpy(out, escaped ? escape : at, escaped ? escaped : taken);
        out += escaped ? escaped : taken;
    }
    *out = '\0';
}

void stint_log(enum stint_log_level level, const char *file, int line, const char *format, ...)
{
    char message[STINT_LOG_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (has_control(message))
        escape_controls(message, sizeof message);
    stint_log_message(level, file, line, message);
}

/* Not a table, whose pointers would cost a relocation each. */
#define STATUSES(STATUS)                                                                                               \
    STATUS(OK, "success")                                                                                              \
    STATUS(ERROR_INVALID_ARGUMENT, "an argument is NULL, empty or out of range")                                       \
    STATUS(ERROR_NOT_FOUND, "no set or statistic has that name")                                                       \
    STATUS(ERROR_NOT_STARTED, "what is to be stopped is not running")                                                  \
    STATUS(ERROR_NO_MEMORY, "there is not enough memory")                                                              \
    STATUS(ERROR_LIMIT, "a limit is reached; see LIMITS in stint(7)")                                                  \
    STATUS(ERROR_IO, "a file could not be written")                                                                    \
    STATUS(ERROR_BUSY, "called from a signal handler that interrupted stint")                                          \
    STATUS(ERROR_INCOMPLETE, "a round of the barrier is not finished")                                                 \
    STATUS(ERROR_UNAVAILABLE, "there is no CUDA runtime, driver or CUPTI, or no device")                               \
    STATUS(ERROR_CUDA, "a call to CUDA or CUPTI failed; stint_profiler_cuda_code() or stint_gpu_reason() says which")  \
    STATUS(ERROR_TAKEN, "another profiler or debugger uses CUPTI in this process")                                     \
    STATUS(ERROR_PERMISSION, "the driver allows only administrators to profile; see stint_gpu_reason()")

#define STATUS_NAME(id, sentence)                                                                                      \
    case STINT_##id:                                                                                                   \
        return "STINT_" #id;
#define SENTENCE(id, sentence)                                                                                         \
    case STINT_##id:                                                                                                   \
        return sentence;

const char *stint_status_name(enum stint_status status)
{
    switch (status) {
        STATUSES(STATUS_NAME)
    }
    return "STINT_ERROR_UNKNOWN";
}

const char *stint_status_string(enum stint_status status)
{
    switch (status) {
        STATUSES(SENTENCE)
    }
    return "not a status of this version of stint";
}
