/* The server of `stint report --serve` and `stint metrics`: who is answered, what every answer says, and for how long
 * anybody is waited for. libmicrohttpd reads requests and sends answers. It is loaded when it is needed, since it loads
 * ten other libraries, which took half of the time in which any command of stint starts. */
#include "http/http_server.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Another site can make its own name lead to this machine, but then it is that name which the browser sends. The port
 * is not compared, because it may be another one where an SSH tunnel begins. */
int stint_http_is_local(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) == 0 && (!host[length] || host[length] == ':'))
            return 1;
    }
    return 0;
}

int stint_http_is_foreign(const char *host, const char *origin, const char *site)
{
    static const char scheme[] = "http://";
    size_t length = sizeof scheme - 1;
    if (origin && (strncmp(origin, scheme, length) != 0 || strcasecmp(origin + length, host) != 0))
        return 1;
    return site && strcasecmp(site, "same-origin") != 0 && strcasecmp(site, "none") != 0;
}

static int read_number(const char *text, uint64_t *number)
{
    enum { MOST_DIGITS = 18 };
    size_t digits = strspn(text, "0123456789");
    if (!digits || digits > MOST_DIGITS || (text[digits] && text[digits] != '&'))
        return -1;
    *number = 0;
    for (size_t i = 0; i < digits; i++)
        *number = *number * 10 + (uint64_t)(text[i] - '0');
    return 0;
}

