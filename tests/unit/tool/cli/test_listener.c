/* Where running processes listen, what they are asked, and what is made of their answers. */
#include "cli/live.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "captured_output.h"
#include "cli/command.h"
#include "stint/snapshot.h"
#include "stint_test.h"
#include "store/scratch.h"

/* Starts a program with this environment, which waits. */
static pid_t start(const char *variable)
{
    char *environment[] = {(char *)(uintptr_t)variable, NULL};
    int pipes[2];
    char byte;
    assert_int_equal(pipe2(pipes, O_CLOEXEC), 0); /* closed as soon as the program runs */
    pid_t child = fork();
    if (child == 0) {
        (void)execle("/bin/sleep", "sleep", "100", NULL, environment);
        _exit(127);
    }
    (void)close(pipes[1]);
    (void)!read(pipes[0], &byte, 1);
    (void)close(pipes[0]);
    return child;
}

static void stop(pid_t child)
{
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
}

static int find(long long pid, char *folder, size_t size)
{
    captured_output_begin();
    int failed = stint_find_listener(folder, size, pid);
    captured_output_end();
    return failed;
}

TEST_ONCE(scratch_make, scratch_remove)

TEST(the_environment_names_the_folder)
{
    char folder[PATH_MAX + 64], expected[64];
    pid_t absolute = start("STINT_CONTROL=/run/control"), relative = start("STINT_CONTROL=control");
    assert_int_equal(find(absolute, folder, sizeof folder), 0);
    assert_string_equal(folder, "/run/control");
    assert_int_equal(find(relative, folder, sizeof folder), 0);
    (void)snprintf(expected, sizeof expected, "/proc/%ld/cwd/control", (long)relative);
    assert_string_equal(folder, expected);
    stop(absolute);
    stop(relative);
}

TEST(who_has_none_is_told)
{
    char folder[PATH_MAX + 64];
    pid_t child = start("OTHER=x");
    assert_int_equal(find(child, folder, sizeof folder), -1);
    assert_non_null(strstr(captured_output.err, "it was not started by stint run, nor with STINT_CONTROL set"));
    stop(child);
    assert_int_equal(find(child, folder, sizeof folder), -1);
    assert_non_null(strstr(captured_output.err, "stint: there is no process "));
}

static void note(void *context, long long pid, const char *folder)
{
    if (pid == getpid())
        (void)snprintf(context, PATH_MAX, "%s", folder);
}

TEST(a_socket_that_is_bound_says_it_as_well)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char here[PATH_MAX], found[PATH_MAX] = "";
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_non_null(getcwd(here, sizeof here));
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%.60s/%ld.sock", here, (long)getpid());
    assert_int_equal(bind(listener, (const struct sockaddr *)(const void *)&address, sizeof address), 0);
    char *folder = stint_socket_folder(getpid());
    assert_non_null(folder);
    assert_string_equal(folder, here);
    free(folder);
    stint_each_listener(note, found);
    assert_string_equal(found, here);
    assert_int_equal(close(listener), 0);
    assert_null(stint_socket_folder(getpid()));
    (void)unlink(address.sun_path);
}

static int read_pid(int count, char **arguments)
{
    long long pid;
    return stint_read_pid(arguments[1], &pid) ? STINT_CLI_USAGE : (int)pid;
}

TEST(process_ids_are_numbers)
{
    static const struct captured_case cases[] = {
        {"x 12", 12, "", ""},
        {"x 0", 2, "", "stint: 0 is not a process id\n"},
        {"x 12a", 2, "", "stint: 12a is not a process id\n"},
        {"x 99999999999", 2, "", "stint: 99999999999 is not a process id\n"},
    };
    CAPTURED_CHECK(read_pid, cases);
}

/* --------------------------------------------------------------------------------------------------------- requests */

static pid_t s_child;
static char s_socket[64] = "7.1764200000123456789.sock"; /* what a process is called in a namespace of its own */

/* Has a process of its own answer one request with this text, behind which "ok" alone has a report. */
static void listen_once(const char *answer)
{
    struct sockaddr_un address = {
        .sun_family = AF_UNIX,
    };
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(listener >= 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", s_socket);
    (void)unlink(s_socket);
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
    char *answer = stint_ask(".", getpid(), "print", length, reason, size);
    (void)waitpid(s_child, NULL, 0);
    return answer;
}

TEST(an_answer_is_what_is_behind_ok)
{
    char reason[256];
    size_t length;
    listen_once("ok\n/tmp/dump\n");
    char *answer = ask(&length, reason, sizeof reason);
    assert_non_null(answer);
    assert_string_equal(answer, "/tmp/dump\n");
    assert_int_equal(length, 10);
    free(answer);
}

TEST(a_refusal_has_its_reason)
{
    char reason[256];
    size_t length;
    listen_once("error: not now\n");
    assert_null(ask(&length, reason, sizeof reason));
    assert_string_equal(reason, "refused: not now");
    listen_once("what?");
    assert_null(ask(&length, reason, sizeof reason));
    assert_string_equal(reason, "refused: it has ended");
}

TEST(who_does_not_listen_is_told)
{
    char reason[256];
    size_t length;
    (void)unlink(s_socket);
    assert_null(stint_ask(".", getpid(), "on", &length, reason, sizeof reason));
    assert_string_equal(reason, "is not listening: it has recorded nothing so far, or is about to end");
    (void)snprintf(s_socket, sizeof s_socket, "%ld.17.sock", (long)getpid());
    listen_once("");
    (void)kill(s_child, SIGKILL);
    (void)waitpid(s_child, NULL, 0);
    assert_null(stint_ask(".", getpid(), "on", &length, reason, sizeof reason));
    assert_string_equal(reason, "is no longer listening");
    assert_null(stint_ask("no-such-folder", getpid(), "on", &length, reason, sizeof reason));
}

TEST(a_report_becomes_a_snapshot)
{
    int is_silent = 0;
    listen_once("ok\n");
    struct stint_snapshot *snapshot = stint_ask_snapshot(".", getpid(), &is_silent);
    assert_non_null(snapshot);
    assert_int_equal(snapshot->process.pid, 4711);
    stint_snapshot_free(snapshot);
    (void)waitpid(s_child, NULL, 0);
    listen_once("ok\nnonsense");
    assert_null(stint_ask_snapshot(".", getpid(), &is_silent));
    assert_false(is_silent);
    (void)waitpid(s_child, NULL, 0);
}
