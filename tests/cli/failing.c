/* The program stint, in which each call fails that can:
 *
 *     test_cli_failing memory|system COMMAND ARGUMENT... [-- COMMAND ARGUMENT...]...
 *
 * runs `stint COMMAND ARGUMENT...` as it is, and then twice for each call of a function that gives memory, or of one of
 * the system, unless the same callers called one before, not counting those in libraries: this call fails; this one and
 * all after it do. Whatever fails, the program ends by itself, and unless its exit code, what it prints and what is in
 * the file after -o or --log-file (but for times) are as usual, it says something. */
#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

enum kind { MEMORY, SYSTEM };
enum { CALLERS = 6, WRAPPERS = 2, DEEPEST = 40, SLOTS = 1 << 16, SECONDS = 60 };

struct run {
    int status;
    int out, err;  /* files in memory */
    uint64_t file; /* what is in it; 0 without one */
};

/* Shared with the child that runs. */
static struct shared {
    long calls;
    long places;
    long place[SLOTS / 2];
    uint64_t seen[SLOTS];
} * s_shared;

static enum kind s_kind; /* of calls that fail */
static long s_fails_at;
static int s_fails_after, s_tells;
static const char *s_file; /* which the command writes */
static int s_is_run;       /* what it writes has times */

int __real_main(int count, char **arguments);
int __wrap_main(int count, char **arguments);

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static void note_place(long call)
{
    extern const char __executable_start[], etext[];
    void *callers[DEEPEST];
    int depth = backtrace(callers, DEEPEST), own = 0;
    uint64_t hash = 1;
    for (int i = WRAPPERS; i < depth && own < CALLERS; i++)
        if ((const char *)callers[i] >= __executable_start && (const char *)callers[i] < etext) {
            hash = mix(hash, (uintptr_t)callers[i]);
            own++;
        }
    for (uint64_t at = hash;; at++) {
        uint64_t *slot = &s_shared->seen[at % SLOTS];
        if (*slot == hash)
            return;
        if (!*slot && s_shared->places < SLOTS / 2) {
            *slot = hash;
            s_shared->place[s_shared->places++] = call;
            return;
        }
    }
}

__attribute__((noinline)) static int fails(enum kind kind)
{
    if (!s_shared || kind != s_kind)
        return 0;
    long call = s_shared->calls++;
    if (s_fails_at < 0)
        note_place(call);
    if (call == s_fails_at && s_tells) {
        void *callers[WRAPPERS + 4 * CALLERS];
        backtrace_symbols_fd(callers + 1, backtrace(callers, WRAPPERS + 4 * CALLERS) - 1, s_tells);
    }
    return s_fails_at >= 0 && (call == s_fails_at || (s_fails_after && call > s_fails_at));
}

/* ---------------------------------------------------------------------------------------------- what gives memory */

/* As an arena does that gets none from the system. */
static void *no_chunk(void)
{
    stint_memory_lacked = 1;
    return NULL;
}

#define GIVES(type, name, parameters, arguments, failed)                                                               \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        return fails(MEMORY) ? failed : __real_##name arguments;                                                       \
    }

GIVES(void *, malloc, (size_t size), (size), NULL)
GIVES(void *, calloc, (size_t count, size_t size), (count, size), NULL)
GIVES(void *, realloc, (void *memory, size_t size), (memory, size), NULL)
GIVES(char *, strdup, (const char *text), (text), NULL)
GIVES(char *, strndup, (const char *text, size_t most), (text, most), NULL)
GIVES(FILE *, open_memstream, (char **text, size_t *length), (text, length), NULL)
GIVES(void *, mmap, (void *at, size_t length, int protection, int flags, int file, off_t offset),
      (at, length, protection, flags, file, offset), MAP_FAILED)
GIVES(void *, stint_arena_alloc, (struct stint_arena * arena, size_t size), (arena, size), no_chunk())
GIVES(void *, stint_arena_pack, (struct stint_arena * arena, size_t size), (arena, size), no_chunk())
GIVES(char *, stint_arena_copy, (struct stint_arena * arena, const char *bytes, size_t length), (arena, bytes, length),
      no_chunk())

/* SQLite asks for memory by these functions. */
static struct sqlite3_mem_methods s_usual;

static void *sqlite_malloc(int size)
{
    return fails(MEMORY) ? NULL : s_usual.xMalloc(size);
}

static void *sqlite_realloc(void *memory, int size)
{
    return fails(MEMORY) ? NULL : s_usual.xRealloc(memory, size);
}

static void begin_sqlite(void)
{
    struct sqlite3_mem_methods failing;
    (void)sqlite3_config(SQLITE_CONFIG_GETMALLOC, &s_usual);
    failing = s_usual;
    failing.xMalloc = sqlite_malloc;
    failing.xRealloc = sqlite_realloc;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) != SQLITE_OK)
        exit(2);
}