int stint_http_number(const char *target, const char *key, uint64_t *number)
{
    size_t length = strlen(key);
    for (const char *at = strpbrk(target, "?&"); at; at = strpbrk(at + 1, "?&"))
        if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=')
            return read_number(at + length + 2, number);
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------- body */

static int make_room(struct stint_http_reply *reply, size_t length)
{
    enum { LEAST = 4096 };
    size_t room = reply->room ? reply->room : LEAST;
    while (room - reply->length < length)
        room *= 2;
    char *body = realloc(reply->body, room);
    if (!body)
        return -1;
    reply->body = body;
    reply->room = room;
    return 0;
}

int stint_http_write(void *context, const char *bytes, size_t length)
{
    struct stint_http_reply *reply = context;
    if (reply->room - reply->length < length && make_room(reply, length))
        return -1;
    memcpy(reply->body + reply->length, bytes, length);
    reply->length += length;
    return 0;
}

void stint_http_free(struct stint_http_reply *reply)
{
    free(reply->body);
    *reply = (struct stint_http_reply){.type = NULL};
}

int stint_http_is_unwanted(const struct stint_http_request *request)
{
    char byte;
    struct pollfd ends = {.fd = request->signals, .events = POLLIN};
    return poll(&ends, 1, 0) > 0 || recv(request->client, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

#ifndef STINT_HAS_MICROHTTPD

const char *stint_http_missing(void)
{
    return "stint was built without libmicrohttpd, which it needs to serve (libmicrohttpd-dev)";
}

int stint_http_run(const struct stint_http_server *server, int listener)
{
    (void)server;
    (void)listener;
    return ENOSYS;
}

#else

#include <microhttpd.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* Browsers open connections ahead of requests, and read answers as slowly as they like. */
enum { CONNECTIONS = 256, PATIENCE_S = 10, MOST_HEAD = 16384, MOST_TARGET = 256 };

/* Whether a connection's request may come for much longer. */
struct waiting {
    int fd; /* -1: none */
    int64_t until_ms;
};

struct session {
    const struct stint_http_server *server;
    int signals;   /* tells of SIGINT and SIGTERM */
    int is_public; /* a port, which every site that a browser shows can ask */
    struct waiting waiting[CONNECTIONS];
};

/* ---------------------------------------------------------------------------------------------------------- library */

#define LIBRARY "libmicrohttpd.so.12"

#define FUNCTIONS(X)                                                                                                   \
    X(add_response_header)                                                                                             \
    X(create_response_from_buffer)                                                                                     \
    X(destroy_response)                                                                                                \
    X(get_connection_info)                                                                                             \
    X(get_connection_values)                                                                                           \
    X(get_daemon_info)                                                                                                 \
    X(get_reason_phrase_for)                                                                                           \
    X(get_timeout)                                                                                                     \
    X(lookup_connection_value)                                                                                         \
    X(queue_response)                                                                                                  \
    X(run)                                                                                                             \
    X(start_daemon)                                                                                                    \
    X(stop_daemon)

#define DECLARE(name) __typeof__(MHD_##name) *name;
#define NAME(name) "MHD_" #name,
#define ONE(name) +1

static union {
    struct {
        FUNCTIONS(DECLARE)
    };
    void *all[FUNCTIONS(ONE)]; /* ISO C has no conversion to a pointer to a function */
} s_mhd;

const char *stint_http_missing(void)
{
    static const char *const names[] = {FUNCTIONS(NAME)};
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        s_mhd.all[i] = library ? dlsym(library, names[i]) : NULL;
        if (!s_mhd.all[i])
            return LIBRARY ", which stint needs to serve, cannot be loaded";
    }
    return NULL;
}

/* ---------------------------------------------------------------------------------------------------------- request */

/* What a request asks for, kept from its first line to its end. */
struct question {
    int status; /* 200, or that which refuses it */
    char target[MOST_TARGET];
};

/* Called with the first line's target as it was sent. Without memory there is no question. */
static void *note_target(void *unused, const char *target, struct MHD_Connection *connection)
{
    struct question *question = calloc(1, sizeof *question);
    size_t length = strlen(target);
    (void)unused;
    (void)connection;
    if (!question)
        return NULL;
    question->status = *target == '/' ? 200 : 400;
    for (const char *at = target; *at; at++)
        if (*at <= ' ' || *at > '~')
            question->status = 400;
    if (length >= sizeof question->target)
        question->status = 414;
    else
        memcpy(question->target, target, length);
    return question;
}

static void forget(void *unused, struct MHD_Connection *connection, void **question,
                   enum MHD_RequestTerminationCode how)
{
    (void)unused;
    (void)connection;
    (void)how;
    free(*question);
    *question = NULL;
}

static enum MHD_Result count_host(void *hosts, enum MHD_ValueKind kind, const char *key, const char *value)
{
    (void)kind;
    (void)value;
    *(size_t *)hosts += strcasecmp(key, MHD_HTTP_HEADER_HOST) == 0;
    return MHD_YES;
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return s_mhd.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Returns 200, or the status that refuses a request of another site. */
static int check_origin(const struct session *session, struct MHD_Connection *connection)
{
    size_t hosts = 0;
    const char *host = header(connection, MHD_HTTP_HEADER_HOST);
    (void)s_mhd.get_connection_values(connection, MHD_HEADER_KIND, count_host, &hosts);
    if (hosts != 1)
        return 400;
    host = host ? host : "";
    return session->is_public && (!stint_http_is_local(host) ||
                                  stint_http_is_foreign(host, header(connection, MHD_HTTP_HEADER_ORIGIN),
                                                        header(connection, "Sec-Fetch-Site")))
               ? 403
               : 200;
}

static int check(const struct session *session, struct MHD_Connection *connection, const char *method,
                 const char *version, const struct question *question)
{
    if (!question)
        return 500;
    if (strcmp(version, MHD_HTTP_VERSION_1_1) != 0)
        return 505;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0)
        return 405;
    return question->status == 200 ? check_origin(session, connection) : question->status;
}

/* ------------------------------------------------------------------------------------------------------------ reply */

static void refuse(const struct stint_http_server *server, struct stint_http_reply *reply, int status)
{
    char text[256];
    int length =
        snprintf(text, sizeof text, "%d %s%s%s\n", status, s_mhd.get_reason_phrase_for((unsigned)status),
                 status == 403 || status == 404 ? ": " : "", status == 403 || status == 404 ? server->hint : "");
    reply->type = "text/plain";
    reply->lent = NULL;
    reply->length = 0;
    (void)stint_http_write(reply, text, (size_t)length);
}

/* A page keeps others from embedding it, from reading it, and from learning its address by a link. */
static void add_headers(struct MHD_Response *response, const char *type, int status)
{
    static const char *const fixed[][2] = {{"Connection", "close"},
                                           {"Cache-Control", "no-store"},
                                           {"Content-Security-Policy", "frame-ancestors 'none'"},
                                           {"Cross-Origin-Opener-Policy", "same-origin"},
                                           {"Cross-Origin-Resource-Policy", "same-origin"},
                                           {"Referrer-Policy", "no-referrer"},
                                           {"X-Content-Type-Options", "nosniff"}};
    char typed[128];
    (void)snprintf(typed, sizeof typed, "%s; charset=utf-8", type);
    (void)s_mhd.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, typed);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        (void)s_mhd.add_response_header(response, fixed[i][0], fixed[i][1]);
    if (status == 405)
        (void)s_mhd.add_response_header(response, MHD_HTTP_HEADER_ALLOW, MHD_HTTP_METHOD_GET);
}

/* Hands the reply over, which is empty then. */
static enum MHD_Result send_reply(struct MHD_Connection *connection, struct stint_http_reply *reply, int status)
{
    union {
        const char *lent;
        void *body;
    } bytes = {.lent = reply->lent ? reply->lent : reply->body};
    struct MHD_Response *response = s_mhd.create_response_from_buffer(
        reply->length, bytes.body, reply->lent ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_FREE);
    if (!response) {
        stint_http_free(reply);
        return MHD_NO;
    }
    add_headers(response, reply->type, status);
    enum MHD_Result result = s_mhd.queue_response(connection, (unsigned)status, response);
    s_mhd.destroy_response(response);
    return result;
}

/* Called when the head of a request is complete. */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **question)
{
    struct session *session = context;
    const struct stint_http_server *server = session->server;
    struct stint_http_reply reply = {.type = NULL};
    struct waiting *waiting = s_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
    int status = check(session, connection, method, version, *question);
    (void)path;
    (void)upload;
    (void)upload_size;
    if (status == 200) {
        struct stint_http_request request = {
            .target = ((const struct question *)*question)->target,
            .client = s_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
            .signals = session->signals};
        status = server->answer(server->context, &request, &reply);
    }
    if (status != 200)
        refuse(server, &reply, status);
    if (waiting)
        waiting->until_ms = INT64_MAX;
    return send_reply(connection, &reply, status);
}

