/* What requests say of where they come from, as browsers send it, and as others do. */
#include "http/http_server.h"

#include "stint_test.h"

#define HOST "127.0.0.1:8000"

/* A site whose name leads to this machine sends that name. */
TEST(only_names_of_this_machine_are_local)
{
    static const char *const here[] = {"127.0.0.1", "localhost:1", "LocalHost:65535", "[::1]:80"};
    static const char *const elsewhere[] = {"evil.com", "127.0.0.1.evil.com", "localhosts", "10.0.0.1:80", ""};
    for (size_t i = 0; i < TEST_COUNT(here); i++)
        assert_true(stint_http_is_local(here[i]));
    for (size_t i = 0; i < TEST_COUNT(elsewhere); i++)
        assert_false(stint_http_is_local(elsewhere[i]));
}

TEST(what_another_site_sends_is_foreign)
{
    static const char *const origins[] = {"http://evil.com", "null", "https://" HOST, "http://127.0.0.1:8001", ""};
    for (size_t i = 0; i < TEST_COUNT(origins); i++)
        assert_true(stint_http_is_foreign(HOST, origins[i], NULL));
    assert_true(stint_http_is_foreign(HOST, NULL, "cross-site"));
    assert_true(stint_http_is_foreign(HOST, "http://" HOST, "same-site"));
    assert_false(stint_http_is_foreign(HOST, NULL, NULL));
    assert_false(stint_http_is_foreign(HOST, "http://" HOST, "same-origin"));
    assert_false(stint_http_is_foreign(HOST, NULL, "none"));
}

TEST(numbers_of_the_query_are_read)
{
    static const char target[] = "/?from=1&to=999999999999999999&xto=3&much=1000000000000000000&none=&bad=1a";
    static const char *const wrong[] = {"much", "none", "bad", "fro", "absent"};
    uint64_t number = 0;
    assert_int_equal(stint_http_number(target, "to", &number), 0);
    assert_int_equal(number, UINT64_C(999999999999999999));
    assert_int_equal(stint_http_number(target, "from", &number), 0);
    assert_int_equal(number, 1);
    for (size_t i = 0; i < TEST_COUNT(wrong); i++)
        assert_int_equal(stint_http_number(target, wrong[i], &number), -1);
}
