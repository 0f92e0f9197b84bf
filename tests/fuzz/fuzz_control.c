/* Takes any bytes as a request to a process that listens, and as the answer of one to stint attach. A request is
 * answered with one line, and after the "ok" to json a report; an answer is one that can be printed, or there is a
 * reason why not. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/live.h"
#include "fuzz.h"
#include "import/import.h"
#include "stint/report.h"
#include "stint/statset.h"
#include "stint/stint.h"

enum { MOST_STARTS_MS = 10000 };

static const char *s_folder;
static char s_peer_folder[64];

/* Where this process listens, and where it pretends to. */
static struct sockaddr_un address_of(const char *folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%.64s/", folder);
    (void)stint_path_finish(address.sun_path + length, sizeof address.sun_path - (size_t)length, "%i.sock");
    return address;
}

static void remove_sockets(void)
{
    unlink(address_of(s_peer_folder).sun_path);
    rmdir(s_peer_folder);
    unlink(address_of(s_folder).sun_path);
}

static int make_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(fd >= 0, "there is no socket");
    return fd;
}

/* --------------------------------------------------------------------------------------------------------- requests */

static int connect_to_self(void)
{
    struct sockaddr_un address = address_of(s_folder);
    for (int i = 0; i < MOST_STARTS_MS; i++) {
        int fd = make_socket();
        if (connect(fd, (const struct sockaddr *)(const void *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        usleep(1000); /* stint's thread is still starting */
    }
    require(0, "nobody listens");
    return -1;
}

static void check_answer(const struct output *answer)
{
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    require(answer->used >= 3, "there is no answer");
    if (strcmp(answer->text, "ok\n") == 0)
        return;
    if (strncmp(answer->text, "ok\n", 3) != 0) {
        require(strncmp(answer->text, "error: ", 7) == 0, "neither ok nor an error");
        require(strchr(answer->text, '\n') == answer->text + answer->used - 1, "an error is not one line");
        return;
    }
    require(stint_import_json(answer->text + 3, answer->used - 3, &snapshot, &error) == STINT_OK, "no report");
    stint_snapshot_free(snapshot);
}

static void check_request(const uint8_t *data, size_t size)
{
    struct output answer = {0};
    char part[4096];
    int fd = connect_to_self();
    (void)send(fd, data, size, MSG_NOSIGNAL);
    (void)shutdown(fd, SHUT_WR);
    for (ssize_t got;
         (got = read(fd, part, sizeof part)) > 0 || (got < 0 && errno == EINTR);) /* by libFuzzer's timer */
        (void)keep(&answer, part, got > 0 ? (size_t)got : 0);
    close(fd);
    check_answer(&answer);
    free(answer.text);
}

/* ---------------------------------------------------------------------------------------------------------- answers */

static struct {
    const uint8_t *data;
    size_t size;
    int fd;
} s_peer;

/* A process that answers whatever it is asked. */
static void *answer_all(void *unused)
{
    char request[64];
    for (;;) {
        int client = accept(s_peer.fd, NULL, NULL);
        if (client < 0)
            continue;
        (void)!read(client, request, sizeof request);
        (void)send(client, s_peer.data, s_peer.size, MSG_NOSIGNAL);
        close(client);
    }
    return unused;
}

static void check_peer(const uint8_t *data, size_t size)
{
    char reason[256] = "";
    size_t length = 0;
    struct stint_import_error error;
    struct stint_snapshot *snapshot;
    s_peer.data = data;
    s_peer.size = size;
    char *answer = stint_ask(s_peer_folder, getpid(), "json", &length, reason, sizeof reason);
    require(answer || reason[0], "refused without a reason");
    if (answer && stint_import_json(answer, length, &snapshot, &error) == STINT_OK) {
        (void)stint_report_write(snapshot, STINT_FORMAT_TABLE, NULL, discard, NULL);
        stint_snapshot_free(snapshot);
    }
    free(answer);
}

/* ------------------------------------------------------------------------------------------------------------ start */

static void start(void)
{
    pthread_t thread;
    s_folder = make_folder(remove_sockets);
    require(setenv("STINT_CONTROL", s_folder, 1) == 0 && setenv("STINT_REPORT", "csv", 1) == 0 &&
                setenv("STINT_OUTPUT", "/dev/null", 1) == 0,
            "the environment cannot be changed");
    stint_set_enabled(1); /* starts stint, and its thread */
    stint_statset_add(NULL, "forward", 1000);
    (void)snprintf(s_peer_folder, sizeof s_peer_folder, "%.48s/peer", s_folder);
    require(mkdir(s_peer_folder, 0700) == 0, "the peer has no folder");
    struct sockaddr_un address = address_of(s_peer_folder);
    s_peer.fd = make_socket();
    require(bind(s_peer.fd, (const struct sockaddr *)(const void *)&address, sizeof address) == 0 &&
                listen(s_peer.fd, 8) == 0 && pthread_create(&thread, NULL, answer_all, NULL) == 0,
            "the peer cannot be made");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!s_peer.fd)
        start();
    check_request(data, size);
    check_peer(data, size);
    return 0;
}
