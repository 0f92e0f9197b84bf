/* Requests to this process, over a socket in the folder that STINT_CONTROL names. */
#include "control/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/process.h"
#include "base/whole_file.h"
#include "record/part.h"
#include "record/suspend.h"
#include "recording/stream.h"
#include "runtime/runtime.h"
#include "stint/report.h"

enum { CLOSED = -1, LONGEST_REQUEST = 16 };

#define LONGEST_ANSWER_NS UINT64_C(5000000000)

static struct {
    char folder[PATH_MAX]; /* absolute; "": no requests are wanted */
    char path[PATH_MAX + 64];
    int is_child;
    int opened; /* by one thread */
    int listens;
    int bound;    /* the socket's file exists */
    int ended;    /* it must not exist any more */
    ino_t socket; /* identifies the socket, since a program may close descriptors that it does not know */
} s_listen;

/* The descriptor of the socket. It is not in the struct, because a single initial value other than 0 would make the
 * whole struct take room in the library's file. */
static int s_fd = CLOSED;

/* ------------------------------------------------------------------------------------------------------------ start */

/* A forked child may have become another user. */
static void refuse(const char *folder)
{
    if (!s_listen.is_child)
        STINT_LOG(STINT_LOG_WARNING,
                  "STINT_CONTROL=%.256s: %s; requests will not be received. The folder has to be yours, with mode 700",
                  folder, strerror(errno));
}

void stint_listen_start(void)
{
    const char *folder = stint_env_text("STINT_CONTROL");
    if (!folder || realpath(folder, s_listen.folder))
        return;
    s_listen.folder[0] = '\0';
    refuse(folder);
}

int stint_listen_is_wanted(void)
{
    return s_listen.folder[0] != '\0';
}

/* Returns 0, or -1 after setting errno. */
static int make_socket(void)
{
    struct stat status;
    if (stat(s_listen.folder, &status))
        return -1;
    errno = EACCES;
    if (status.st_uid != geteuid() || (status.st_mode & (S_IFMT | 077)) != S_IFDIR)
        return -1;
    s_fd = stint_fd_raise(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (s_fd == CLOSED || fstat(s_fd, &status))
        return -1;
    s_listen.socket = status.st_ino;
    return 0;
}

static int fits_address(void)
{
    return strlen(s_listen.path) < sizeof((struct sockaddr_un *)NULL)->sun_path;
}

/* Binds or connects a socket. Where it is bound is what /proc/net/unix shows to `stint attach`: its path; or, where
 * that is longer than a socket's can be, by the folder's descriptor. */
static int at_path(int (*call)(int fd, const struct sockaddr *address, socklen_t length), int fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int folder = -1;
    if (fits_address()) {
        strcpy(address.sun_path, s_listen.path);
    } else {
        folder = open(s_listen.folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
        (void)snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d%s", folder,
                       strrchr(s_listen.path, '/'));
    }
    int result = call(fd, (const struct sockaddr *)(const void *)&address, sizeof address);
    if (folder >= 0)
        (void)close(folder);
    return result;
}

/* Whether the program has left the descriptor alone. */
static int is_ours(void)
{
    struct stat status;
    return !fstat(s_fd, &status) && S_ISSOCK(status.st_mode) && status.st_ino == s_listen.socket;
}

/* No other process has the same name. The file gets the mode of the socket. Removes it if the process ended before it
 * was there. */
void stint_listen_open(void)
{
    if (s_fd == CLOSED || __atomic_exchange_n(&s_listen.opened, 1, __ATOMIC_ACQ_REL) || !is_ours())
        return;
    if (fchmod(s_fd, 0600) || at_path(bind, s_fd)) {
        refuse(s_listen.folder);
        return;
    }
    __atomic_store_n(&s_listen.bound, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&s_listen.listens, !listen(s_fd, 8), __ATOMIC_RELEASE);
    if (__atomic_load_n(&s_listen.ended, __ATOMIC_SEQ_CST))
        stint_listen_end();
}

void stint_listen_prepare(int is_child)
{
    char name[64];
    if (!stint_listen_is_wanted())
        return;
    (void)stint_path_finish(name, sizeof name, "%i.sock");
    (void)snprintf(s_listen.path, sizeof s_listen.path, "%s/%s", s_listen.folder, name);
    s_listen.is_child = is_child;
    if (make_socket())
        refuse(s_listen.folder);
    else if (!fits_address()) /* to open the folder takes the lowest number for a moment */
        stint_listen_open();
}

int stint_listen_is_open(void)
{
    return __atomic_load_n(&s_listen.listens, __ATOMIC_ACQUIRE);
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static void say(int client, const char *line)
{
    (void)stint_write_fd(&client, line, strlen(line));
}

static void say_status(int client, enum stint_status status)
{
    char line[128];
    (void)snprintf(line, sizeof line, "error: %s\n", stint_status_string(status));
    say(client, status ? line : "ok\n");
}

struct reader {
    int client;
    uint64_t end_ns;
};

/* A stint_write_fn; context is a struct reader. */
static int write_in_time(void *context, const char *bytes, size_t length)
{
    struct reader *reader = context;
    return stint_clock_now_ns() < reader->end_ns ? stint_write_fd(&reader->client, bytes, length) : -1;
}

static void answer_json(int client)
{
    struct reader reader = {client, stint_clock_now_ns() + LONGEST_ANSWER_NS};
    struct stint_snapshot *snapshot;
    enum stint_status status = stint_snapshot_take(&snapshot);
    say_status(client, status);
    if (status)
        return;
    (void)stint_report_write(snapshot, STINT_FORMAT_JSON, NULL, write_in_time, &reader);
    stint_snapshot_free(snapshot);
}

static void answer_dump(int client)
{
    const char *path = stint_parts_want_report ? stint_stream_dump() : NULL;
    if (!stint_parts_want_report) {
        say(client, "error: it writes no trace: STINT_TRACE is not set\n");
    } else if (!path) {
        say(client, "error: there is nothing to write yet, or it cannot be written (see its stderr)\n");
    } else {
        say(client, "ok\n");
        say(client, path);
        say(client, "\n");
    }
}

static void answer(int client, const char *request)
{
    if (strcmp(request, "on") == 0) {
        stint_resume();
        say(client, "ok\n");
    } else if (strcmp(request, "off") == 0) {
        stint_suspend(STINT_SUSPENDED_USER, 1);
        say(client, "ok\n");
    } else if (strcmp(request, "print") == 0) {
        say_status(client, stint_exit_print());
    } else if (strcmp(request, "json") == 0) {
        answer_json(client);
    } else if (strcmp(request, "dump") == 0) {
        answer_dump(client);
    } else {
        say(client, "error: expected a line: on, off, print, json or dump\n");
    }
}

static int is_users(int client)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return !getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) && peer.uid == geteuid();
}

