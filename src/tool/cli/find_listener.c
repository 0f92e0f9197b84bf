/* Finds where running processes listen, from outside: in the environment that they were started with, and in the
 * kernel's list of sockets. Says why one cannot be asked. */
#include "cli/find_listener.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"

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

/* A line is "Num RefCount Protocol Flags Type St Inode Path". Returns the path, up to its line feed, and its length;
 * NULL if there is none that is a file. */
static const char *path_in(const char *line, unsigned long *inode, size_t *length)
{
    int at = 0;
    if (sscanf(line, "%*s %*s %*s %*s %*s %*s %lu %n", inode, &at) != 1 || line[at] != '/')
        return NULL;
    *length = strcspn(line + at, "\n");
    return line + at;
}

/* Returns the process whose socket has that path, "FOLDER/4711.sock", and the length of the folder; 0 if it is none. */
static long long pid_in(const char *path, size_t length, size_t *folder)
{
    static const char ending[] = ".sock";
    const char *end = path + length - (sizeof ending - 1), *at = end;
    if (length < sizeof ending || strncmp(end, ending, sizeof ending - 1) != 0)
        return 0;
    while (at > path && at[-1] >= '0' && at[-1] <= '9')
        at--;
    if (at == end || end - at > 9 || *at == '0' || at == path || at[-1] != '/')
        return 0;
    *folder = (size_t)(at - 1 - path);
    return strtoll(at, NULL, 10);
}

/* Calls `tell` for each socket of a process in the list, until it returns 1. */
static void each_socket(const char *list, int (*tell)(void *context, long long pid, const char *folder), void *context)
{
    FILE *all = fopen(list, "re");
    char *line = NULL;
    size_t size = 0, length, folder;
    unsigned long inode;
    for (int over = 0; all && !over && getline(&line, &size, all) > 0;) {
        const char *path = path_in(line, &inode, &length);
        long long pid = path ? pid_in(path, length, &folder) : 0;
        char *name = pid && has_socket(pid, inode) ? strndup(path, folder) : NULL;
        over = name && tell(context, pid, name);
        free(name);
    }
    free(line);
    if (all)
        (void)fclose(all);
}

struct wanted {
    long long pid;
    char *folder;
};

static int keep_wanted(void *context, long long pid, const char *folder)
{
    struct wanted *wanted = context;
    if (pid != wanted->pid)
        return 0;
    wanted->folder = strdup(folder);
    return 1;
}

char *stint_socket_folder(long long pid)
{
    char list[64];
    struct wanted wanted = {pid, NULL};
    (void)snprintf(list, sizeof list, "/proc/%lld/net/unix", pid);
    each_socket(list, keep_wanted, &wanted);
    return wanted.folder;
}

struct listeners {
    void (*tell)(void *context, long long pid, const char *folder);
    void *context;
};

static int tell_one(void *context, long long pid, const char *folder)
{
    const struct listeners *listeners = context;
    listeners->tell(listeners->context, pid, folder);
    return 0;
}

void stint_each_listener(void (*tell)(void *context, long long pid, const char *folder), void *context)
{
    each_socket("/proc/net/unix", tell_one, &(struct listeners){tell, context});
}

/* ---------------------------------------------------------------------------------------------------- for a command */

int stint_read_pid(const char *text, long long *pid)
{
    char *end;
    errno = 0;
    *pid = strtoll(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && *pid > 0 && *pid <= INT_MAX)
        return 0;
    stint_cli_say("%.60s is not a process id", text);
    return -1;
}

static int say_no_process(long long pid, int error)
{
    if (error == ENOENT || error == ESRCH)
        stint_cli_say("there is no process %lld", pid);
    else if (error == EACCES || error == EPERM)
        stint_cli_say("process %lld belongs to somebody else, or runs with raised privileges", pid);
    else
        stint_cli_say("the environment of process %lld cannot be read: %s", pid, strerror(error));
    return -1;
}

int stint_find_listener(char *folder, size_t size, long long pid)
{
    char *path = stint_control_folder(pid);
    if (!path && errno)
        return say_no_process(pid, errno);
    if (!path)
        path = stint_socket_folder(pid);
    if (!path) {
        stint_cli_say("process %lld was not started by stint run, and STINT_CONTROL is not set for it", pid);
        return -1;
    }
    if (path[0] == '/')
        (void)snprintf(folder, size, "%s", path);
    else
        (void)snprintf(folder, size, "/proc/%lld/cwd/%s", pid, path);
    free(path);
    return 0;
}

int stint_find_listeners(int count, char **arguments, int *wants_all,
                         void (*tell)(void *context, long long pid, const char *folder), void *context)
{
    if (optind < count && *wants_all) {
        stint_cli_say("give processes or --all, not both");
        return STINT_CLI_USAGE;
    }
    *wants_all = optind == count;
    for (int i = optind; i < count; i++) {
        char folder[PATH_MAX + 64];
        long long pid;
        if (stint_read_pid(arguments[i], &pid))
            return STINT_CLI_USAGE;
        if (stint_find_listener(folder, sizeof folder, pid))
            return STINT_CLI_NO;
        tell(context, pid, folder);
    }
    return STINT_CLI_OK;
}
