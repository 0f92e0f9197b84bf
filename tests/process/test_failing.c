/* A program with all that can be switched on by the environment, in which each call of the system by stint's libraries
 * fails, from their start to their end: this call, or this one and all after it; and each call for memory and all after
 * it. The program runs on, and its output is as without stint. What is missing from the report and the recording is
 * said. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/harness.h"
#include "stint/stint.h"

/* ----------------------------------------------------------------------------------------------------- what may fail
 *
 * The libraries' calls arrive here; the C library's own do not. */

enum { MOST = 4096 };

/* Notes the first call from each place; if only memory lacks, each call. */
static void note_place(long call, const void *place)
{
    static const void *s_places[MOST];
    const char *file = getenv("TEST_PLACES");
    char line[24];
    for (size_t i = (uintptr_t)place % MOST; file && !getenv("TEST_MEMORY"); i = (i + 1) % MOST) {
        const void *none = NULL;
        if (__atomic_compare_exchange_n(&s_places[i], &none, place, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            break;
        if (none == place)
            return;
    }
    int length = snprintf(line, sizeof line, "%ld\n", call);
    long fd = file ? syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    (void)syscall(SYS_write, fd, line, (size_t)length);
    (void)syscall(SYS_close, fd);
}

/* The program's own calls do not fail. */
static int is_own(const void *place)
{
    extern const char __executable_start[], etext[];
    return (const char *)place >= __executable_start && (const char *)place < etext;
}

static int fails(int error, const void *place)
{
    static long s_calls;
    const char *first = getenv("TEST_FIRST"), *last = getenv("TEST_LAST");
    if (!first || !last || is_own(place) || (error != ENOMEM && getenv("TEST_MEMORY")))
        return 0;
    long call = __atomic_add_fetch(&s_calls, 1, __ATOMIC_RELAXED);
    note_place(call, place);
    errno = error;
    return call >= atol(first) && call <= atol(last);
}

#define FAILS(error) fails(error, __builtin_return_address(0))
#define EXPORT __attribute__((visibility("default")))

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int file, off_t at)
{
    return FAILS(ENOMEM) ? (void *)-1
                         : (void *)syscall(SYS_mmap, address, length, protection, flags, file, at); // NOLINT
}

EXPORT int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    int is_of_gcov = TEST_UNDER_GCOV && strstr(path, ".gcda");
    return !is_of_gcov && FAILS(EMFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

EXPORT ssize_t read(int file, void *bytes, size_t size)
{
    return FAILS(EIO) ? -1 : syscall(SYS_read, file, bytes, size);
}

/* What is said is seen. */
static int is_stderr(int file)
{
    struct stat one, other;
    return syscall(SYS_fstat, file, &one) == 0 && syscall(SYS_fstat, STDERR_FILENO, &other) == 0 &&
           one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

EXPORT ssize_t write(int file, const void *bytes, size_t size)
{
    return !is_stderr(file) && FAILS(ENOSPC) ? -1 : syscall(SYS_write, file, bytes, size);
}

EXPORT ssize_t pwrite(int file, const void *bytes, size_t size, off_t at)
{
    return FAILS(ENOSPC) ? -1 : syscall(SYS_pwrite64, file, bytes, size, at);
}

EXPORT int ftruncate(int file, off_t size)
{
    return FAILS(ENOSPC) ? -1 : (int)syscall(SYS_ftruncate, file, size);
}

EXPORT int fstat(int file, struct stat *status)
{
    return !is_stderr(file) && FAILS(EIO) ? -1 : (int)syscall(SYS_fstat, file, status);
}

EXPORT int mkdir(const char *path, mode_t mode)
{
    return FAILS(EACCES) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

EXPORT int rename(const char *from, const char *to)
{
    return FAILS(EACCES) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

EXPORT int socket(int domain, int type, int protocol)
{
    return FAILS(EMFILE) ? -1 : (int)syscall(SYS_socket, domain, type, protocol);
}

typedef int create_fn(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);

EXPORT create_fn pthread_create;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    create_fn *real;
    memcpy(&real, &found, sizeof real);
    return FAILS(EAGAIN) ? EAGAIN : real(thread, attributes, body, argument);
}

/* ------------------------------------------------------------------------------------------------------------- mode */

enum { COUNT = 50 };

static void *work_there(void *argument)
{
    scopes("work", COUNT);
    return argument;
}

/* Some threads begin only when the process is no longer young: in each run, their calls come before the program's. */
MODE(works)
{
    usleep(40000);
    scopes("work", COUNT);
    on_thread(work_there, NULL);
    printf("done\n");
    return 42;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static const char *number(long value)
{
    static char texts[2][24];
    static int next;
    char *text = texts[next++ % 2];
    (void)snprintf(text, sizeof texts[0], "%ld", value);
    return text;
}

static struct result run_failing(long first, long last, const char *more)
{
    return run("works", more, setting("TEST_FIRST", number(first)), setting("TEST_LAST", number(last)),
               setting("TEST_PLACES", first < 0 ? scratch("places") : ""), setting("STINT_TRACE", scratch("run.stint")),
               setting("STINT_CONTROL", scratch("")), "STINT_SAMPLE=on", "STINT_CPU=on", "STINT_CHECKPOINT=60", NULL);
}

/* Returns how many activations of "work" the recording has, by its events. */
static long recorded(void)
{
    char command[2048];
    long count = -1;
    (void)snprintf(command, sizeof command,
                   STINT " stats --filter-time 0/1000s --format csv %s 2>/dev/null | sed -n "
                         "'s/^GlobalStatInfo,work,\\([0-9]*\\).*/\\1/p'",
                   scratch("run.stint"));
    FILE *pipe = popen(command, "r"); // NOLINT(bugprone-command-processor)
    if (pipe && fscanf(pipe, "%ld", &count) != 1)
        count = -1;
    if (pipe)
        (void)pclose(pipe);
    return count;
}

/* Whether all activations are in the report, or dropped there, and its own are in the recording. */
static int is_complete(const struct result *result)
{
    if (!result->report || !has_stat(result->report, "work"))
        return 0;
    const long counted = (long)stat_number(result->report, "work", "count");
    return counted + (long)dropped(result->report, "memory") == 2 * COUNT && recorded() == counted;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

static void remove_all(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void check(long first, long last, const char *more)
{
    struct result result = run_failing(first, last, more);
    if (!WIFEXITED(result.status) || WEXITSTATUS(result.status) != 42 || strcmp(result.out, "done\n") != 0)
        fail_msg("call %ld to %ld: status %#x, out '%s', said '%.1000s'", first, last, (unsigned)result.status,
                 result.out, result.err);
    if (result.report && !is_json(result.report))
        fail_msg("call %ld to %ld: broken report", first, last);
    if (!result.err[0] && !is_complete(&result))
        fail_msg("call %ld to %ld: incomplete, and nothing said; %ld are recorded, and the report is %.1000s", first,
                 last, recorded(), result.report ? result.report : "missing");
    (void)for_each_scratch("", remove_all);
}

/* Returns a line for each call that is to fail, with its number. */
static const char *calls_of(const char *more)
{
    struct result usual = run_failing(-1, -1, more);
    assert_exit(&usual, 42);
    assert_string_equal(usual.err, "");
    assert_true(is_complete(&usual));
    const char *calls = read_file(scratch("places"));
    assert_true(occurrences(calls, "\n") > 20);
    return calls;
}

TEST(what_fails_is_survived_and_said)
{
    for (const char *at = calls_of("TEST_X="); *at; at = strchr(at, '\n') + 1) {
        check(atol(at), atol(at), "TEST_X=");
        check(atol(at), MOST * MOST, "TEST_X=");
    }
}

TEST(lack_of_memory_is_survived_and_said)
{
    for (const char *at = calls_of("TEST_MEMORY=1"); *at; at = strchr(at, '\n') + 1) {
        check(atol(at), atol(at), "TEST_MEMORY=1");
        check(atol(at), MOST * MOST, "TEST_MEMORY=1");
    }
}
