#include "html/reply.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* ------------------------------------------------------------------------------------------------------------- body */

static int make_room(struct stint_reply *reply, size_t length)
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

int stint_reply_write(void *context, const char *bytes, size_t length)
{
    struct stint_reply *reply = context;
    if (reply->room - reply->length < length && make_room(reply, length))
        return -1;
    memcpy(reply->body + reply->length, bytes, length);
    reply->length += length;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------- head */

static const char *words_of(int status)
{
    switch (status) {
    case 200:
        return "200 OK";
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

static void refuse(struct stint_reply *reply, int status)
{
    static const char s_hint[] = ": open the address that stint report printed";
    const char *words = words_of(status);
    reply->type = "text/plain";
    reply->lent = NULL;
    reply->length = 0;
    if (stint_reply_write(reply, words, strlen(words)) == 0 && status == 403)
        (void)stint_reply_write(reply, s_hint, sizeof s_hint - 1);
    (void)stint_reply_write(reply, "\n", 1);
}

/* The page keeps others from embedding it, from reading it, and from learning its address by a link. */
void stint_reply_end(struct stint_reply *reply, int status)
{
    if (status != 200)
        refuse(reply, status);
    int length = snprintf(reply->head, sizeof reply->head,
                          "HTTP/1.1 %s\r\n"
                          "Content-Type: %s; charset=utf-8\r\n"
                          "Content-Length: %zu\r\n"
                          "%s"
                          "Connection: close\r\n"
                          "Cache-Control: no-store\r\n"
                          "Content-Security-Policy: frame-ancestors 'none'\r\n"
                          "Cross-Origin-Opener-Policy: same-origin\r\n"
                          "Cross-Origin-Resource-Policy: same-origin\r\n"
                          "Referrer-Policy: no-referrer\r\n"
                          "X-Content-Type-Options: nosniff\r\n"
                          "\r\n",
                          words_of(status), reply->type, reply->length, status == 405 ? "Allow: GET\r\n" : "");
    reply->head_length = (size_t)length;
}

/* ---------------------------------------------------------------------------------------------------------- sending */

int stint_reply_send(struct stint_reply *reply)
{
    const char *body = reply->lent ? reply->lent : reply->body;
    size_t whole = reply->head_length + reply->length;
    while (reply->sent < whole) {
        int is_head = reply->sent < reply->head_length;
        const char *from = is_head ? reply->head + reply->sent : body + (reply->sent - reply->head_length);
        size_t length = is_head ? reply->head_length - reply->sent : whole - reply->sent;
        ssize_t sent = send(reply->fd, from, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            reply->sent += (size_t)sent;
        else if (errno != EINTR)
            return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
    }
    return 1;
}

int stint_reply_is_unwanted(const struct stint_reply *reply)
{
    char byte;
    struct pollfd ends = {.fd = reply->signals, .events = POLLIN};
    return poll(&ends, 1, 0) > 0 || recv(reply->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void stint_reply_free(struct stint_reply *reply)
{
    free(reply->body);
    *reply = (struct stint_reply){.fd = -1};
}
