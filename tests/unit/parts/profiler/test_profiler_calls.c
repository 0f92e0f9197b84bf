#include "profiler/profiler.h"

#include "stint_test.h"

/* What a macro's arguments look like as text, and what REGISTER_GPU_PROFILER(name, ...) makes of the `...` in
 * Paddle. */
#define TEXT(...) #__VA_ARGS__
#define PADDLE_INFO(name, ...) #__VA_ARGS__
#define assert_as_paddle(...) assert_string_equal(stint_activation_info(TEXT(__VA_ARGS__)), PADDLE_INFO(__VA_ARGS__))

TEST(the_quotes_of_a_literal_are_kept)
{
    assert_string_equal(stint_activation_info(TEXT("name", "numSamples = 10")), "\"numSamples = 10\"");
}

TEST(without_an_info_it_is_empty)
{
    assert_string_equal(stint_activation_info(TEXT("name")), "");
    assert_string_equal(stint_activation_info(TEXT(name)), "");
    assert_string_equal(stint_activation_info(""), "");
}

TEST(every_further_argument_is_info)
{
    assert_as_paddle("name", "a", "b");
    assert_as_paddle("name", a, b + 1, c);
    assert_as_paddle("name", two words);
}

TEST(commas_inside_the_name_separate_nothing)
{
    assert_as_paddle("a, b", "info");
    assert_as_paddle("a \", b", "info");
    assert_as_paddle("a \\", "info");
    assert_as_paddle(choose(a, b), "info");
    assert_as_paddle(choose((a, b), ")"), "info");
    assert_as_paddle(letter(',', '\'', '"'), "info");
}

TEST(broken_text_ends)
{
    assert_string_equal(stint_activation_info("\"a, b"), "");
    assert_string_equal(stint_activation_info("\"a\\"), "");
    assert_string_equal(stint_activation_info("((a, b"), "");
}

TEST(no_window_has_every_iteration)
{
    const struct stint_window all = {0};
    assert_true(stint_window_has(&all, 0));
    assert_true(stint_window_has(&all, 1));
    assert_true(stint_window_has(&all, UINT64_MAX));
}

TEST(a_window_has_count_iterations_from_first_on)
{
    const struct stint_window window = {10, 3};
    unsigned had = 0;
    assert_false(stint_window_has(&window, 9));
    assert_true(stint_window_has(&window, 10));
    assert_true(stint_window_has(&window, 12));
    assert_false(stint_window_has(&window, 13));
    for (uint64_t i = 0; i < 100; ++i)
        had += stint_window_has(&window, i) != 0;
    assert_int_equal(had, 3);
}

TEST(count_0_is_to_the_end)
{
    const struct stint_window window = {10, 0};
    assert_false(stint_window_has(&window, 9));
    assert_true(stint_window_has(&window, 10));
    assert_true(stint_window_has(&window, UINT64_MAX));
}

TEST(a_window_does_not_wrap_around)
{
    const struct stint_window window = {UINT64_MAX - 1, UINT64_MAX};
    assert_false(stint_window_has(&window, 0));
    assert_false(stint_window_has(&window, UINT64_MAX - 2));
    assert_true(stint_window_has(&window, UINT64_MAX));
}

static void assert_parsed(const char *text, uint64_t first, uint64_t count)
{
    struct stint_window window = {77, 77};
    assert_int_equal(stint_window_parse(&window, text), 0);
    assert_int_equal(window.first, first);
    assert_int_equal(window.count, count);
}

TEST(first_and_count_are_read)
{
    assert_parsed("10:3", 10, 3);
    assert_parsed("0:0", 0, 0);
    assert_parsed("007:010", 7, 10);
    assert_parsed("18446744073709551615:18446744073709551615", UINT64_MAX, UINT64_MAX);
}

TEST(without_a_count_it_is_to_the_end)
{
    assert_parsed("10", 10, 0);
    assert_parsed("10:0", 10, 0);
}

TEST(nonsense_is_refused_and_changes_nothing)
{
    static const char *const nonsense[] = {"",
                                           ":",
                                           "10:",
                                           ":3",
                                           "-1",
                                           "-1:3",
                                           "1:-3",
                                           "+1:3",
                                           " 1:3",
                                           "1 :3",
                                           "1:3 ",
                                           "1:3:",
                                           "1:3:4",
                                           "1-3",
                                           "ten",
                                           "1:x",
                                           "0x10",
                                           "1.5",
                                           "18446744073709551616",
                                           "1:18446744073709551616"};
    for (size_t i = 0; i < TEST_COUNT(nonsense); ++i) {
        struct stint_window window = {77, 78};
        if (!stint_window_parse(&window, nonsense[i]))
            fail_msg("accepted: \"%s\"", nonsense[i]);
        assert_int_equal(window.first, 77);
        assert_int_equal(window.count, 78);
    }
}