/* ------------------------------------------------------------------------------------------------------ connections */

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void note_connection(void *context, struct MHD_Connection *connection, void **waiting,
                            enum MHD_ConnectionNotificationCode code)
{
    struct session *session = context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED && *waiting)
        ((struct waiting *)*waiting)->fd = -1;
    for (size_t i = 0; code == MHD_CONNECTION_NOTIFY_STARTED && i < CONNECTIONS; i++)
        if (session->waiting[i].fd < 0) {
            session->waiting[i] =
                (struct waiting){s_mhd.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                                 now_ms() + PATIENCE_S * 1000};
            *waiting = &session->waiting[i];
            return;
        }
}

/* libmicrohttpd waits from one byte to the next: who sends them one by one would never be late. */
static void hang_up_late_ones(const struct session *session)
{
    int64_t now = now_ms();
    for (size_t i = 0; i < CONNECTIONS; i++)
        if (session->waiting[i].fd >= 0 && now > session->waiting[i].until_ms)
            (void)shutdown(session->waiting[i].fd, SHUT_RDWR);
}

/* Signals wait until they are asked for, so that none comes between a look and a wait. */
static int hold_signals(void)
{
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &ends, NULL);
    return signalfd(-1, &ends, SFD_CLOEXEC);
}

static int is_port(int listener)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    return getsockname(listener, (struct sockaddr *)(void *)&address, &size) || address.ss_family != AF_UNIX;
}

static void serve(const struct session *session, struct MHD_Daemon *daemon)
{
    enum { LOOK_MS = 1000 };
    struct pollfd polled[] = {
        {.fd = s_mhd.get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN},
        {.fd = session->signals, .events = POLLIN}};
    while (!polled[1].revents) {
        MHD_UNSIGNED_LONG_LONG rest = LOOK_MS;
        (void)s_mhd.get_timeout(daemon, &rest);
        if (poll(polled, 2, rest < LOOK_MS ? (int)rest : LOOK_MS) < 0 && errno != EINTR)
            return;
        (void)s_mhd.run(daemon);
        hang_up_late_ones(session);
    }
}

int stint_http_run(const struct stint_http_server *server, int listener)
{
    static struct session session;
    session.server = server;
    session.is_public = is_port(listener);
    session.signals = hold_signals();
    for (size_t i = 0; i < CONNECTIONS; i++)
        session.waiting[i].fd = -1;
    struct MHD_Daemon *daemon = s_mhd.start_daemon(
        MHD_USE_EPOLL, 0, NULL, NULL, answer, &session, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MOST_HEAD, MHD_OPTION_URI_LOG_CALLBACK, note_target, NULL, MHD_OPTION_NOTIFY_COMPLETED, forget, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, note_connection, &session, MHD_OPTION_END);
    if (!daemon)
        return errno ? errno : EINVAL;
    serve(&session, daemon);
    s_mhd.stop_daemon(daemon);
    (void)close(session.signals);
    return 0;
}

#endif
