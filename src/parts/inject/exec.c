/* Wrappers of the exec family, which end a process without running its exit handlers: the report is written before the
 * call that may succeed. */
#include "inject/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/process.h"
#include "model/sampler.h"
#include "stint/detail/api.h"

/* The functions of these names in libc, or in another preloaded library. They are looked up when this library is
 * loaded, because in a child of fork, where most programs call them, the dynamic linker must not be used. libc's own
 * functions that run programs (posix_spawn, system) do not call these functions by name, and do not replace a process
 * that has recorded. */
static struct {
    void (*report)(void);
    int (*execve)(const char *path, char *const arguments[], char *const environment[]);
    int (*execvpe)(const char *file, char *const arguments[], char *const environment[]);
    int (*fexecve)(int file, char *const arguments[], char *const environment[]);
    int (*execveat)(int folder, const char *path, char *const arguments[], char *const environment[], int flags);
} s_exec;

static void find(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static void find_all(void)
{
    find(&s_exec.execve, "execve");
    find(&s_exec.execvpe, "execvpe");
    find(&s_exec.fexecve, "fexecve");
    find(&s_exec.execveat, "execveat");
}

/* ---------------------------------------------------------------------------------------------------------- samples */

/* If this process alone is sampled, what it starts is told not to be, and does not load the library. A program that
 * takes this one's place is told what this one was. */
static struct {
    pid_t process;          /* 0: this is not so */
    char preload[PATH_MAX]; /* the library, and a colon */
} s_sampled;

static const char s_sample[] = "STINT_SAMPLE", s_preload[] = "LD_PRELOAD", s_off[] = "off";

static void sample_alone(void)
{
    char *how = getenv(s_sample), *preloaded = getenv(s_preload);
    size_t length = preloaded ? strcspn(preloaded, ":") + 1 : 0;
    if (!how || strcmp(how, STINT_SAMPLER_ALONE) != 0)
        return;
    memcpy(how, s_off, sizeof s_off);
    if (length < 2 || !preloaded[length - 1] || length >= sizeof s_sampled.preload ||
        !memmem(preloaded, length, "/libstint_sample.so:", sizeof "/libstint_sample.so:" - 1))
        return;
    memcpy(s_sampled.preload, preloaded, length);
    memmove(preloaded, preloaded + length, strlen(preloaded + length) + 1);
    s_sampled.process = getpid();
}

/* Whether a variable is this one; `value` is what it is then. */
static int is_named(const char *variable, const char *name, const char **value)
{
    size_t length = strlen(name);
    *value = variable + length + 1;
    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

/* An environment for a program that takes this one's place. */
struct successor {
    char *const *environment;
    char **copy; /* NULL: it is the one that was given */
    size_t size;
};

/* Writes what the variable becomes, and returns how long that is; 0: it stays. */
static int change_variable(char *to, size_t size, const char *variable)
{
    const char *value;
    if (is_named(variable, s_sample, &value) && strcmp(value, s_off) == 0)
        return snprintf(to, size, "%s=" STINT_SAMPLER_ALONE, s_sample);
    if (is_named(variable, s_preload, &value))
        return snprintf(to, size, "%s=%s%s", s_preload, s_sampled.preload, value);
    return 0;
}

/* A child of vfork is another process, and may not leave memory behind. */
static struct successor begin_successor(char *const given[])
{
    struct successor next = {.environment = given};
    size_t count = 0, size = 0;
    if (!s_sampled.process || !given || getpid() != s_sampled.process)
        return next;
    for (; given[count]; count++)
        size += (size_t)change_variable(NULL, 0, given[count]) + 1;
    next.size = (count + 1) * sizeof *given + size;
    void *memory = mmap(NULL, next.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return next;
    next.environment = next.copy = memory;
    char *text = (char *)(next.copy + count + 1);
    for (size_t i = 0; i < count; i++) {
        int length = change_variable(text, size, given[i]);
        next.copy[i] = length ? text : given[i];
        text += length + 1;
        size -= (size_t)length + 1;
    }
    return next;
}

/* The program has not been replaced. */
static int drop_successor(const struct successor *next, int result)
{
    int error = errno;
    if (next->copy)
        (void)munmap(next->copy, next->size);
    errno = error;
    return result;
}

void stint_exec_start(void (*report)(void))
{
    find_all();
    s_exec.report = report;
    sample_alone();
}

/* Another library's constructor may call these functions before this library's constructor has run. */
static void be_ready(void)
{
    if (STINT_I_UNLIKELY(!s_exec.execve))
        find_all();
}

/* ----------------------------------------------------------------------------------------------------------- report */

static void report(void)
{
    if (s_exec.report)
        s_exec.report();
}

/* Programs try one path after another, so the report is written only for a file that exists. */
static void report_for(const char *path)
{
    if (path && !access(path, X_OK))
        report();
}

/* As report_for, for a file that is searched for in PATH. */
static void report_for_file(const char *file)
{
    const char *at = stint_env_text("PATH");
    char path[PATH_MAX];
    if (!file || !at || strchr(file, '/')) {
        report_for(file);
        return;
    }
    for (int length;; at += length + 1) {
        length = (int)strcspn(at, ":");
        if (snprintf(path, sizeof path, "%.*s%s%s", length, at, length ? "/" : "", file) < (int)sizeof path &&
            !access(path, X_OK)) {
            report();
            return;
        }
        if (!at[length])
            return;
    }
}

static void report_at(int folder, const char *path)
{
    if (path && (!*path || !faccessat(folder, path, X_OK, 0))) /* an empty path stands for the file that `folder` is */
        report();
}

/* ----------------------------------------------------------------------------------------------------- of arguments */

STINT_API int execve(const char *path, char *const arguments[], char *const environment[])
{
    be_ready();
    report_for(path);
    struct successor next = begin_successor(environment);
    return drop_successor(&next, s_exec.execve(path, arguments, next.environment));
}

STINT_API int execv(const char *path, char *const arguments[])
{
    return execve(path, arguments, environ);
}

STINT_API int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    be_ready();
    report_for_file(file);
    struct successor next = begin_successor(environment);
    return drop_successor(&next, s_exec.execvpe(file, arguments, next.environment));
}

STINT_API int execvp(const char *file, char *const arguments[])
{
    return execvpe(file, arguments, environ);
}

STINT_API int fexecve(int file, char *const arguments[], char *const environment[])
{
    be_ready();
    report();
    struct successor next = begin_successor(environment);
    return drop_successor(&next, s_exec.fexecve(file, arguments, next.environment));
}

STINT_API int execveat(int folder, const char *path, char *const arguments[], char *const environment[], int flags)
{
    be_ready();
    report_at(folder, path);
    struct successor next = begin_successor(environment);
    return drop_successor(&next, s_exec.execveat(folder, path, arguments, next.environment, flags));
}

/* ---------------------------------------------------------------------------------------------- arguments as a list */

/* Returns the number of arguments, without the final NULL. */
static size_t count(const char *first, va_list *rest)
{
    size_t number = 0;
    for (; first; first = va_arg(*rest, const char *))
        number++;
    return number;
}

/* Also copies the final NULL. */
static void copy(char **to, const char *first, va_list *rest)
{
    for (; first; first = va_arg(*rest, const char *))
        *to++ = (char *)first;
    *to = NULL;
}

/* On the stack, like libc's, because a child of vfork must not leave allocated memory behind. */
#define ARGUMENTS(arguments, first)                                                                                    \
    va_list list;                                                                                                      \
    va_start(list, first);                                                                                             \
    char *arguments[count(first, &list) + 1];                                                                          \
    va_end(list);                                                                                                      \
    va_start(list, first);                                                                                             \
    copy(arguments, first, &list)

STINT_API int execl(const char *path, const char *first, ...)
{
    ARGUMENTS(arguments, first);
    va_end(list);
    return execv(path, arguments);
}

STINT_API int execlp(const char *file, const char *first, ...)
{
    ARGUMENTS(arguments, first);
    va_end(list);
    return execvp(file, arguments);
}

STINT_API int execle(const char *path, const char *first, ...)
{
    ARGUMENTS(arguments, first);
    char *const *environment = va_arg(list, char *const *);
    va_end(list);
    return execve(path, arguments, environment);
}
