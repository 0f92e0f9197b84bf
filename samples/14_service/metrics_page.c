/* The page /metrics of the service's own HTTP server, which here has no other: what stint has recorded so far. */
#define _POSIX_C_SOURCE 200809L

#include "metrics_page.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stint/report.h>

static int s_listener;

/* A stint_write_fn: text comes piece by piece. */
static int send_text(void *client, const char *bytes, size_t length)
{
    while (length) {
        ssize_t sent = send(*(const int *)client, bytes, length, MSG_NOSIGNAL);

        if (sent < 0)
            return -1;
        bytes += sent;
        length -= (size_t)sent;
    }
    return 0;
}

static void send_metrics(int client)
{
    static const char head[] = "HTTP/1.1 200 OK\r\n"
                               "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"
                               "Connection: close\r\n\r\n";
    struct stint_snapshot *snapshot;

    if (stint_snapshot_take(&snapshot))
        return;
    if (send_text(&client, head, sizeof head - 1) == 0)
        stint_report_write(snapshot, STINT_FORMAT_OPENMETRICS, NULL, send_text, &client);
    stint_snapshot_free(snapshot);
}

static void *serve(void *unused)
{
    for (;;) {
        char request[4096];
        int client = accept(s_listener, NULL, NULL);

        if (client < 0)
            continue;
        if (recv(client, request, sizeof request, 0) > 0 && strncmp(request, "GET /metrics", 12) == 0)
            send_metrics(client);
        close(client);
    }
    return unused;
}

int serve_metrics(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    pthread_t thread;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s_listener = socket(AF_INET, SOCK_STREAM, 0);
    if (s_listener < 0 || bind(s_listener, (const struct sockaddr *)&address, sizeof address) || listen(s_listener, 8))
        return -1;
    return pthread_create(&thread, NULL, serve, NULL) ? -1 : 0;
}
