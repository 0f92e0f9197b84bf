/* Heads of HTTP requests, as browsers send them, and as others do. */
#include "html/request.h"

#include <stdio.h>
#include <string.h>

#include "stint_test.h"

#define FIRST "GET /token/part?from=1&to=20 HTTP/1.1\r\n"
#define HOST "Host: 127.0.0.1:8000\r\n"

static struct stint_request s_request;

static int status_of(const char *head)
{
    return stint_request_read(&s_request, head, strlen(head));
}

static void a_browsers_request_is_read(void **state)
{
    (void)state;
    assert_int_equal(status_of(FIRST HOST "Accept: */*\r\nSec-Fetch-Site: none\r\n\r\n"), 200);
    assert_string_equal(s_request.target, "/token/part?from=1&to=20");
    assert_true(s_request.is_local);
    assert_false(s_request.is_foreign);
}

/* One byte after the other. */
static void a_request_is_complete_with_its_empty_line(void **state)
{
    static const char head[] = FIRST HOST "\r\n";
    (void)state;
    for (size_t length = 0; length < sizeof head - 1; length++)
        assert_int_equal(stint_request_read(&s_request, head, length), 0);
    assert_int_equal(status_of(head), 200);
}

static void other_requests_are_refused(void **state)
{
    static const struct {
        const char *head;
        int status;
    } cases[] = {
        {"POST / HTTP/1.1\r\n" HOST "\r\n", 405}, {"GET / HTTP/1.0\r\n" HOST "\r\n", 505},
        {"GET /\r\n" HOST "\r\n", 400},           {"GET http://a/ HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET  HTTP/1.1\r\n" HOST "\r\n", 400},   {"GET /\t HTTP/1.1\r\n" HOST "\r\n", 400},
        {"GET / HTTP/1.1\r\n\r\n", 400},          {"GET / HTTP/1.1\r\n" HOST HOST "\r\n", 400},
        {"GET / HTTP/1.1\r\nHost\r\n\r\n", 400},  {"\r\n\r\n", 400},
    };
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(cases); i++)
        assert_int_equal(status_of(cases[i].head), cases[i].status);
    static const char zero[] = "GET / HTTP/1.1\r\nHost: \0a\r\n\r\n";
    assert_int_equal(stint_request_read(&s_request, zero, sizeof zero - 1), 400);
}

static void long_ones_are_refused(void **state)
{
    static char head[STINT_REQUEST_HEAD];
    (void)state;
    memset(head, 'a', sizeof head);
    assert_int_equal(stint_request_read(&s_request, head, sizeof head - 1), 0);
    assert_int_equal(stint_request_read(&s_request, head, sizeof head), 431);
    snprintf(head, sizeof head, "GET /%0300d HTTP/1.1\r\n" HOST "\r\n", 0);
    assert_int_equal(status_of(head), 414);
}

/* A site whose name leads to this machine sends that name. */
static void only_names_of_this_machine_are_local(void **state)
{
    static const char *const here[] = {"127.0.0.1", "localhost:1", "LocalHost:65535", "[::1]:80"};
    static const char *const elsewhere[] = {"evil.com", "127.0.0.1.evil.com", "localhosts", "10.0.0.1:80", ""};
    char head[200];
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(here) + TEST_COUNT(elsewhere); i++) {
        int is_here = i < TEST_COUNT(here);
        snprintf(head, sizeof head, FIRST "host:\t %s \r\n\r\n", is_here ? here[i] : elsewhere[i - TEST_COUNT(here)]);
        assert_int_equal(status_of(head), 200);
        assert_int_equal(s_request.is_local, is_here);
    }
}

static void what_another_site_sends_is_foreign(void **state)
{
    static const char *const foreign[] = {"Origin: http://evil.com",        "Origin: null",
                                          "Origin: https://127.0.0.1:8000", "Origin: http://127.0.0.1:8001",
                                          "Sec-Fetch-Site: cross-site",     "Sec-Fetch-Site: same-site"};
    static const char *const own[] = {"Origin: http://127.0.0.1:8000", "Sec-Fetch-Site: same-origin"};
    char head[200];
    (void)state;
    for (size_t i = 0; i < TEST_COUNT(foreign) + TEST_COUNT(own); i++) {
        int is_foreign = i < TEST_COUNT(foreign);
        snprintf(head, sizeof head, FIRST HOST "%s\r\n\r\n", is_foreign ? foreign[i] : own[i - TEST_COUNT(foreign)]);
        assert_int_equal(status_of(head), 200);
        assert_int_equal(s_request.is_foreign, is_foreign);
    }
}

static void numbers_of_the_query_are_read(void **state)
{
    uint64_t number = 0;
    (void)state;
    assert_int_equal(
        status_of("GET /?from=1&to=999999999999999999&xto=3&much=1000000000000000000&none=&bad=1a HTTP/1.1\r\n" HOST
                  "\r\n"),
        200);
    assert_int_equal(stint_request_number(&s_request, "to", &number), 0);
    assert_int_equal(number, UINT64_C(999999999999999999));
    assert_int_equal(stint_request_number(&s_request, "from", &number), 0);
    assert_int_equal(number, 1);
    static const char *const wrong[] = {"much", "none", "bad", "fro", "absent"};
    for (size_t i = 0; i < TEST_COUNT(wrong); i++)
        assert_int_equal(stint_request_number(&s_request, wrong[i], &number), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_browsers_request_is_read),
        cmocka_unit_test(a_request_is_complete_with_its_empty_line),
        cmocka_unit_test(other_requests_are_refused),
        cmocka_unit_test(long_ones_are_refused),
        cmocka_unit_test(only_names_of_this_machine_are_local),
        cmocka_unit_test(what_another_site_sends_is_foreign),
        cmocka_unit_test(numbers_of_the_query_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
