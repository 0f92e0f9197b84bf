/* Where a server on this machine listens. */
#ifndef STINT_HTTP_LISTEN_ADDRESS_H
#define STINT_HTTP_LISTEN_ADDRESS_H

#include <stddef.h>
#include <sys/un.h>

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
