/* Requests to a process that listens, and what is made of its answers. */
#include "cli/listener.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint/snapshot.h"
#include "stint_test.h"
#include "store/scratch.h"

static pid_t s_child;

/* Has a process of its own answer one request with this text, behind which "ok" alone has a report. */
static void listen_once(const char *answer)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "7.sock"};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener >= 0);
    (void)unlink("7.sock");
    assert_int_equal(bind(listener, (const struct sockaddr *)(const void *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    s_child = fork();
    if (s_child) {
        (void)close(listener);
        return;
    }
    int fd = accept(listener, NULL, NULL);
    char request[64], report[1 << 16];
    FILE *file = fopen(STINT_GOLDEN_DIR "/report_json_gpu.json", "r");
    size_t length = file && strcmp(answer, "ok\n") == 0 ? fread(report, 1, sizeof report, file) : 0;
    if (fd < 0 || read(fd, request, sizeof request) <= 0 || write(fd, answer, strlen(answer)) < 0 ||
        write(fd, report, length) < 0)
        _exit(1);
    _exit(0);
}

/* Asks for "print"; returns the answer, or NULL and the reason. */
static char *ask(size_t *length, char *reason, size_t size)
{
    char *answer = stint_ask(".", 7, "print", length, reason, size);
    (void)waitpid(s_child, NULL, 0);
    return answer;
}

static void an_answer_is_what_is_behind_ok(void **state)
{
    char reason[256];
    size_t length;
    (void)state;
    listen_once("ok\n/tmp/dump\n");
    char *answer = ask(&length, reason, sizeof reason);
    assert_non_null(answer);
    assert_string_equal(answer, "/tmp/dump\n");
    assert_int_equal(length, 10);
    free(answer);
}

static void a_refusal_has_its_reason(void **state)
{
    char reason[256];
    size_t length;
    (void)state;
    listen_once("error: not now\n");
    assert_null(ask(&length, reason, sizeof reason));
    assert_string_equal(reason, "refuses: not now");
    listen_once("what?");
    assert_null(ask(&length, reason, sizeof reason));
    assert_string_equal(reason, "refuses: it has ended");
}

static void who_does_not_listen_is_told(void **state)
{
    char reason[256];
    size_t length;
    (void)state;
    (void)unlink("7.sock");
    assert_null(stint_ask(".", 7, "on", &length, reason, sizeof reason));
    assert_string_equal(reason, "does not listen: it has recorded nothing so far, or is about to end");
    listen_once("");
    (void)kill(s_child, SIGKILL);
    (void)waitpid(s_child, NULL, 0);
    assert_null(stint_ask(".", 7, "on", &length, reason, sizeof reason));
    assert_string_equal(reason, "does not listen any more");
    assert_null(stint_ask("no-such-folder", 7, "on", &length, reason, sizeof reason));
}

static void a_report_becomes_a_snapshot(void **state)
{
    (void)state;
    listen_once("ok\n");
    struct stint_snapshot *snapshot = stint_ask_snapshot(".", 7);
    assert_non_null(snapshot);
    assert_int_equal(snapshot->process.pid, 4711);
    stint_snapshot_free(snapshot);
    (void)waitpid(s_child, NULL, 0);
    listen_once("ok\nnonsense");
    assert_null(stint_ask_snapshot(".", 7));
    (void)waitpid(s_child, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_is_what_is_behind_ok),
        cmocka_unit_test(a_refusal_has_its_reason),
        cmocka_unit_test(who_does_not_listen_is_told),
        cmocka_unit_test(a_report_becomes_a_snapshot),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
