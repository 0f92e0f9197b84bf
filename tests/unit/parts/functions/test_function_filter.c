#include "functions/function.h"

#include "stint_test.h"

static int accepts(const char *patterns, const char *name)
{
    return stint_filter_accepts(patterns, "libnet.so.1", name);
}

TEST(no_patterns_accept_everything)
{
    assert_true(accepts(NULL, "main"));
    assert_true(accepts("", "main"));
    assert_true(accepts(" , ,", "main"));
    assert_true(accepts("!", "main"));
}

TEST(patterns_match_whole_names)
{
    assert_true(accepts("main", "main"));
    assert_false(accepts("main", "mainly"));
    assert_false(accepts("main", "domain"));
    assert_false(accepts("main", "mai"));
    assert_false(accepts("main", ""));
}

TEST(including_first_means_nothing_else)
{
    assert_false(accepts("forward", "backward"));
    assert_true(accepts("forward,backward", "backward"));
}

TEST(excluding_first_means_everything_else)
{
    assert_true(accepts("!forward", "backward"));
    assert_false(accepts("!forward", "forward"));
    assert_true(accepts(",!forward", "backward"));
}

TEST(last_match_decides)
{
    assert_false(accepts("net::*,!net::detail::*", "net::detail::f()"));
    assert_true(accepts("net::*,!net::detail::*", "net::f()"));
    assert_true(accepts("!*,f", "f"));
    assert_false(accepts("f,!*", "f"));
    assert_true(accepts("net::*,!net::detail::*,net::detail::run()", "net::detail::run()"));
}

TEST(star_stands_for_any_text)
{
    assert_true(accepts("*", "main"));
    assert_true(accepts("*", ""));
    assert_true(accepts("m*n", "mn"));
    assert_true(accepts("m*n", "m no n"));
    assert_true(accepts("*a*b*c", "xxaxxbxxbcxc"));
    assert_false(accepts("*a*b*c", "xxbxxaxc"));
    assert_true(accepts("**f**", "f"));
    assert_true(accepts("a/*", "a/b/.c"));
    assert_false(accepts("f*", "gf"));
}

TEST(star_matches_in_little_time)
{
    char name[4001];
    for (size_t i = 0; i < sizeof name - 1; ++i)
        name[i] = 'a';
    name[sizeof name - 1] = '\0';
    assert_false(accepts("*a*a*a*a*a*a*a*a*a*a*a*a*b", name));
}

TEST(question_mark_stands_for_one_character)
{
    assert_true(accepts("f?", "f1"));
    assert_false(accepts("f?", "f"));
    assert_false(accepts("f?", "f12"));
}

TEST(brackets_stand_for_one_of_a_set)
{
    assert_true(accepts("f[abc]", "fb"));
    assert_false(accepts("f[abc]", "fd"));
    assert_true(accepts("f[a-c0-9]", "f5"));
    assert_false(accepts("f[a-c0-9]", "fd"));
    assert_true(accepts("f[!a-c]", "fd"));
    assert_false(accepts("f[!a-c]", "fa"));
    assert_true(accepts("f[^a-c]", "fd"));
    assert_true(accepts("f[]]", "f]"));
    assert_true(accepts("f[!]]", "fx"));
    assert_true(accepts("f[a-]", "f-"));
    assert_true(accepts("f[\\]x]", "f]"));
    assert_false(accepts("f[ab]", "f"));
    assert_true(accepts("operator[[]]", "operator[]"));
}

TEST(bracket_without_end_is_itself)
{
    assert_true(accepts("f[", "f["));
    assert_true(accepts("f[ab", "f[ab"));
    assert_false(accepts("f[ab", "fa"));
    assert_true(accepts("f[!", "f[!"));
}

TEST(backslash_takes_the_next_character_as_it_is)
{
    assert_true(accepts("f\\*", "f*"));
    assert_false(accepts("f\\*", "fx"));
    assert_true(accepts("f(int\\, int)", "f(int, int)"));
    assert_true(accepts("\\!f", "!f"));
    assert_true(accepts("\\@f", "@f"));
    assert_true(accepts("f\\", "f\\"));
}

TEST(blanks_around_patterns_do_not_count)
{
    assert_true(accepts(" f , g\t", "g"));
    assert_true(accepts("f(int) const ", "f(int) const"));
}

TEST(cpp_names_match_without_type_and_parameters)
{
    assert_true(accepts("net::f", "net::f(int, char const*)"));
    assert_true(accepts("net::layer<int>::f", "net::layer<int>::f(int) const"));
    assert_true(accepts("net::twice<int>", "int net::twice<int>(int)"));
    assert_true(accepts("net::*", "std::vector<int, std::allocator<int> > net::twice<int>(int)"));
    assert_true(accepts("f<int>", "unsigned long const& f<int>(int)"));
    assert_false(accepts("net::*", "int other::f<net::layer>(net::layer)"));
    assert_true(accepts("(anonymous namespace)::f", "(anonymous namespace)::f(int)"));
    assert_true(accepts("f(int)::local::g", "f(int)::local::g(char)"));
    assert_true(accepts("a::f(int) const::local::g", "a::f(int) const::local::g(char) const"));
    assert_true(accepts("main::{lambda(int)#1}::operator()", "main::{lambda(int)#1}::operator()(int) const"));
    assert_true(accepts("a::operator[[]]", "a::operator[](int) const"));
    assert_true(accepts("a::operator<", "a::operator<(a const&) const"));
    assert_true(accepts("a::operator->", "a::operator->()"));
    assert_true(accepts("operator new", "operator new(unsigned long)"));
    assert_true(accepts("a::operator int const*", "a::operator int const*()"));
    assert_true(accepts("operators", "operators(int)"));
    assert_true(accepts("a::operator_", "a::operator_(int)"));
    assert_false(accepts("net::f", "net::f2(int)"));
    assert_false(accepts("f", "g(f)"));
}

TEST(names_with_unclosed_brackets_are_harmless)
{
    assert_false(accepts("f", "f<("));
    assert_false(accepts("f", "(("));
    assert_true(accepts("*", "f(int"));
    assert_false(accepts("g", "operator"));
    assert_false(accepts("g", "operator("));
}

TEST(at_sign_matches_the_object)
{
    assert_true(accepts("@libnet.so*", "f"));
    assert_false(accepts("@libm.so*", "f"));
    assert_false(accepts("!@libnet*", "f"));
    assert_true(accepts("@libnet.so.1", "f"));
    assert_true(accepts("@:f", "f"));
    assert_true(accepts("@libnet*:", "f"));
}

TEST(at_sign_and_colon_match_object_and_name)
{
    assert_true(accepts("@libnet*:net::f*", "net::f()"));
    assert_false(accepts("@libnet*:net::f*", "net::g()"));
    assert_false(accepts("@libm*:net::f*", "net::f()"));
    assert_true(accepts("@*\\:*:f,@lib*:f", "f"));
}

TEST(all_is_no_pattern)
{
    assert_true(stint_filter_has_all("all"));
    assert_true(stint_filter_has_all("net::*, all ,f"));
    assert_true(accepts("all", "f"));
    assert_true(accepts("all", "all"));
    assert_false(accepts("all,f", "g"));
    assert_true(accepts("f,all", "f"));
    assert_false(accepts("f,all", "g"));
}

TEST(a_function_called_all_can_be_chosen)
{
    assert_false(stint_filter_has_all(NULL));
    assert_false(stint_filter_has_all("!all,all*,\\all,call,@all"));
    assert_true(accepts("\\all", "all"));
    assert_false(accepts("\\all", "f"));
}
