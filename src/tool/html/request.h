/* The head of an HTTP request, as a browser sends it to the page that stint serves on the same machine. */
#ifndef STINT_HTML_REQUEST_H
#define STINT_HTML_REQUEST_H

#include <stddef.h>
#include <stdint.h>

enum { STINT_REQUEST_HEAD = 16384, STINT_REQUEST_TARGET = 256 };

struct stint_request {
    char target[STINT_REQUEST_TARGET]; /* path and query, printable ASCII */
    int is_local;   /* it was sent to this machine by name or number, not to a name that leads here */
    int is_foreign; /* a page of another origin sent it */
};

/* Reads a head of HTTP/1.1. Returns 0 if it is not complete yet; 200 if it is; else the status that refuses it: 400 if
 * it is none, 405 if its method is not GET, 414 or 431 if it is too long, 505 for other versions. */
int stint_request_read(struct stint_request *request, const char *bytes, size_t length);

/* Reads the number `key` of the target's query. Returns 0, or -1 if it is not there or no number. */
int stint_request_number(const struct stint_request *request, const char *key, uint64_t *number);

#endif
