#include "support/annotation.h"

#include <string.h>

#include "stint_test.h"

static int matches(const char *pattern, const char *text)
{
    return stint_pattern_matches(pattern, strlen(pattern), text);
}

static int matches_name(const char *pattern, const char *name)
{
    return stint_pattern_matches_name(pattern, strlen(pattern), name);
}

static void wildcards_are_a_shells(void **state)
{
    assert_true(matches("*", ""));
    assert_true(matches("a*c", "abc"));
    assert_true(matches("a?c", "abc"));
    assert_true(matches("[a-c][!d]", "be"));
    assert_true(matches("\\*", "*"));
    assert_false(matches("\\*", "x"));
    assert_false(matches("a?c", "ac"));
    assert_false(matches("[a-c]", "d"));
}

static void patterns_match_whole_texts(void **state)
{
    assert_false(matches("main", "mainly"));
    assert_false(matches("main", "domain"));
    assert_false(matches("", "x"));
}

static void length_ends_a_pattern(void **state)
{
    assert_true(stint_pattern_matches("abc*", 3, "abc"));
    assert_false(stint_pattern_matches("abc*", 3, "abcd"));
}

static void names_may_be_without_what_cpp_has_around_them(void **state)
{
    assert_true(matches_name("gemm<float, 3>", "void gemm<float, 3>(float const*)"));
    assert_true(matches_name("void gemm*", "void gemm<float, 3>(float const*)"));
    assert_false(matches("gemm<float, 3>", "void gemm<float, 3>(float const*)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wildcards_are_a_shells),
        cmocka_unit_test(patterns_match_whole_texts),
        cmocka_unit_test(length_ends_a_pattern),
        cmocka_unit_test(names_may_be_without_what_cpp_has_around_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
