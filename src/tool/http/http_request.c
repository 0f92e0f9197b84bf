/* Keeps other sites away from what is served on this machine, and reads the numbers of a query. */
#include "http/http_request.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/* Another site can make its own name lead to this machine, but then it is that name which the browser sends. The port
 * is not compared, because it may be another one where an SSH tunnel begins. */
int stint_http_is_local(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(host, names[i], length) == 0 && (!host[length] || host[length] == ':'))
            return 1;
    }
    return 0;
}

int stint_http_is_foreign(const char *host, const char *origin, const char *site)
{
    static const char scheme[] = "http://";
    size_t length = sizeof scheme - 1;
    if (origin && (strncmp(origin, scheme, length) != 0 || strcasecmp(origin + length, host) != 0))
        return 1;
    return site && strcasecmp(site, "same-origin") != 0 && strcasecmp(site, "none") != 0;
}

static int read_number(const char *text, uint64_t *number)
{
    enum { MOST_DIGITS = 18 };
    size_t digits = strspn(text, "0123456789");
    if (!digits || digits > MOST_DIGITS || (text[digits] && text[digits] != '&'))
        return -1;
    *number = 0;
    for (size_t i = 0; i < digits; i++)
        *number = *number * 10 + (uint64_t)(text[i] - '0');
    return 0;
}

int stint_http_number(const char *target, const char *key, uint64_t *number)
{
    size_t length = strlen(key);
    for (const char *at = strpbrk(target, "?&"); at; at = strpbrk(at + 1, "?&"))
        if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=')
            return read_number(at + length + 2, number);
    return -1;
}
