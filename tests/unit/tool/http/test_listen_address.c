/* Where a server listens: on this machine alone. */
#include "http/http_server.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint_test.h"

static struct stint_listen_address s_address;

static int read_address(const char *text)
{
    char reason[256] = "";
    int failed = stint_listen_address_read(&s_address, text, reason, sizeof reason);
    assert_int_equal(failed, reason[0] ? -1 : 0);
    return failed;
}

TEST(ports_and_paths_of_this_machine_are_read)
{
    assert_int_equal(read_address("127.0.0.1:9464"), 0);
    assert_int_equal(s_address.port, 9464);
    assert_false(s_address.is_ipv6);
    assert_int_equal(read_address("localhost:1"), 0);
    assert_int_equal(read_address("[::1]:65535"), 0);
    assert_true(s_address.is_ipv6);
    assert_int_equal(read_address("./a.sock"), 0);
    assert_string_equal(s_address.path, "./a.sock");
}

TEST(other_addresses_are_refused)
{
    static const char *const others[] = {
        "0.0.0.0:9464", "[::]:9464",       "example.com:9464", "9464",         "127.0.0.1",
        "127.0.0.1:0",  "127.0.0.1:70000", "127.0.0.1:9-8",    "localhost: 1", ""};
    char longest[200];
    for (size_t i = 0; i < TEST_COUNT(others); i++)
        assert_int_equal(read_address(others[i]), -1);
    (void)snprintf(longest, sizeof longest, "/%0150d", 0);
    assert_int_equal(read_address(longest), -1);
}

TEST(a_socket_that_was_left_is_replaced)
{
    struct stat status;
    (void)snprintf(s_address.path, sizeof s_address.path, "/tmp/test_listen.%ld.sock", (long)getpid());
    int first = stint_listen_at(&s_address);
    assert_true(first >= 0);
    assert_int_equal(stat(s_address.path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0666);
    assert_int_equal(stint_listen_at(&s_address), -1);
    assert_int_equal(errno, EADDRINUSE);
    (void)close(first);
    int second = stint_listen_at(&s_address);
    assert_true(second >= 0);
    (void)close(second);
    (void)unlink(s_address.path);
}

TEST(a_free_port_is_told)
{
    struct stint_listen_address any = {.port = 0}, same;
    int first = stint_listen_at(&any);
    assert_true(first >= 0);
    assert_true(any.port > 0);
    same = any;
    assert_int_equal(stint_listen_at(&same), -1);
    assert_int_equal(errno, EADDRINUSE);
    (void)close(first);
}
