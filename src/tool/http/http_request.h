/* What a request over HTTP says of where it comes from, and what it asks for. */
#ifndef STINT_HTTP_HTTP_REQUEST_H
#define STINT_HTTP_HTTP_REQUEST_H

#include <stdint.h>

/* Whether the header "Host" is this machine's by name or number, not a name that leads here. */
int stint_http_is_local(const char *host);

/* Whether a page of another origin sent it, by the headers "Host", "Origin" and "Sec-Fetch-Site"; NULL: there is no
 * such header. */
int stint_http_is_foreign(const char *host, const char *origin, const char *site);

/* Reads the number `key` of the query behind a path. Returns 0, or -1 if it is not there or no number. */
int stint_http_number(const char *target, const char *key, uint64_t *number);

#endif
