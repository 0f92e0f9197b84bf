/* Wrappers of the exec family, which end a process without running its exit handlers: the report is written before the
 * call that may succeed. */
#include "inject/inject.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "stint/detail/api.h"

/* The functions of these names in libc, or in another preloaded library. They are looked up when this library is
 * loaded, because in a child of fork, where most programs call them, the dynamic linker must not be used. libc's own
 * functions that run programs (posix_spawn, system) do not call these functions by name, and do not replace a process
 * that has recorded. */
static struct {
    void (*report)(void);
    int (*execve)(const char *path, char *const arguments[], char *const environment[]);
    int (*execv)(const char *path, char *const arguments[]);
    int (*execvp)(const char *file, char *const arguments[]);
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
    find(&s_exec.execv, "execv");
    find(&s_exec.execvp, "execvp");
    find(&s_exec.execvpe, "execvpe");
    find(&s_exec.fexecve, "fexecve");
    find(&s_exec.execveat, "execveat");
}

void stint_exec_start(void (*report)(void))
{
    find_all();
    s_exec.report = report;
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
    return s_exec.execve(path, arguments, environment);
}

STINT_API int execv(const char *path, char *const arguments[])
{
    be_ready();
    report_for(path);
    return s_exec.execv(path, arguments);
}

STINT_API int execvp(const char *file, char *const arguments[])
{
    be_ready();
    report_for_file(file);
    return s_exec.execvp(file, arguments);
}

STINT_API int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    be_ready();
    report_for_file(file);
    return s_exec.execvpe(file, arguments, environment);
}

STINT_API int fexecve(int file, char *const arguments[], char *const environment[])
{
    be_ready();
    report();
    return s_exec.fexecve(file, arguments, environment);
}

STINT_API int execveat(int folder, const char *path, char *const arguments[], char *const environment[], int flags)
{
    be_ready();
    report_at(folder, path);
    return s_exec.execveat(folder, path, arguments, environment, flags);
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
