/* Serves a page to browsers on the same machine: one request after the other, for reading only, to those who know a
 * token. Who is slow to ask, or to read an answer, keeps nobody waiting. Other users of the machine can connect, but do
 * not know the token; other sites that a browser shows can neither read the answers nor guess the address. */
#ifndef STINT_HTML_SERVER_H
#define STINT_HTML_SERVER_H

#include <stddef.h>
#include <stdint.h>

#include "html/reply.h"
#include "html/request.h"

enum { STINT_SERVER_TOKEN = 32 };

struct stint_server {
    /* Answers a request for what is below the token's folder: `path` is its target without that. Writes an answer and
     * returns 200, or returns the status to answer instead. */
    int (*answer)(void *context, const char *path, const struct stint_request *request, struct stint_reply *reply);
    void *context;

    uint16_t port; /* on which it listens */
    char token[STINT_SERVER_TOKEN + 1];
    int listener;
    int signals; /* tells of SIGINT and SIGTERM */
};

/* Listens at the port, 0: any that is free, of the loopback interface. Returns 0, or an errno value. */
int stint_server_open(struct stint_server *server, uint16_t port);

/* Answers requests until SIGINT or SIGTERM, which then are no longer delivered. Returns 0, or an errno value. */
int stint_server_run(struct stint_server *server);

void stint_server_close(struct stint_server *server);

#endif
