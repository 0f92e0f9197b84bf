/* Finds where running processes listen, from outside: in the environment that they were started with, and in the
 * kernel's list of sockets. Sends requests to their sockets, and reads the answers, with limits on time and size: a
 * process may be stopped, or may not be what it seems. Says why one cannot be asked. */
#include "cli/live.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "cli/command.h"
#include "import/import.h"

static time_t now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Reads the next part. Fails with ETIME or EFBIG if it seems to have no end. */
static ssize_t read_part(int fd, char *to, size_t size, size_t so_far, time_t end_s)
{
    if (now_s() <= end_s && so_far < STINT_ASK_MOST_BYTES)
        return read(fd, to, size);
    errno = so_far < STINT_ASK_MOST_BYTES ? ETIME : EFBIG;
    return -1;
}

/* Returns everything up to the end, NUL-terminated, for free; or NULL, and errno. */
static char *read_all(int fd, size_t *length)
{
    size_t size = 1 << 16;
    time_t end_s = now_s() + STINT_ASK_MOST_S;
    char *text = malloc(size);
    *length = 0;
    while (text) {
        ssize_t got = read_part(fd, text + *length, size - 1 - *length, *length, end_s);
        if (got == 0) {
            text[*length] = '\0';
            return text;
        }
        if (got < 0 && errno == EINTR)
            continue;
        *length += got > 0 ? (size_t)got : 0;
        char *more = got < 0 ? NULL : *length + 1 < size ? text : realloc(text, size *= 2);
        if (!more)
            free(text);
        text = more;
    }
    return NULL;
}

/* ------------------------------------------------------------------------------------------------------ environment */

/* Returns the environment that the process was started with, each variable up to its NUL and one more at the end. */
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
    char *text = fd < 0 ? NULL : read_all(fd, length);
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

/* Returns the process whose socket has that path, "FOLDER/4711.sock" or with the time of its start behind the number,
 * and the length of the folder; 0 if it is none. */
static long long pid_in(const char *path, size_t length, size_t *folder)
{
    static const char ending[] = ".sock", digits[] = "0123456789";
    const char *slash = memrchr(path, '/', length), *name = slash ? slash + 1 : path;
    size_t pid = strspn(name, digits), start = name[pid] == '.' ? strspn(name + pid + 1, digits) : 0;
    const char *end = name + pid + (start ? 1 + start : 0);
    *folder = slash ? (size_t)(slash - path) : 0;
    return pid && pid <= 9 && *name != '0' && path + length == end + sizeof ending - 1 &&
                   memcmp(end, ending, sizeof ending - 1) == 0
               ? strtoll(name, NULL, 10)
               : 0;
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
        stint_cli_say(
            "process %lld cannot be inspected: it belongs to another user, or has privileges that stint lacks", pid);
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
        stint_cli_say("cannot attach to process %lld: it was not started by stint run, nor with STINT_CONTROL set",
                      pid);
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

/* --------------------------------------------------------------------------------------------------------- requests */

/* Connects through the folder's descriptor, as its path may be too long for a socket. Returns the socket, or -1. */
static int connect_in(int folder, const char *name, int is_silent)
{
    static const struct timeval usual = {STINT_ASK_PATIENCE_S, 0}, little = {0, 100000};
    struct timeval patience = is_silent ? little : usual;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    (void)snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%.64s", folder, name);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) == 0)
        return fd;
    int error = errno;
    (void)close(fd);
    errno = error;
    return -1;
}

static int connect_at(const char *path, const char *name, int is_silent)
{
    int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    int fd = connect_in(folder, name, is_silent);
    int error = errno;
    (void)close(folder);
    errno = error;
    return fd;
}

int stint_socket_connect(const char *path, const char *name)
{
    return connect_at(path, name, 0);
}

static int is_of(int fd, long long pid)
{
    struct ucred listener;
    socklen_t size = sizeof listener;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &listener, &size) == 0 && listener.pid == pid;
}

/* Connects to the process among those in the folder that call themselves by this id, or by another: in a namespace of
 * its own a process has another id than here. Returns the socket; -1 and errno, as it was if nobody was tried. */
