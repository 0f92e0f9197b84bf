/* Expands patterns in the names of output files, in two steps: most of it early, when the environment may be read, and
 * the process id late, since a fork changes it. */
#include "base/whole_file.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/process.h"

struct path {
    char *out;
    size_t size;
    size_t used;
    int failed;
};

static void append(struct path *path, const char *text, size_t length)
{
    if (length >= path->size - path->used) {
        path->failed = 1;
        return;
    }
    memcpy(path->out + path->used, text, length);
    path->used += length;
    path->out[path->used] = '\0';
}

/* Adds text whose percent signs are literal. */
static void add_literally(struct path *path, const char *text)
{
    for (; *text; text++)
        append(path, *text == '%' ? "%%" : text, *text == '%' ? 2 : 1);
}

/* Adds the variable of "q{NAME}" at `at`; returns the pattern's last character. */
static const char *add_variable(struct path *path, const char *at)
{
    const char *end = at[1] == '{' ? strchr(at, '}') : NULL;
    char name[128];
    size_t length = end ? (size_t)(end - at) - 2 : 0;
    if (!end || !length || length >= sizeof name) {
        path->failed = 1;
        return at;
    }
    memcpy(name, at + 2, length);
    name[length] = '\0';
    add_literally(path, stint_env_text(name) ? stint_env_text(name) : "");
    return end;
}

/* Adds the pattern that begins after the percent sign at `at`; returns its last character. */
static const char *prepare_pattern(struct path *path, const char *at)
{
    const char *rank;
    char host[256];
    switch (*at) {
    case 'p':
    case 'i':
    case '%':
        append(path, at - 1, 2);
        return at;
    case 'h':
        stint_process_host(host, sizeof host);
        add_literally(path, host);
        return at;
    case 'r':
        rank = stint_process_rank();
        add_literally(path, rank ? rank : "0");
        return at;
    case 'q':
        return add_variable(path, at);
    default:
        path->failed = 1;
        return at;
    }
}

enum stint_status stint_path_prepare(char *out, size_t size, const char *pattern)
{
    struct path path = {out, size, 0, 0};
    out[0] = '\0';
    for (const char *at = pattern; !path.failed && *at; at++)
        if (*at == '%')
            at = prepare_pattern(&path, at + 1);
        else
            append(&path, at, 1);
    return path.failed ? STINT_ERROR_INVALID_ARGUMENT : STINT_OK;
}

enum stint_status stint_path_prepare_here(char *out, size_t size, const char *pattern)
{
    char folder[PATH_MAX], absolute[PATH_MAX];
    int is_here = pattern[0] != '/' && getcwd(folder, sizeof folder) && !strchr(folder, '%');
    if (snprintf(absolute, sizeof absolute, "%s%s%s", is_here ? folder : "", is_here ? "/" : "", pattern) >=
        (int)sizeof absolute)
        return STINT_ERROR_INVALID_ARGUMENT;
    return stint_path_prepare(out, size, absolute);
}

int stint_path_has_pid(const char *prepared)
{
    for (const char *at = strchr(prepared, '%'); at && at[1]; at = strchr(at + 2, '%'))
        if (at[1] != '%')
            return at[1];
    return 0;
}

enum stint_status stint_path_finish(char *out, size_t size, const char *prepared)
{
    struct path path = {out, size, 0, 0};
    char pid[24], identity[48];
    (void)snprintf(pid, sizeof pid, "%lld", (long long)getpid());
    (void)snprintf(identity, sizeof identity, "%s.%llu", pid, (unsigned long long)stint_clock_start_unix_ns());
    out[0] = '\0';
    for (const char *at = prepared; *at; at++) {
        if (*at != '%')
            append(&path, at, 1);
        else if (*++at == 'p')
            append(&path, pid, strlen(pid));
        else if (*at == 'i')
            append(&path, identity, strlen(identity));
        else
            append(&path, "%", 1);
    }
    return path.failed ? STINT_ERROR_INVALID_ARGUMENT : STINT_OK;
}

int stint_path_put_mark(char *path, size_t size, const char *mark)
{
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *dot = strrchr(name, '.'), *at = dot && dot != name ? dot : path + strlen(path);
    size_t length = strlen(mark), rest = strlen(at) + 1;
    if ((size_t)(at - path) + 1 + length + rest > size)
        return -1;
    memmove(at + 1 + length, at, rest);
    at[0] = '.';
    memcpy(at + 1, mark, length);
    return 0;
}