/* --------------------------------------------------------------------------------------------- what the system does */

/* Callers of those that return an error do not look at errno. */
#define DOES(type, name, parameters, arguments, failed, error)                                                         \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        if (!fails(SYSTEM))                                                                                            \
            return __real_##name arguments;                                                                            \
        errno = error;                                                                                                 \
        return failed;                                                                                                 \
    }

DOES(ssize_t, read, (int file, void *bytes, size_t size), (file, bytes, size), -1, EIO)
DOES(ssize_t, pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at), -1, EIO)
DOES(ssize_t, getline, (char **line, size_t *size, FILE *file), (line, size, file), -1, EIO)
DOES(int, fstat, (int file, struct stat *status), (file, status), -1, EIO)
DOES(int, stat, (const char *path, struct stat *status), (path, status), -1, EIO)
DOES(int, ftruncate, (int file, off_t size), (file, size), -1, ENOSPC)
DOES(int, rename, (const char *from, const char *to), (from, to), -1, EACCES)
DOES(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, EACCES)
DOES(char *, mkdtemp, (char *path), (path), NULL, EACCES)
DOES(char *, realpath, (const char *path, char *out), (path, out), NULL, EACCES)
DOES(DIR *, opendir, (const char *path), (path), NULL, EMFILE)
DOES(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
DOES(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL, EMFILE)
DOES(off_t, lseek, (int file, off_t at, int from), (file, at, from), -1, ESPIPE)
DOES(int, fsync, (int file), (file), -1, EIO)
DOES(int, mkostemp, (char *path, int flags), (path, flags), -1, EACCES)
DOES(ssize_t, readlink, (const char *path, char *out, size_t size), (path, out, size), -1, EACCES)
DOES(char *, getcwd, (char *path, size_t size), (path, size), NULL, ENOENT)
DOES(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, EMFILE)
DOES(int, connect, (int file, const struct sockaddr *to, socklen_t size), (file, to, size), -1, EACCES)
DOES(ssize_t, send, (int file, const void *bytes, size_t size, int flags), (file, bytes, size, flags), -1, EPIPE)
DOES(ssize_t, recv, (int file, void *bytes, size_t size, int flags), (file, bytes, size, flags), -1, EIO)
DOES(ssize_t, getrandom, (void *bytes, size_t size, unsigned flags), (bytes, size, flags), -1, ENOSYS)
DOES(int, fchmod, (int file, mode_t mode), (file, mode), -1, EPERM)
DOES(int, unlink, (const char *path), (path), -1, EACCES)
DOES(int, pipe, (int ends[2]), (ends), -1, EMFILE)
DOES(int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)
DOES(pid_t, fork, (void), (), -1, EAGAIN)
DOES(int, pthread_create, (pthread_t * thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
     (thread, attributes, body, argument), EAGAIN, EAGAIN)

ssize_t __real_write(int file, const void *bytes, size_t size);
ssize_t __wrap_write(int file, const void *bytes, size_t size);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __real_fclose(FILE *file);
int __wrap_fclose(FILE *file);

/* The last of what was written may not arrive. */
int __wrap_fclose(FILE *file)
{
    int failed = fails(SYSTEM), result = __real_fclose(file);
    errno = failed ? ENOSPC : errno;
    return failed ? EOF : result;
}

/* What is said is seen. */
ssize_t __wrap_write(int file, const void *bytes, size_t size)
{
    errno = ENOSPC;
    return file != STDERR_FILENO && fails(SYSTEM) ? -1 : __real_write(file, bytes, size);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    errno = EMFILE;
    return fails(SYSTEM) ? -1 : __real_open(path, flags, mode);
}

/* ---------------------------------------------------------------------------------------------------------- running */

static uint64_t hash_of(int file)
{
    unsigned char bytes[4096];
    uint64_t hash = 1;
    ssize_t length;
    for (off_t at = 0; (length = __real_pread(file, bytes, sizeof bytes, at)) > 0; at += length)
        for (ssize_t i = 0; i < length; i++)
            if (!s_is_run || !strchr("0123456789.", bytes[i]))
                hash = mix(hash, bytes[i]);
    return hash;
}

/* Databases may have the same in other rows: without memory, equal texts are not always found again. */
static uint64_t hash_of_file(void)
{
    size_t length = s_file ? strlen(s_file) : 0;
    if (length > 7 && strcmp(s_file + length - 7, ".sqlite") == 0)
        return access(s_file, R_OK) == 0;
    FILE *file = s_file ? __real_fopen(s_file, "r") : NULL;
    if (!file)
        return 0;
    uint64_t hash = hash_of(fileno(file));
    (void)__real_fclose(file);
    return hash;
}

/* Nothing fails where gcov writes counts. */
static void end_of_failing(void)
{
    s_shared = NULL;
}

#if TEST_UNDER_GCOV
void __real___gcov_dump(void);
void __wrap___gcov_dump(void);

void __wrap___gcov_dump(void)
{
    end_of_failing();
    __real___gcov_dump();
}
#endif

static void run_child(int count, char **arguments, const struct run *run)
{
    (void)atexit(end_of_failing);
    (void)alarm(SECONDS);
    dup2(run->out, STDOUT_FILENO);
    dup2(run->err, STDERR_FILENO);
    exit(__real_main(count, arguments));
}

static struct run run(int count, char **arguments)
{
    struct run run = {-1, memfd_create("out", 0), memfd_create("err", 0), 0};
    if (s_file)
        (void)__real_unlink(s_file);
    s_shared->calls = 0;
    pid_t child = __real_fork();
    if (!child)
        run_child(count, arguments, &run);
    if (run.out < 0 || run.err < 0 || child < 0 || waitpid(child, &run.status, 0) != child) {
        perror("no child");
        exit(2);
    }
    run.file = hash_of_file();
    return run;
}

static void close_run(const struct run *run)
{
    (void)close(run->out);
    (void)close(run->err);
}

/* Returns what is wrong with a run in which something failed, or NULL. */
static const char *wrong(const struct run *run, const struct run *usual)
{
    if (!WIFEXITED(run->status))
        return WIFSIGNALED(run->status) && WTERMSIG(run->status) == SIGALRM ? "does not end" : "ends by a signal";
    if (hash_of(run->err) != hash_of(usual->err))
        return NULL;
    if (run->status != usual->status)
        return "fails, and says nothing";
    return hash_of(run->out) == hash_of(usual->out) && run->file == usual->file ? NULL
                                                                                : "other output, and nothing said";
}

static void tell(const char *what, int count, char **arguments)
{
    printf("call %ld%s: %s\n", s_fails_at, s_fails_after ? " and later" : "", what);
    (void)fflush(stdout);
    s_tells = dup(STDOUT_FILENO);
    struct run again = run(count, arguments);
    char said[400];
    ssize_t length = __real_pread(again.err, said, sizeof said, 0);
    printf("status %#x, said: %.*s\n", (unsigned)again.status, length > 0 ? (int)length : 0, said);
    close_run(&again);
    (void)close(s_tells);
    s_tells = 0;
}

/* Returns how many runs were wrong. Places that an earlier command came to are not new. */
static int run_command(int count, char **arguments)
{
    int wrong_runs = 0;
    s_file = NULL;
    s_is_run = strcmp(arguments[1], "run") == 0 || strcmp(arguments[1], "nvprof") == 0;
    for (int i = 1; i + 1 < count; i++)
        if (strcmp(arguments[i], "-o") == 0 || strcmp(arguments[i], "--log-file") == 0)
            s_file = arguments[i + 1];
    s_shared->places = 0;
    s_fails_at = -1;
    struct run usual = run(count, arguments);
    long calls = s_shared->calls;
    for (long i = 0; i < s_shared->places; i++)
        for (s_fails_after = 0; s_fails_after < 2; s_fails_after++) {
            s_fails_at = s_shared->place[i];
            struct run without = run(count, arguments);
            const char *what = wrong(&without, &usual);
            close_run(&without);
            wrong_runs += what != NULL;
            if (what)
                tell(what, count, arguments);
        }
    if (usual.status) {
        printf("ends with %#x where nothing fails\n", (unsigned)usual.status);
        wrong_runs++;
    }
    printf("%s: %ld calls, %ld new places, %d wrong\n", arguments[1], calls, s_shared->places, wrong_runs);
    (void)fflush(stdout);
    close_run(&usual);
    return wrong_runs;
}

int __wrap_main(int count, char **arguments)
{
    int wrong_runs = 0;
    s_shared = __real_mmap(NULL, sizeof *s_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s_shared == MAP_FAILED || count < 3)
        return 2;
    s_kind = strcmp(arguments[1], "system") == 0 ? SYSTEM : MEMORY;
    begin_sqlite();
    arguments[1] = arguments[0];
    for (int first = 1, end; first + 1 < count; first = end) {
        for (end = first + 1; end < count && strcmp(arguments[end], "--") != 0; end++)
            ;
        arguments[first] = arguments[0];
        char *next = arguments[end];
        arguments[end] = NULL;
        wrong_runs += run_command(end - first, arguments + first);
        arguments[end] = next;
    }
    end_of_failing();
    return wrong_runs != 0;
}
