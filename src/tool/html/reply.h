/* The answer to an HTTP request, kept in memory until its browser has read it, so that it keeps nobody else waiting. */
#ifndef STINT_HTML_REPLY_H
#define STINT_HTML_REPLY_H

#include <stddef.h>

enum { STINT_REPLY_HEAD = 768 };

/* Zeroed but for its first two members, it is empty. */
struct stint_reply {
    int fd;
    int signals;      /* readable when the server is to end */
    const char *type; /* of the body */
    char *body;
    const char *lent; /* the body instead, which belongs to others; NULL: none */
    size_t length;
    size_t room;
    size_t head_length; /* 0: it is not complete yet */
    size_t sent;        /* of head and body */
    char head[STINT_REPLY_HEAD];
};

/* A stint_write_fn, whose context is the reply: adds to the body. */
int stint_reply_write(void *reply, const char *bytes, size_t length);

/* Completes the reply. With a status other than 200, its body says that instead of what it has. */
void stint_reply_end(struct stint_reply *reply, int status);

/* Sends what the socket takes. Returns 1 if that was the rest, 0 if there is more, -1 if the browser is gone. */
int stint_reply_send(struct stint_reply *reply);

/* Whether the browser no longer waits for the answer, or the server is to end. */
int stint_reply_is_unwanted(const struct stint_reply *reply);

void stint_reply_free(struct stint_reply *reply);

#endif
