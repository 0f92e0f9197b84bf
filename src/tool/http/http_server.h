/* Serves what the program stint has to say over HTTP, for reading only, by libmicrohttpd. One answer is made after the
 * other, but who is slow to ask, or to read an answer, keeps nobody waiting. */
#ifndef STINT_HTTP_HTTP_SERVER_H
#define STINT_HTTP_HTTP_SERVER_H

#include <stddef.h>

struct stint_http_request {
    const char *target; /* path and query, printable ASCII, not decoded */
    int client;
    int signals;
};

/* Zeroed, it is empty. */
struct stint_http_reply {
    const char *type; /* of the body, in UTF-8 */
    char *body;
    const char *lent; /* the body instead, which belongs to others; NULL: none */
    size_t length;
    size_t room;
};

struct stint_http_server {
    /* Answers a request: writes a reply and returns 200, or returns the status to answer instead. */
    int (*answer)(void *context, const struct stint_http_request *request, struct stint_http_reply *reply);
    void *context;
    const char *hint; /* what a request that is refused, or finds nothing, should have been */
};

/* Returns NULL, or why nothing can be served. */
const char *stint_http_missing(void);

/* Answers requests at the socket (listen_address.h), which is closed then, until SIGINT or SIGTERM, which are no longer
 * delivered. Returns 0, or an errno value. */
int stint_http_run(const struct stint_http_server *server, int listener);

/* A stint_write_fn, whose context is the reply: adds to the body. */
int stint_http_write(void *reply, const char *bytes, size_t length);

void stint_http_free(struct stint_http_reply *reply);

/* Whether nobody waits for the answer any longer, or the server is to end. */
int stint_http_is_unwanted(const struct stint_http_request *request);

#endif
