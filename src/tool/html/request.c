#include "html/request.h"

#include <string.h>
#include <strings.h>

/* A piece of the head. */
struct piece {
    const char *at;
    size_t length;
};

static int is_text(struct piece piece, const char *text)
{
    return piece.length == strlen(text) && strncasecmp(piece.at, text, piece.length) == 0;
}

/* Takes what stands before the next `end` off `rest`. Returns 0, or -1 if there is no such character. */
static int take(struct piece *rest, char end, struct piece *piece)
{
    const char *found = memchr(rest->at, end, rest->length);
    if (!found)
        return -1;
    *piece = (struct piece){rest->at, (size_t)(found - rest->at)};
    rest->length -= piece->length + 1;
    rest->at = found + 1;
    return 0;
}

static struct piece trim(struct piece piece)
{
    while (piece.length && strchr(" \t\r", piece.at[piece.length - 1]))
        piece.length--;
    while (piece.length && strchr(" \t", *piece.at))
        piece = (struct piece){piece.at + 1, piece.length - 1};
    return piece;
}

/* -------------------------------------------------------------------------------------------------------- the lines */

static int read_target(struct stint_request *request, struct piece target)
{
    if (target.length >= sizeof request->target)
        return 414;
    for (size_t i = 0; i < target.length; i++)
        if (target.at[i] <= ' ' || target.at[i] > '~')
            return 400;
    memcpy(request->target, target.at, target.length);
    request->target[target.length] = '\0';
    return target.length && *target.at == '/' ? 200 : 400;
}

static int read_first_line(struct stint_request *request, struct piece line)
{
    struct piece method, target;
    line = trim(line);
    if (take(&line, ' ', &method) || take(&line, ' ', &target))
        return 400;
    if (!is_text(line, "HTTP/1.1"))
        return line.length > 5 && strncmp(line.at, "HTTP/", 5) == 0 ? 505 : 400;
    if (!is_text(method, "GET"))
        return 405;
    return read_target(request, target);
}

/* Another site can make its own name lead to this machine, but then it is that name which the browser sends. The port
 * is not compared, because it may be another one where an SSH tunnel begins. */
static int is_here(struct piece host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (host.length >= length && strncasecmp(host.at, names[i], length) == 0 &&
            (host.length == length || host.at[length] == ':'))
            return 1;
    }
    return 0;
}

static int is_own(struct piece origin, struct piece host)
{
    static const char scheme[] = "http://";
    size_t length = sizeof scheme - 1;
    return origin.length == length + host.length && memcmp(origin.at, scheme, length) == 0 &&
           strncasecmp(origin.at + length, host.at, host.length) == 0;
}

/* What the headers say of where a request comes from, and where it goes. */
struct headers {
    struct piece host, origin, site;
    int hosts;
};

static int read_header(struct headers *headers, struct piece line)
{
    struct piece name;
    if (memchr(line.at, '\0', line.length) || take(&line, ':', &name))
        return -1;
    line = trim(line);
    if (is_text(name, "Host")) {
        headers->host = line;
        headers->hosts++;
    } else if (is_text(name, "Origin")) {
        headers->origin = line;
    } else if (is_text(name, "Sec-Fetch-Site")) {
        headers->site = line;
    }
    return 0;
}

/* Returns the status. The last line is empty. */
static int read_lines(struct stint_request *request, struct piece head)
{
    struct headers headers = {.hosts = 0};
    struct piece line;
    int status = take(&head, '\n', &line) ? 400 : read_first_line(request, line);
    if (status != 200)
        return status;
    while (take(&head, '\n', &line) == 0 && trim(line).length)
        if (read_header(&headers, line))
            return 400;
    if (headers.hosts != 1)
        return 400;
    request->is_local = is_here(headers.host);
    request->is_foreign = (headers.origin.at && !is_own(headers.origin, headers.host)) ||
                          (headers.site.at && !is_text(headers.site, "same-origin") && !is_text(headers.site, "none"));
    return 200;
}

int stint_request_read(struct stint_request *request, const char *bytes, size_t length)
{
    static const char end[] = "\r\n\r\n";
    *request = (struct stint_request){.target = ""};
    const char *found = memmem(bytes, length, end, sizeof end - 1);
    if (!found)
        return length < STINT_REQUEST_HEAD ? 0 : 431;
    return read_lines(request, (struct piece){bytes, (size_t)(found - bytes) + sizeof end - 1});
}

/* -------------------------------------------------------------------------------------------------------- the query */

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

int stint_request_number(const struct stint_request *request, const char *key, uint64_t *number)
{
    size_t length = strlen(key);
    for (const char *at = strpbrk(request->target, "?&"); at; at = strpbrk(at + 1, "?&"))
        if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=')
            return read_number(at + length + 2, number);
    return -1;
}
