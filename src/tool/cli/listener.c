/* Sends a request to the socket of a running process, and reads the answer, with limits on time and size: the process
 * may be stopped, or may not be what it seems. */
#include "cli/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "import/read_json.h"

/* Connects through the folder's descriptor, as its path may be too long for a socket. Returns the socket, or -1. */
static int connect_in(int folder, long long pid)
{
    static const struct timeval patience = {STINT_ASK_PATIENCE_S, 0};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    (void)snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%lld.sock", folder, pid);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) == 0)
        return fd;
    int error = errno;
    (void)close(fd);
    errno = error;
    return -1;
}

static int connect_to(const char *path, long long pid)
{
    int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    int fd = connect_in(folder, pid);
    int error = errno;
    (void)close(folder);
    errno = error;
    return fd;
}

static int send_request(int fd, const char *request)
{
    char line[32];
    size_t length = (size_t)snprintf(line, sizeof line, "%s\n", request);
    return send(fd, line, length, MSG_NOSIGNAL) == (ssize_t)length ? 0 : -1;
}

static time_t now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Reads the next part. Fails with ETIME or EFBIG if the answer seems to have no end. */
static ssize_t read_part(int fd, char *to, size_t size, size_t so_far, time_t end_s)
{
    if (now_s() <= end_s && so_far < STINT_ASK_MOST_BYTES)
        return read(fd, to, size);
    errno = so_far < STINT_ASK_MOST_BYTES ? ETIME : EFBIG;
    return -1;
}

/* Returns everything up to the end, or NULL. */
static char *read_answer(int fd, size_t *length)
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

static void explain(int error, char *reason, size_t size)
{
    if (error == ENOENT)
        (void)snprintf(reason, size, "does not listen: it has recorded nothing so far, or is about to end");
    else if (error == ECONNREFUSED || error == ECONNRESET || error == EPIPE)
        (void)snprintf(reason, size, "does not listen any more");
    else if (error == EAGAIN)
        (void)snprintf(reason, size, "does not answer within %d s", STINT_ASK_PATIENCE_S);
    else if (error == ETIME)
        (void)snprintf(reason, size, "has not finished its answer after %d s", STINT_ASK_MOST_S);
    else if (error == EFBIG)
        (void)snprintf(reason, size, "answers with more than %d MiB", STINT_ASK_MOST_BYTES >> 20);
    else
        (void)snprintf(reason, size, "cannot be asked: %s", strerror(error));
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
    (void)snprintf(reason, size, "refuses: %.*s", (int)strcspn(cause, "\n"), cause);
    free(text);
    return NULL;
}

char *stint_ask(const char *folder, long long pid, const char *request, size_t *length, char *reason, size_t size)
{
    int fd = connect_to(folder, pid);
    char *text = fd < 0 || send_request(fd, request) ? NULL : read_answer(fd, length);
    if (!text)
        explain(errno, reason, size);
    if (fd >= 0)
        (void)close(fd);
    return text ? behind_ok(text, length, reason, size) : NULL;
}

struct stint_snapshot *stint_ask_snapshot(const char *folder, long long pid)
{
    char reason[256];
    struct stint_import_error error;
    struct stint_snapshot *snapshot = NULL;
    size_t length;
    char *text = stint_ask(folder, pid, "json", &length, reason, sizeof reason);
    if (text && stint_import_json(text, length, &snapshot, &error))
        snapshot = NULL;
    free(text);
    return snapshot;
}
