/* The answer to an HTTP request, sent in chunks, so that its length need not be known before. */
#ifndef STINT_HTML_REPLY_H
#define STINT_HTML_REPLY_H

#include <stddef.h>

enum { STINT_REPLY_CHUNK = 16384, STINT_REPLY_PATIENCE_MS = 10000 };

struct stint_reply {
    int fd;
    int signals; /* readable when the server is to end */
    int has_begun;
    int failed; /* to be sent */
    size_t used;
    char chunk[STINT_REPLY_CHUNK];
};

/* Begins a successful answer. */
void stint_reply_begin(struct stint_reply *reply, const char *type);

/* A stint_write_fn, whose context is the reply. */
int stint_reply_write(void *reply, const char *bytes, size_t length);

/* Says that it is complete. An answer that does not end in this way tells the browser that something is missing. */
void stint_reply_end(struct stint_reply *reply);

/* Answers with a status other than 200. */
void stint_reply_refuse(struct stint_reply *reply, int status);

/* Whether the browser no longer waits for the answer, or the server is to end. */
int stint_reply_is_unwanted(const struct stint_reply *reply);

#endif
