/* Requests over a socket in a folder of the test's, whose client is the same thread: it writes before anybody waits. */
#include "control/listen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "captured_log.h"
#include "record/suspend.h"
#include "stint/stint.h"
#include "stint_test.h"

static char s_folder[64], s_socket[128];
static char s_answer[1 << 16];

static int begin(void **state)
{
    strcpy(s_folder, "/tmp/stint_listen_XXXXXX");
    if (!mkdtemp(s_folder))
        return -1;
    stint_set_enabled(1); /* the start is in the name of the socket */
    size_t length = (size_t)snprintf(s_socket, sizeof s_socket, "%s/", s_folder);
    (void)stint_path_finish(s_socket + length, sizeof s_socket - length, "%i.sock");
    captured_log_begin();
    (void)setenv("STINT_CONTROL", s_folder, 1);
    stint_listen_start();
    stint_listen_prepare(0);
    stint_listen_open();
    return 0;
}

static int end(void **state)
{
    stint_listen_end();
    stint_listen_after_fork();
    return rmdir(s_folder);
}

static const char *ask(const char *request)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    static const struct timespec at_once = {0, 0};
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    size_t length = 0;
    memcpy(address.sun_path, s_socket, strlen(s_socket));
    assert_int_equal(connect(client, (const struct sockaddr *)(const void *)&address, sizeof address), 0);
    assert_int_equal(write(client, request, strlen(request)), strlen(request));
    stint_listen_wait(&at_once);
    for (ssize_t count; (count = read(client, s_answer + length, sizeof s_answer - 1 - length)) > 0;)
        length += (size_t)count;
    s_answer[length] = '\0';
    (void)close(client);
    return s_answer;
}

TEST_EACH(begin, end)

TEST(recording_is_switched_on_request)
{
    assert_true(stint_listen_is_open());
    assert_string_equal(ask("off\n"), "ok\n");
    assert_true(stint_is_suspended());
    assert_string_equal(ask("on\n"), "ok\n");
    assert_false(stint_is_suspended());
}

TEST(a_report_follows_the_ok)
{
    assert_int_equal(strncmp(ask("json\n"), "ok\n{", 4), 0);
    assert_non_null(strstr(s_answer, "\"format\":\"stint-report\""));
}

TEST(without_a_trace_there_is_no_dump)
{
    assert_string_equal(ask("dump\n"), "error: it writes no trace: STINT_TRACE is not set\n");
}

TEST(what_is_no_request_is_refused)
{
    static const char *const lines[] = {"once\n", "\n", "on"};
    for (size_t i = 0; i < TEST_COUNT(lines); i++)
        assert_int_equal(strncmp(ask(lines[i]), "error: expected ", 16), 0);
}

TEST(a_folder_that_others_may_use_is_refused)
{
    stint_listen_end();
    stint_listen_after_fork();
    assert_int_equal(chmod(s_folder, 0755), 0);
    stint_listen_prepare(0);
    stint_listen_open();
    assert_false(stint_listen_is_open());
    assert_non_null(strstr(captured_log.message, "The folder has to be yours, with mode 700"));
}

TEST(what_a_socket_lacks_is_said)
{
    struct rlimit usual, none;
    stint_listen_end();
    stint_listen_after_fork();
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    none = (struct rlimit){0, usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    stint_listen_prepare(0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    assert_non_null(strstr(captured_log.message, "Too many open files; requests will not be received"));
}

TEST(socket_has_no_name_before_it_is_opened)
{
    struct stat status;
    assert_int_equal(stat(s_socket, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    stint_listen_end();
    stint_listen_after_fork();
    stint_listen_prepare(0);
    assert_int_not_equal(access(s_socket, F_OK), 0);
    assert_false(stint_listen_is_open());
    assert_int_equal(stint_listen_wake(), 0); /* opens it, too */
    assert_true(stint_listen_is_open());
    stint_listen_wait(&(struct timespec){0, 0});
    assert_string_equal(ask("on\n"), "ok\n");
}

TEST(socket_that_the_program_has_closed_stays_without_a_name)
{
    stint_listen_end();
    stint_listen_after_fork();
    stint_listen_prepare(0);
    for (int fd = 200; fd < 1100; fd++)
        (void)close(fd);
    stint_listen_open();
    assert_int_not_equal(access(s_socket, F_OK), 0);
    assert_false(stint_listen_is_open());
}

TEST(the_socket_is_gone_at_the_end)
{
    assert_int_equal(access(s_socket, F_OK), 0);
    stint_listen_end();
    assert_int_not_equal(access(s_socket, F_OK), 0);
}

TEST(a_folder_that_is_not_there_is_told)
{
    captured_log_begin();
    (void)setenv("STINT_CONTROL", "/none/at/all", 1);
    stint_listen_start();
    assert_false(stint_listen_is_wanted());
    assert_non_null(strstr(captured_log.message, "STINT_CONTROL=/none/at/all: "));
}
