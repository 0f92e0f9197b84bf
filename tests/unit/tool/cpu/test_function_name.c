#include "cpu/cpu_profile.h"

#include "stint_test.h"

static void check_name(const char *function, const char *expected)
{
    char name[256];
    stint_cpu_short_name(function, name, sizeof name);
    assert_string_equal(name, expected);
}

TEST(functions_have_neither_results_nor_parameters)
{
    check_name("work", "work");
    check_name("int db::Table::Get<int>(std::string const&) const", "db::Table::Get<int>");
    check_name("(anonymous namespace)::step(int)", "(anonymous namespace)::step");
    check_name("bool operator<(A const&, A const&)", "bool operator<(A const&, A const&)");
}

TEST(usual_arguments_of_templates_are_left_out)
{
    check_name("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::compare(char const*)",
               "std::string::compare");
    check_name("std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int, "
               "std::less<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >, "
               "std::allocator<std::pair<int const, int> > >::find(int)",
               "std::map<std::string, int>::find");
    check_name("sort<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > > >",
               "sort<__normal_iterator<int*, std::vector<int>>>");
    check_name("f<A, std::allocator<", "f<A");
    check_name(
        "std::_Hashtable<int, int, std::allocator<int>, std::__detail::_Identity, std::equal_to<int>, std::hash<int>, "
        "std::__detail::_Mod_range_hashing, std::__detail::_Hashtable_traits<false, true, true> >::_M_erase(int)",
        "std::_Hashtable<int, int>::_M_erase");
    check_name("std::_Rb_tree<A, std::pair<A const, B>, std::_Select1st<std::pair<A const, B> >, std::less<A>, "
               "std::allocator<std::pair<A const, B> > >::find(A const&)",
               "std::_Rb_tree<A, std::pair<A const, B>>::find");
}

TEST(names_of_rust_have_no_hash)
{
    check_name("alloc::fmt::format::h0123456789abcdef", "alloc::fmt::format");
    check_name("alloc::fmt::format::h0123456789abcdeX", "alloc::fmt::format::h0123456789abcdeX");
    check_name("::h0123456789abcdef", "::h0123456789abcdef");
}

TEST(long_names_are_cut)
{
    char name[8];
    stint_cpu_short_name("a_function_with_a_long_name", name, sizeof name);
    assert_string_equal(name, "a_funct");
}
