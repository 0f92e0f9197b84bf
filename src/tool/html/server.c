#include "html/server.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* Browsers open connections ahead of requests, and read answers as slowly as they like: nobody waits for another. */
enum { CONNECTIONS = 16, PATIENCE_MS = 10000 };

struct connection {
    int fd;        /* -1: none */
    int is_served; /* only its end is waited for: if it were closed before, what was sent could be lost */
    size_t length;
    int64_t since_ms; /* when it last came forward */
    struct stint_reply reply;
    char head[STINT_REQUEST_HEAD];
};

static struct connection s_connections[CONNECTIONS];

/* -------------------------------------------------------------------------------------------------------- answering */

/* Compares all of it, so that the time it takes does not tell how much of it is right. */
static int has_token(const struct stint_server *server, const char *target)
{
    int differs = 0;
    if (strlen(target) < STINT_SERVER_TOKEN + 2 || target[0] != '/' || target[1 + STINT_SERVER_TOKEN] != '/')
        return 0;
    for (size_t i = 0; i < STINT_SERVER_TOKEN; i++)
        differs |= target[1 + i] ^ server->token[i];
    return !differs;
}

/* Returns the status. */
static int answer(const struct stint_server *server, struct stint_request *request, struct stint_reply *reply)
{
    if (!request->is_local || request->is_foreign || !has_token(server, request->target))
        return 403;
    const char *path = request->target + 1 + STINT_SERVER_TOKEN + 1;
    return server->answer(server->context, path, request, reply);
}

/* ------------------------------------------------------------------------------------------------------ connections */

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void hang_up(struct connection *connection)
{
    if (connection->fd >= 0)
        (void)close(connection->fd);
    connection->fd = -1;
    stint_reply_free(&connection->reply);
}

/* The one that has waited the longest makes room. */
static struct connection *find_room(void)
{
    struct connection *found = &s_connections[0];
    for (size_t i = 0; i < CONNECTIONS; i++) {
        if (s_connections[i].fd < 0)
            return &s_connections[i];
        if (s_connections[i].since_ms < found->since_ms)
            found = &s_connections[i];
    }
    hang_up(found);
    return found;
}

static void accept_one(const struct stint_server *server)
{
    int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0)
        return;
    struct connection *connection = find_room();
    connection->fd = fd;
    connection->is_served = 0;
    connection->length = 0;
    connection->since_ms = now_ms();
}

/* Returns 0, or -1 if the browser is gone. */
static int send_more(struct connection *connection)
{
    int sent = stint_reply_send(&connection->reply);
    connection->since_ms = now_ms();
    if (sent <= 0)
        return sent;
    connection->is_served = 1;
    stint_reply_free(&connection->reply);
    return shutdown(connection->fd, SHUT_WR);
}

/* Takes bytes as a part of the request, and answers when it is complete. Returns 0, or -1 if the browser is gone. */
static int take(const struct stint_server *server, struct connection *connection, size_t length)
{
    struct stint_request request;
    struct stint_reply *reply = &connection->reply;
    connection->length += length;
    int status = stint_request_read(&request, connection->head, connection->length);
    if (!status)
        return 0;
    *reply = (struct stint_reply){.fd = connection->fd, .signals = server->signals};
    stint_reply_end(reply, status == 200 ? answer(server, &request, reply) : status);
    return send_more(connection);
}

/* What comes after a request is read and forgotten. Returns 0, or -1 if the browser is gone. */
static int receive(const struct stint_server *server, struct connection *connection)
{
    size_t used = connection->is_served ? 0 : connection->length;
    ssize_t got = recv(connection->fd, connection->head + used, sizeof connection->head - used, MSG_DONTWAIT);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
    return connection->is_served ? 0 : take(server, connection, (size_t)got);
}

static void go_on(const struct stint_server *server, struct connection *connection)
{
    if (connection->reply.head_length ? send_more(connection) : receive(server, connection))
        hang_up(connection);
}

static void hang_up_late_ones(void)
{
    int64_t now = now_ms();
    for (size_t i = 0; i < CONNECTIONS; i++)
        if (now - s_connections[i].since_ms > PATIENCE_MS)
            hang_up(&s_connections[i]);
}

/* Signals wait until they are asked for, so that none comes between a look and a wait. */
static int hold_signals(struct stint_server *server)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &ends, NULL);
    server->signals = signalfd(-1, &ends, SFD_CLOEXEC);
    return server->signals < 0 ? -1 : 0;
}

int stint_server_run(struct stint_server *server)
{
    if (hold_signals(server))
        return errno;
    struct pollfd polled[CONNECTIONS + 2] = {[CONNECTIONS] = {.fd = server->listener, .events = POLLIN},
                                             [CONNECTIONS + 1] = {.fd = server->signals, .events = POLLIN}};
    for (size_t i = 0; i < CONNECTIONS; i++)
        s_connections[i].fd = -1;
    while (!polled[CONNECTIONS + 1].revents) {
        for (size_t i = 0; i < CONNECTIONS; i++)
            polled[i] = (struct pollfd){.fd = s_connections[i].fd,
                                        .events = s_connections[i].reply.head_length ? POLLOUT : POLLIN};
        if (poll(polled, CONNECTIONS + 2, PATIENCE_MS) < 0 && errno != EINTR)
            break;
        for (size_t i = 0; i < CONNECTIONS; i++)
            if (s_connections[i].fd >= 0 && polled[i].revents)
                go_on(server, &s_connections[i]);
        hang_up_late_ones();
        if (polled[CONNECTIONS].revents)
            accept_one(server);
    }
    for (size_t i = 0; i < CONNECTIONS; i++)
        hang_up(&s_connections[i]);
    return 0;
}

/* --------------------------------------------------------------------------------------------------- open and close */

static int make_token(struct stint_server *server)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[STINT_SERVER_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return -1;
    for (size_t i = 0; i < STINT_SERVER_TOKEN; i++)
        server->token[i] = digits[bytes[i / 2] >> (i % 2 ? 0 : 4) & 15];
    return 0;
}

static int listen_at(struct stint_server *server, uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int on = 1;
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listener < 0)
        return -1;
    (void)setsockopt(server->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(server->listener, (const struct sockaddr *)(const void *)&address, size) ||
        listen(server->listener, CONNECTIONS) ||
        getsockname(server->listener, (struct sockaddr *)(void *)&address, &size))
        return -1;
    server->port = ntohs(address.sin_port);
    return 0;
}

int stint_server_open(struct stint_server *server, uint16_t port)
{
    server->listener = server->signals = -1;
    if (listen_at(server, port) == 0 && make_token(server) == 0)
        return 0;
    int error = errno;
    stint_server_close(server);
    return error;
}

void stint_server_close(struct stint_server *server)
{
    if (server->listener >= 0)
        (void)close(server->listener);
    if (server->signals >= 0)
        (void)close(server->signals);
}