static int connect_among(const char *path, long long pid, int are_named, int is_silent)
{
    int found = -1, error = errno;
    DIR *all = opendir(path);
    if (!all)
        error = errno;
    for (struct dirent *entry; all && found < 0 && (entry = readdir(all));) {
        size_t folder = 0, length = strlen(entry->d_name);
        long long name = pid_in(entry->d_name, length, &folder);
        if (!name || (name == pid) != are_named)
            continue;
        found = connect_at(path, entry->d_name, is_silent);
        if (found < 0 && are_named)
            error = errno;
        if (found < 0 || is_of(found, pid))
            continue;
        (void)close(found);
        found = -1;
    }
    if (all)
        (void)closedir(all);
    errno = error;
    return found;
}

static int connect_to(const char *path, long long pid, int is_silent)
{
    errno = ENOENT;
    int fd = connect_among(path, pid, 1, is_silent);
    return fd < 0 ? connect_among(path, pid, 0, is_silent) : fd;
}

static int send_request(int fd, const char *request)
{
    char line[32];
    size_t length = (size_t)snprintf(line, sizeof line, "%s\n", request);
    return send(fd, line, length, MSG_NOSIGNAL) == (ssize_t)length ? 0 : -1;
}

static void explain(int error, char *reason, size_t size)
{
    if (error == ENOENT)
        (void)snprintf(reason, size, "is not listening: it has recorded nothing so far, or is about to end");
    else if (error == ECONNREFUSED || error == ECONNRESET || error == EPIPE)
        (void)snprintf(reason, size, "is no longer listening");
    else if (error == EAGAIN)
        (void)snprintf(reason, size, "does not answer within %d s", STINT_ASK_PATIENCE_S);
    else if (error == ETIME)
        (void)snprintf(reason, size, "has not finished its answer after %d s", STINT_ASK_MOST_S);
    else if (error == EFBIG)
        (void)snprintf(reason, size, "sent an answer of more than %d MiB", STINT_ASK_MOST_BYTES >> 20);
    else
        (void)snprintf(reason, size, "cannot be reached: %s", strerror(error));
}

/* Returns the answer without its first line if that is "ok"; else frees it. */
static char *behind_ok(char *text, size_t *length, char *reason, size_t size)
{
    char *end = strchr(text, '\n');
    if (end && strncmp(text, "ok\n", 3) == 0) {
        *length -= 3;
        memmove(text, text + 3, *length + 1);
        return text;
    }
    const char *cause = strncmp(text, "error: ", 7) == 0 ? text + 7 : "it has ended";
    (void)snprintf(reason, size, "refused: %.*s", (int)strcspn(cause, "\n"), cause);
    free(text);
    return NULL;
}

/* Asks who is at the other end, and closes the socket; -1: nobody is, and errno says why. Without an answer it does so
 * afterwards. */
static char *ask(int fd, const char *request, size_t *length, char *reason, size_t size)
{
    char *text = fd < 0 || send_request(fd, request) ? NULL : read_all(fd, length);
    int error = text ? 0 : errno;
    if (!text)
        explain(error, reason, size);
    if (fd >= 0)
        (void)close(fd);
    errno = error;
    return text ? behind_ok(text, length, reason, size) : NULL;
}

char *stint_ask(const char *folder, long long pid, const char *request, size_t *length, char *reason, size_t size)
{
    return ask(connect_to(folder, pid, 0), request, length, reason, size);
}

static struct stint_snapshot *ask_snapshot(int fd, int *is_silent)
{
    char reason[256];
    struct stint_import_error error;
    struct stint_snapshot *snapshot = NULL;
    size_t length;
    char *text = ask(fd, "json", &length, reason, sizeof reason);
    *is_silent = !text && errno == EAGAIN;
    if (text && stint_import_json(text, length, &snapshot, &error))
        snapshot = NULL;
    free(text);
    return snapshot;
}

struct stint_snapshot *stint_ask_snapshot(const char *folder, long long pid, int *is_silent)
{
    return ask_snapshot(connect_to(folder, pid, *is_silent), is_silent);
}

struct stint_snapshot *stint_ask_snapshot_at(const char *folder, const char *name, int *is_silent)
{
    return ask_snapshot(connect_at(folder, name, *is_silent), is_silent);
}
