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

TEST(wildcards_are_a_shells)
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

TEST(patterns_match_whole_texts)
{
    assert_false(matches("main", "mainly"));
    assert_false(matches("main", "domain"));
    assert_false(matches("", "x"));
}

TEST(length_ends_a_pattern)
{
    assert_true(stint_pattern_matches("abc*", 3, "abc"));
    assert_false(stint_pattern_matches("abc*", 3, "abcd"));
}

TEST(names_may_be_without_what_cpp_has_around_them)
{
    assert_true(matches_name("gemm<float, 3>", "void gemm<float, 3>(float const*)"));
    assert_true(matches_name("void gemm*", "void gemm<float, 3>(float const*)"));
    assert_false(matches("gemm<float, 3>", "void gemm<float, 3>(float const*)"));
}
