/* Serves what the program stint has to say over HTTP, for reading only, by libmicrohttpd. One answer is made after the
 * other, but who is slow to ask, or to read an answer, keeps nobody waiting. */
#ifndef STINT_HTTP_HTTP_SERVER_H
#define STINT_HTTP_HTTP_SERVER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/un.h>

/* --------------------------------------------------------------------------------------------------------- requests */

/* Whether the header "Host" is this machine's by name or number, not a name that leads here. */
int stint_http_is_local(const char *host);

/* Whether a page of another origin sent it, by the headers "Host", "Origin" and "Sec-Fetch-Site"; NULL: there is no
 * such header. */
int stint_http_is_foreign(const char *host, const char *origin, const char *site);

/* Reads the number `key` of the query behind a path. Returns 0, or -1 if it is not there or no number. */
int stint_http_number(const char *target, const char *key, uint64_t *number);

/* ----------------------------------------------------------------------------------------------------------- server */

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

/* Answers requests at the socket (stint_listen_at), which is closed then, until SIGINT or SIGTERM, which are no longer
 * delivered. Returns 0, or an errno value. */
int stint_http_run(const struct stint_http_server *server, int listener);

/* A stint_write_fn, whose context is the reply: adds to the body. */
int stint_http_write(void *reply, const char *bytes, size_t length);

void stint_http_free(struct stint_http_reply *reply);

/* Whether nobody waits for the answer any longer, or the server is to end. */
int stint_http_is_unwanted(const struct stint_http_request *request);

/* --------------------------------------------------------------------------------------- address (listen_address.c) */

/* Where a server on this machine listens. */
struct stint_listen_address {
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* of a Unix socket; "" if it is none */
    int is_ipv6;
    unsigned port; /* 0: any that is free */
};

/* Reads the path of a Unix socket, which has a slash, or HOST:PORT. Returns 0, or -1 if it is none, or not of this
 * machine alone: `reason` says so. */
int stint_listen_address_read(struct stint_listen_address *address, const char *text, char *reason, size_t size);

/* Returns a socket that listens, or -1 and errno; the address gets the port that was free. A Unix socket that nobody
 * listens at any more is replaced. */
int stint_listen_at(struct stint_listen_address *address);

#endif
