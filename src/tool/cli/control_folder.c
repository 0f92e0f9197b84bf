#include "cli/control_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the environment that the process was started with, each variable up to its NUL and one more at the end, for
 * free; or NULL, and errno. */
static char *read_environment(long long pid, size_t *length)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%lld/environ", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd >= 0 && fstat(fd, &status) == 0 && status.st_uid != geteuid()) {
        (void)close(fd);
        errno = EACCES;
        return NULL;
    }
    size_t size = 1 << 16;
    char *text = fd < 0 ? NULL : malloc(size);
    *length = 0;
    for (ssize_t got; text && (got = read(fd, text + *length, size - 1 - *length)) != 0;) {
        *length += got > 0 ? (size_t)got : 0;
        char *more = got < 0 ? NULL : *length + 1 < size ? text : realloc(text, size *= 2);
        if (!more)
            free(text);
        text = more;
    }
    if (text)
        text[*length] = '\0';
    int error = errno;
    if (fd >= 0)
        (void)close(fd);
    errno = error;
    return text;
}

char *stint_control_folder(long long pid)
{
    static const char variable[] = "STINT_CONTROL=";
    size_t length;
    char *all = read_environment(pid, &length);
    if (!all)
        return NULL;
    const char *at = all;
    while (at < all + length && strncmp(at, variable, sizeof variable - 1) != 0)
        at += strlen(at) + 1;
    errno = 0;
    char *path = at < all + length ? strdup(at + sizeof variable - 1) : NULL;
    free(all);
    return path;
}
