/* The program stint, in which memory runs out in each place where it can:
 *
 *     test_cli_out_of_memory COMMAND ARGUMENT... [-- COMMAND ARGUMENT...]...
 *
 * runs `stint COMMAND ARGUMENT...` as it is, and then twice for each call of a function that gives memory, unless the
 * same callers called one before: this call fails; this one and all after it do. Whatever fails, the program ends by
 * itself, and unless its exit code, what it prints and what is in the file after -o are as usual, it says something. */
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"

enum { CALLERS = 6, WRAPPERS = 2, SLOTS = 1 << 16, SECONDS = 60 };

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

static long s_fails_at;
static int s_fails_after, s_tells;
static const char *s_file; /* which the command writes */

int __real_main(int count, char **arguments);
int __wrap_main(int count, char **arguments);

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static void note_place(long call)
{
    void *callers[WRAPPERS + CALLERS];
    int depth = backtrace(callers, WRAPPERS + CALLERS);
    uint64_t hash = 1;
    for (int i = WRAPPERS; i < depth; i++)
        hash = mix(hash, (uintptr_t)callers[i]);
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

__attribute__((noinline)) static int fails(void)
{
    if (!s_shared)
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
        return fails() ? failed : __real_##name arguments;                                                             \
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

/* ---------------------------------------------------------------------------------------------------------- running */

static uint64_t hash_of(int file)
{
    unsigned char bytes[4096];
    uint64_t hash = 1;
    ssize_t length;
    for (off_t at = 0; (length = pread(file, bytes, sizeof bytes, at)) > 0; at += length)
        for (ssize_t i = 0; i < length; i++)
            hash = mix(hash, bytes[i]);
    return hash;
}

/* Databases may have the same in other rows: without memory, equal texts are not always found again. */
static uint64_t hash_of_file(void)
{
    size_t length = s_file ? strlen(s_file) : 0;
    if (length > 7 && strcmp(s_file + length - 7, ".sqlite") == 0)
        return access(s_file, R_OK) == 0;
    FILE *file = s_file ? fopen(s_file, "r") : NULL;
    if (!file)
        return 0;
    uint64_t hash = hash_of(fileno(file));
    (void)fclose(file);
    return hash;
}

static void run_child(int count, char **arguments, const struct run *run)
{
    (void)alarm(SECONDS);
    dup2(run->out, STDOUT_FILENO);
    dup2(run->err, STDERR_FILENO);
    exit(__real_main(count, arguments));
}

static struct run run(int count, char **arguments)
{
    struct run run = {-1, memfd_create("out", 0), memfd_create("err", 0), 0};
    if (s_file)
        (void)unlink(s_file);
    s_shared->calls = 0;
    pid_t child = fork();
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

/* Returns what is wrong with a run in which memory ran out, or NULL. */
static const char *wrong(const struct run *run, const struct run *usual)
{
    if (!WIFEXITED(run->status))
        return WIFSIGNALED(run->status) && WTERMSIG(run->status) == SIGALRM ? "does not end" : "ends by a signal";
    if (run->status == usual->status) {
        if (hash_of(run->out) == hash_of(usual->out) && run->file == usual->file)
            return NULL;
        return lseek(run->err, 0, SEEK_END) > 0 ? NULL : "other output, and nothing said";
    }
    return lseek(run->err, 0, SEEK_END) > 0 ? NULL : "fails, and says nothing";
}

static void tell(const char *what, int count, char **arguments)
{
    printf("call %ld%s: %s\n", s_fails_at, s_fails_after ? " and later" : "", what);
    (void)fflush(stdout);
    s_tells = dup(STDOUT_FILENO);
    struct run again = run(count, arguments);
    char said[400];
    ssize_t length = pread(again.err, said, sizeof said, 0);
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
    for (int i = 1; i + 1 < count; i++)
        if (strcmp(arguments[i], "-o") == 0)
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
        printf("ends with %#x where memory does not run out\n", (unsigned)usual.status);
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
    if (s_shared == MAP_FAILED || count < 2)
        return 2;
    for (int first = 0, end; first + 1 < count; first = end) {
        for (end = first + 1; end < count && strcmp(arguments[end], "--") != 0; end++)
            ;
        arguments[first] = arguments[0];
        char *next = arguments[end];
        arguments[end] = NULL;
        wrong_runs += run_command(end - first, arguments + first);
        arguments[end] = next;
    }
    return wrong_runs != 0;
}