/* Returns 0, or -1 if no complete line arrives at once. */
static int read_request(int client, char *request)
{
    ssize_t length = read(client, request, LONGEST_REQUEST);
    if (length < 1 || request[length - 1] != '\n')
        return -1;
    request[length - 1] = '\0';
    return 0;
}

/* A client that does not write, or reads little by little, delays the others only briefly. */
static void serve(int client)
{
    static const struct timeval patience = {1, 0};
    char request[LONGEST_REQUEST];
    (void)setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!is_users(client))
        say(client, "error: the process belongs to another user\n");
    else
        answer(client, read_request(client, request) ? "" : request);
    (void)close(client);
}

void stint_listen_wait(const struct timespec *time)
{
    struct pollfd poll = {.fd = s_fd, .events = POLLIN};
    if (ppoll(&poll, 1, time, NULL) <= 0)
        return;
    if (!is_ours()) {
        s_fd = CLOSED;
        __atomic_store_n(&s_listen.listens, 0, __ATOMIC_RELEASE);
        return;
    }
    int client = accept4(s_fd, NULL, NULL, SOCK_CLOEXEC);
    if (client >= 0)
        serve(client);
}

int stint_listen_wake(void)
{
    stint_listen_open(); /* the process may be about to have another root folder, or another user */
    if (!stint_listen_is_open())
        return 0;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int failed = fd < 0 || at_path(connect, fd);
    if (fd >= 0)
        (void)close(fd);
    return failed ? -1 : 0;
}

/* ----------------------------------------------------------------------------------------------------- fork and end */

void stint_listen_after_fork(void)
{
    if (s_fd != CLOSED && is_ours())
        (void)close(s_fd);
    s_fd = CLOSED;
    s_listen.opened = s_listen.listens = 0;
    s_listen.bound = 0;
    s_listen.ended = 0;
}

void stint_listen_end(void)
{
    __atomic_store_n(&s_listen.ended, 1, __ATOMIC_SEQ_CST);
    if (__atomic_exchange_n(&s_listen.bound, 0, __ATOMIC_SEQ_CST) && !stint_process_is_confined())
        (void)unlink(s_listen.path);
}
