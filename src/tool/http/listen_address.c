/* Addresses of servers: ports of the loopback interface, and Unix sockets. */
#include "http/http_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAITING = 64 };

/* ------------------------------------------------------------------------------------------------------------- text */

static int read_port(struct stint_listen_address *address, const char *text)
{
    char *end;
    unsigned long port = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || port < 1 || port > UINT16_MAX)
        return -1;
    address->port = (unsigned)port;
    return 0;
}

static int read_path(struct stint_listen_address *address, const char *text)
{
    size_t length = strlen(text);
    if (length >= sizeof address->path)
        return -1;
    memcpy(address->path, text, length + 1);
    return 0;
}

/* What is served is for everybody who can reach it, so it stays on this machine. */
static int read_host(struct stint_listen_address *address, const char *text)
{
    static const char *const hosts[] = {"127.0.0.1:", "localhost:", "[::1]:"};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        size_t length = strlen(hosts[i]);
        if (strncmp(text, hosts[i], length) == 0) {
            address->is_ipv6 = i == 2;
            return read_port(address, text + length);
        }
    }
    return -1;
}

int stint_listen_address_read(struct stint_listen_address *address, const char *text, char *reason, size_t size)
{
    *address = (struct stint_listen_address){.path = ""};
    if ((strchr(text, '/') ? read_path(address, text) : read_host(address, text)) == 0)
        return 0;
    (void)snprintf(reason, size,
                   "expected a port of this machine, such as 127.0.0.1:9464, or the path of a Unix socket, such as "
                   "/run/stint.sock");
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

static int bind_to(int family, void *address, socklen_t size)
{
    static const int yes = 1;
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    if (family != AF_UNIX) /* else the port of a process that has just ended is taken for a minute */
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, address, size) || listen(fd, WAITING) || getsockname(fd, address, &size))
        return give_up(fd);
    return fd;
}

static int bind_port(struct stint_listen_address *address)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons((uint16_t)address->port)};
    struct sockaddr_in6 in6 = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)address->port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = address->is_ipv6 ? bind_to(AF_INET6, &in6, sizeof in6) : bind_to(AF_INET, &in, sizeof in);
    address->port = ntohs(address->is_ipv6 ? in6.sin6_port : in.sin_port);
    return fd;
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

int stint_listen_at(struct stint_listen_address *address)
{
    return address->path[0] ? bind_path(address->path) : bind_port(address);
}
