#include "cli/control_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------------------ environment */

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

/* ----------------------------------------------------------------------------------------------------------- socket */

/* Whether the process has a descriptor of the socket: anybody can bind one by any name. */
static int has_socket(long long pid, unsigned long inode)
{
    char path[64], wanted[64], link[64];
    (void)snprintf(path, sizeof path, "/proc/%lld/fd", pid);
    (void)snprintf(wanted, sizeof wanted, "socket:[%lu]", inode);
    DIR *all = opendir(path);
    int found = 0;
    for (struct dirent *entry; all && !found && (entry = readdir(all));) {
        ssize_t length = readlinkat(dirfd(all), entry->d_name, link, sizeof link - 1);
        link[length > 0 ? length : 0] = '\0';
        found = strcmp(link, wanted) == 0;
    }
    if (all)
        (void)closedir(all);
    return found;
}

/* A line is "Num RefCount Protocol Flags Type St Inode Path". Returns the folder of a socket of that name, or NULL. */
static char *folder_of(const char *line, const char *name, long long pid)
{
    unsigned long inode;
    int at = 0;
    if (sscanf(line, "%*s %*s %*s %*s %*s %*s %lu %n", &inode, &at) != 1 || line[at] != '/')
        return NULL;
    size_t length = strcspn(line + at, "\n"), tail = strlen(name);
    if (length <= tail || strncmp(line + at + length - tail, name, tail) != 0 || !has_socket(pid, inode))
        return NULL;
    return strndup(line + at, length - tail);
}

char *stint_socket_folder(long long pid)
{
    char path[64], name[32], *line = NULL, *folder = NULL;
    size_t size = 0;
    (void)snprintf(path, sizeof path, "/proc/%lld/net/unix", pid);
    (void)snprintf(name, sizeof name, "/%lld.sock", pid);
    FILE *all = fopen(path, "re");
    while (all && !folder && getline(&line, &size, all) > 0)
        folder = folder_of(line, name, pid);
    free(line);
    if (all)
        (void)fclose(all);
    return folder;
}
