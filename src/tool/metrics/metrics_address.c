#include "metrics/metrics_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file_name.h"

enum { WAITING = 16 };

/* ------------------------------------------------------------------------------------------------------------- text */

/* Reads "9464" or "9464-9479", up to the end. */
static int read_ports(struct stint_metrics_address *address, const char *text)
{
    char *end;
    unsigned long first = strtoul(text, &end, 10), last = first;
    if (text[0] < '0' || text[0] > '9')
        return -1;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        last = strtoul(end + 1, &end, 10);
    if (*end || first < 1 || last < first || last > UINT16_MAX)
        return -1;
    address->first = (unsigned)first;
    address->last = (unsigned)last;
    return 0;
}

static int read_path(struct stint_metrics_address *address, const char *text)
{
    char prepared[PATH_MAX];
    struct sockaddr_un un;
    return stint_path_prepare_here(prepared, sizeof prepared, text) ||
                   stint_path_finish(address->path, sizeof address->path, prepared) ||
                   strlen(address->path) >= sizeof un.sun_path
               ? -1
               : 0;
}

/* Metrics are for everybody who can reach them, so they stay on this machine. */
static int read_host(struct stint_metrics_address *address, const char *text)
{
    static const char *const hosts[] = {"127.0.0.1:", "localhost:", "[::1]:"};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        size_t length = strlen(hosts[i]);
        if (strncmp(text, hosts[i], length) == 0) {
            address->is_ipv6 = i == 2;
            return read_ports(address, text + length);
        }
    }
    return -1;
}

int stint_metrics_address_read(struct stint_metrics_address *address, const char *text, char *reason, size_t size)
{
    *address = (struct stint_metrics_address){.path = ""};
    if ((strchr(text, '/') ? read_path(address, text) : read_host(address, text)) == 0)
        return 0;
    (void)snprintf(
        reason, size,
        "expected a port of this machine, such as 127.0.0.1:9464, several, as in 127.0.0.1:9464-9479, or the "
        "path of a Unix socket, such as /run/web.%%p.sock");
    return -1;
}

/* ---------------------------------------------------------------------------------------------------------- sockets */

static int give_up(int fd)
{
    int error = errno;
    (void)close(fd);
    errno = error;
    return -1;
}

static int bind_to(int family, const void *address, socklen_t size)
{
    static const int yes = 1;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (family != AF_UNIX) /* else the port of a process that has just ended is taken for a minute */
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, address, size) || listen(fd, WAITING))
        return give_up(fd);
    return fd;
}

static int bind_port(const struct stint_metrics_address *address, unsigned port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 in6 = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address->is_ipv6 ? bind_to(AF_INET6, &in6, sizeof in6) : bind_to(AF_INET, &in, sizeof in);
}

/* Whether the file is a socket that nobody listens at. */
static int is_left(const struct sockaddr_un *un)
{
    struct stat status;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return 0;
    int left = lstat(un->sun_path, &status) == 0 && S_ISSOCK(status.st_mode) && status.st_uid == geteuid() &&
               connect(fd, (const struct sockaddr *)(const void *)un, sizeof *un) && errno == ECONNREFUSED;
    (void)close(fd);
    return left;
}

static int bind_path(const char *path)
{
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    strcpy(un.sun_path, path);
    int fd = bind_to(AF_UNIX, &un, sizeof un);
    if (fd < 0 && errno == EADDRINUSE) {
        if (is_left(&un) && unlink(path) == 0)
            fd = bind_to(AF_UNIX, &un, sizeof un);
        else
            errno = EADDRINUSE;
    }
    if (fd >= 0) /* as a port: for everybody who can reach the folder */
        (void)chmod(path, 0666);
    return fd;
}

int stint_metrics_listen(const struct stint_metrics_address *address)
{
    if (address->path[0])
        return bind_path(address->path);
    int fd = -1;
    errno = EADDRINUSE;
    for (unsigned port = address->first; fd < 0 && errno == EADDRINUSE && port <= address->last; port++)
        fd = bind_port(address, port);
    return fd;
}
