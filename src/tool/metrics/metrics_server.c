/* Answers Prometheus over HTTP: one request after another, each on a connection of its own, in OpenMetrics. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "formats/formats.h"
#include "metrics/metrics_address.h"
#include "report/module_metrics.h"

enum { CLOSED = -1, REQUEST_SIZE = 8192, PATIENCE_S = 2, LONGEST_ANSWER_S = 10 };

static struct {
    struct stint_metrics_address address;
    int fd;
    pid_t owner; /* the process that listens there */
} s_server = {.fd = CLOSED};

/* ---------------------------------------------------------------------------------------------------------- answers */

/* What goes to a client, in large pieces, and not for ever. */
struct answer {
    int client;
    time_t end_s;
    size_t used;
    char bytes[65536];
};

static time_t now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static int send_all(struct answer *answer)
{
    for (size_t done = 0; done < answer->used;) {
        ssize_t sent = now_s() < answer->end_s
                           ? send(answer->client, answer->bytes + done, answer->used - done, MSG_NOSIGNAL)
                           : -1;
        if (sent < 0 && errno != EINTR)
            return -1;
        done += sent > 0 ? (size_t)sent : 0;
    }
    answer->used = 0;
    return 0;
}

/* A stint_write_fn; the context is a struct answer. Texts come in small pieces. */
static int add(void *context, const char *bytes, size_t length)
{
    struct answer *answer = context;
    if (length > sizeof answer->bytes - answer->used && send_all(answer))
        return -1;
    memcpy(answer->bytes + answer->used, bytes, length);
    answer->used += length;
    return 0;
}

static void say(struct answer *answer, const char *text)
{
    (void)add(answer, text, strlen(text));
}

static void say_metrics(struct answer *answer, const struct stint_module_snapshots *snapshots)
{
    struct stint_snapshot *snapshot;
    struct stint_text text;
    if (snapshots->take(&snapshot)) {
        say(answer, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n");
        return;
    }
    say(answer, "HTTP/1.1 200 OK\r\n"
                "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"
                "Cache-Control: no-store\r\n"
                "Connection: close\r\n"
                "\r\n");
    stint_text_begin(&text, add, answer);
    stint_report_openmetrics(&text, snapshot, NULL);
    (void)stint_text_end(&text);
    snapshots->free(snapshot);
}

/* --------------------------------------------------------------------------------------------------------- requests */

/* Reads up to the blank line behind the head. Returns 0, or -1 if that does not come in time. */
static int read_request(int client, char *request)
{
    time_t end_s = now_s() + PATIENCE_S;
    size_t used = 0;
    do {
        ssize_t got =
            used < REQUEST_SIZE - 1 && now_s() <= end_s ? recv(client, request + used, REQUEST_SIZE - 1 - used, 0) : 0;
        if (got <= 0)
            return -1;
        used += (size_t)got;
        request[used] = '\0';
    } while (!strstr(request, "\r\n\r\n") && !strstr(request, "\n\n"));
    return 0;
}

static int asks(const char *request, const char *line)
{
    size_t length = strlen(line);
    return strncmp(request, line, length) == 0 && strchr(" ?\r\n", request[length]);
}

static void serve(int client, const struct stint_module_snapshots *snapshots)
{
    static const struct timeval patience = {PATIENCE_S, 0};
    static struct answer s_answer; /* of one thread */
    char request[REQUEST_SIZE];
    (void)setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (read_request(client, request))
        return;
    s_answer.client = client;
    s_answer.end_s = now_s() + LONGEST_ANSWER_S;
    s_answer.used = 0;
    if (asks(request, "GET /metrics"))
        say_metrics(&s_answer, snapshots);
    else
        say(&s_answer, "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
                       "GET /metrics has the metrics.\n");
    (void)send_all(&s_answer);
    (void)shutdown(client, SHUT_WR);
    (void)recv(client, request, sizeof request, 0); /* an end that comes too early may cost the client the answer */
}

static void serve_for_ever(const struct stint_module_snapshots *snapshots)
{
    for (;;) {
        int client = accept4(s_server.fd, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0) {
            serve(client, snapshots);
            (void)close(client);
        } else if (errno != EINTR && errno != ECONNABORTED) { /* no descriptors, or no memory, for a moment */
            if (errno == EBADF || errno == EINVAL || errno == ENOTSOCK)
                return; /* the program has closed what it does not know */
            (void)sleep(1);
        }
    }
}

/* ----------------------------------------------------------------------------------------------------- fork and end */

/* The child has no thread that would answer, and would keep clients of its dead parent waiting. */
static void leave_to_parent(void)
{
    if (s_server.fd != CLOSED)
        (void)close(s_server.fd);
    s_server.fd = CLOSED;
}

__attribute__((destructor)) static void remove_socket(void)
{
    if (s_server.address.path[0] && s_server.owner == getpid())
        (void)unlink(s_server.address.path);
}

__attribute__((visibility("default"))) stint_module_metrics_fn stint_module_metrics;

stint_module_serve_fn *stint_module_metrics(uint64_t version, const char *address, int is_forked, char *reason,
                                            size_t size)
{
    static int s_watches_forks;
    if (version != STINT_MODULE_REPORTS_VERSION) {
        (void)snprintf(reason, size, "libstint_module.so has another version than this library");
        return NULL;
    }
    s_server.owner = 0; /* of a path that may be the parent's */
    if (stint_metrics_address_read(&s_server.address, address, reason, size))
        return NULL;
    if (!s_watches_forks++)
        (void)pthread_atfork(NULL, NULL, leave_to_parent);
    s_server.fd = stint_metrics_listen(&s_server.address);
    if (s_server.fd < 0) {
        (void)snprintf(reason, size, "%s", is_forked && errno == EADDRINUSE ? "" : strerror(errno));
        return NULL;
    }
    s_server.owner = getpid();
    return serve_for_ever;
}
