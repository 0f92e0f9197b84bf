/* The page of stint report, served to who knows its token. */
#include "cli/command.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "http/http_server.h"
#include "stint_test.h"

static pid_t s_child;
static unsigned s_port;
static char s_token[64];
static char s_answer[1 << 20];

/* Has a process of its own serve a recording, and reads from its standard output where. */
static int begin(void **state)
{
    static char name[] = "report", file[] = STINT_GOLDEN_DIR "/report_json_gpu.json", serve[] = "--serve";
    int pipes[2];
    char line[256] = "";
    if (stint_http_missing())
        return 0;
    if (pipe(pipes))
        return -1;
    s_child = fork();
    if (s_child == 0) {
        char *arguments[] = {name, file, serve, NULL};
        (void)dup2(pipes[1], STDOUT_FILENO);
        (void)!freopen("/dev/null", "w", stderr);
        _exit(stint_cli_report(3, arguments));
    }
    (void)close(pipes[1]);
    FILE *out = fdopen(pipes[0], "r");
    return out && fgets(line, sizeof line, out) && sscanf(line, "http://127.0.0.1:%u/%63[^/]/", &s_port, s_token) == 2
               ? 0
               : -1;
}

static int end(void **state)
{
    if (s_child) {
        (void)kill(s_child, SIGTERM);
        (void)waitpid(s_child, NULL, 0);
    }
    return 0;
}

/* Asks for a path behind the token, or another one. Returns the status. */
static int get(const char *token, const char *path)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)s_port), .sin_addr = {.s_addr = htonl(INADDR_LOOPBACK)}};
    char request[512];
    size_t used = 0;
    int status = 0, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int length =
        snprintf(request, sizeof request, "GET /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n\r\n",
                 token, path, s_port);
    assert_int_equal(connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address), 0);
    assert_int_equal(write(fd, request, (size_t)length), length);
    for (ssize_t got; (got = read(fd, s_answer + used, sizeof s_answer - 1 - used)) > 0;)
        used += (size_t)got;
    s_answer[used] = '\0';
    (void)close(fd);
    assert_int_equal(sscanf(s_answer, "HTTP/1.1 %d", &status), 1);
    return status;
}

TEST_ONCE(begin, end)

TEST(the_page_is_for_who_knows_the_token)
{
    if (!s_child)
        skip();
    assert_int_equal(get(s_token, ""), 200);
    assert_non_null(strstr(s_answer, "<title>train"));
    assert_int_equal(get("0123456789abcdef0123456789abcdef", ""), 403);
    assert_int_equal(get(s_token, "nothing"), 404);
}

TEST(parts_of_the_timeline_are_asked_for_by_time)
{
    if (!s_child)
        skip();
    assert_int_equal(get(s_token, "part?from=0&to=1000000000000"), 200);
    assert_non_null(strstr(s_answer, "application/json"));
    assert_int_equal(get(s_token, "part?from=5&to=5"), 400);
    assert_int_equal(get(s_token, "part?from=5"), 400);
}
