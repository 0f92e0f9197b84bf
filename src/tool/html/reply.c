#include "html/reply.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

/* Waits until the socket takes more. Returns 0, or -1 if it does not in time, or a signal came. */
static int wait_for_room(const struct stint_reply *reply)
{
    struct pollfd polled[] = {{.fd = reply->fd, .events = POLLOUT}, {.fd = reply->signals, .events = POLLIN}};
    return poll(polled, 2, STINT_REPLY_PATIENCE_MS) > 0 && !polled[1].revents ? 0 : -1;
}

static void send_all(struct stint_reply *reply, const char *bytes, size_t length)
{
    while (length && !reply->failed) {
        ssize_t sent = send(reply->fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno != EINTR) {
            reply->failed = (errno != EAGAIN && errno != EWOULDBLOCK) || wait_for_room(reply);
        }
    }
}

/* The page keeps others from embedding it, from reading it, and from learning its address by a link. */
static void send_head(struct stint_reply *reply, const char *status, const char *type)
{
    char head[768];
    int length = snprintf(head, sizeof head,
                          "HTTP/1.1 %s\r\n"
                          "Content-Type: %s; charset=utf-8\r\n"
                          "Transfer-Encoding: chunked\r\n"
                          "Connection: close\r\n"
                          "Cache-Control: no-store\r\n"
                          "Content-Security-Policy: frame-ancestors 'none'\r\n"
                          "Cross-Origin-Opener-Policy: same-origin\r\n"
                          "Cross-Origin-Resource-Policy: same-origin\r\n"
                          "Referrer-Policy: no-referrer\r\n"
                          "X-Content-Type-Options: nosniff\r\n"
                          "\r\n",
                          status, type);
    reply->has_begun = 1;
    send_all(reply, head, (size_t)length);
}

static void send_chunk(struct stint_reply *reply)
{
    char size[24];
    int length = snprintf(size, sizeof size, "%zx\r\n", reply->used);
    send_all(reply, size, (size_t)length);
    send_all(reply, reply->chunk, reply->used);
    send_all(reply, "\r\n", 2);
    reply->used = 0;
}

void stint_reply_begin(struct stint_reply *reply, const char *type)
{
    send_head(reply, "200 OK", type);
}

int stint_reply_write(void *context, const char *bytes, size_t length)
{
    struct stint_reply *reply = context;
    while (length && !reply->failed) {
        size_t room = STINT_REPLY_CHUNK - reply->used, part = length < room ? length : room;
        memcpy(reply->chunk + reply->used, bytes, part);
        reply->used += part;
        bytes += part;
        length -= part;
        if (reply->used == STINT_REPLY_CHUNK)
            send_chunk(reply);
    }
    return reply->failed ? -1 : 0;
}

/* The last chunk is empty. */
void stint_reply_end(struct stint_reply *reply)
{
    if (reply->used)
        send_chunk(reply);
    send_chunk(reply);
}

static const char *words_of(int status)
{
    switch (status) {
    case 403:
        return "403 Forbidden";
    case 404:
        return "404 Not Found";
    case 405:
        return "405 Method Not Allowed";
    case 414:
        return "414 URI Too Long";
    case 431:
        return "431 Request Header Fields Too Large";
    case 500:
        return "500 Internal Server Error";
    case 505:
        return "505 HTTP Version Not Supported";
    default:
        return "400 Bad Request";
    }
}

void stint_reply_refuse(struct stint_reply *reply, int status)
{
    static const char s_hint[] = ": open the address that stint report printed\n";
    const char *words = words_of(status);
    send_head(reply, words, "text/plain");
    (void)stint_reply_write(reply, words, strlen(words));
    if (status == 403)
        (void)stint_reply_write(reply, s_hint, sizeof s_hint - 1);
    stint_reply_end(reply);
}

int stint_reply_is_unwanted(const struct stint_reply *reply)
{
    char byte;
    struct pollfd ends = {.fd = reply->signals, .events = POLLIN};
    return poll(&ends, 1, 0) > 0 || recv(reply->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}
