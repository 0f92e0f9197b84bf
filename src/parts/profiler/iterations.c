/* Reads and tests ranges of iterations, "first:count", that the profiler's window is given as. */
#include "profiler/iterations.h"

#include <errno.h>
#include <stdlib.h>

int stint_window_has(const struct stint_window *window, uint64_t iteration)
{
    return iteration >= window->first && (!window->count || iteration - window->first < window->count);
}

/* Reads digits, without sign or blanks. Returns where they end, or NULL. */
static const char *parse_number(uint64_t *number, const char *text)
{
    char *end;

    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno ? NULL : end;
}

int stint_window_parse(struct stint_window *window, const char *text)
{
    struct stint_window parsed = {0};
    const char *at = parse_number(&parsed.first, text);

    if (at && *at == ':')
        at = parse_number(&parsed.count, at + 1);
    if (!at || *at)
        return -1;
    *window = parsed;
    return 0;
}
