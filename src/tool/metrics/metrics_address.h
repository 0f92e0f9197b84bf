/* Where metrics are: STINT_METRICS. A path is a Unix socket's; else it is HOST:PORT, or HOST:FIRST-LAST for the first
 * port that is free. */
#ifndef STINT_METRICS_METRICS_ADDRESS_H
#define STINT_METRICS_METRICS_ADDRESS_H

#include <limits.h>
#include <stddef.h>

struct stint_metrics_address {
    char path[PATH_MAX]; /* of a Unix socket; "" if it is none */
    int is_ipv6;
    unsigned first, last; /* ports */
};

/* Returns 0, or -1 if it is none, or not of this machine alone: `reason` says so. */
int stint_metrics_address_read(struct stint_metrics_address *address, const char *text, char *reason, size_t size);

/* Returns a socket that listens, or -1 and errno. A Unix socket that nobody listens at any more is replaced. */
int stint_metrics_listen(const struct stint_metrics_address *address);

#endif
