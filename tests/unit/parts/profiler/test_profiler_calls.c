#include "profiler/profiler.h"

#include "stint_test.h"

/* What a macro's arguments look like as text, and what REGISTER_GPU_PROFILER(name, ...) makes of the `...` in
 * Paddle. */
#define TEXT(...) #__VA_ARGS__
#define PADDLE_INFO(name, ...) #__VA_ARGS__
#define assert_as_paddle(...) assert_string_equal(stint_activation_info(TEXT(__VA_ARGS__)), PADDLE_INFO(__VA_ARGS__))

static void the_quotes_of_a_literal_are_kept(void **state)
{
    assert_string_equal(stint_activation_info(TEXT("name", "numSamples = 10")), "\"numSamples = 10\"");
}

static void without_an_info_it_is_empty(void **state)
{
    assert_string_equal(stint_activation_info(TEXT("name")), "");
    assert_string_equal(stint_activation_info(TEXT(name)), "");
    assert_string_equal(stint_activation_info(""), "");
}

static void every_further_argument_is_info(void **state)
{
    assert_as_paddle("name", "a", "b");
    assert_as_paddle("name", a, b + 1, c);
    assert_as_paddle("name", two words);
}

static void commas_inside_the_name_separate_nothing(void **state)
{
    assert_as_paddle("a, b", "info");
    assert_as_paddle("a \", b", "info");
    assert_as_paddle("a \\", "info");
    assert_as_paddle(choose(a, b), "info");
    assert_as_paddle(choose((a, b), ")"), "info");
    assert_as_paddle(letter(',', '\'', '"'), "info");
}

static void broken_text_ends(void **state)
{
    assert_string_equal(stint_activation_info("\"a, b"), "");
    assert_string_equal(stint_activation_info("\"a\\"), "");
    assert_string_equal(stint_activation_info("((a, b"), "");
}

static void no_window_has_every_iteration(void **state)
{
    const struct stint_window all = {0};
    assert_true(stint_window_has(&all, 0));
    assert_true(stint_window_has(&all, 1));
    assert_true(stint_window_has(&all, UINT64_MAX));
}

static void a_window_has_count_iterations_from_first_on(void **state)
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

static void count_0_is_to_the_end(void **state)
{
    const struct stint_window window = {10, 0};
    assert_false(stint_window_has(&window, 9));
    assert_true(stint_window_has(&window, 10));
    assert_true(stint_window_has(&window, UINT64_MAX));
}

static void a_window_does_not_wrap_around(void **state)
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

static void first_and_count_are_read(void **state)
{
    assert_parsed("10:3", 10, 3);
    assert_parsed("0:0", 0, 0);
    assert_parsed("007:010", 7, 10);
    assert_parsed("18446744073709551615:18446744073709551615", UINT64_MAX, UINT64_MAX);
}

static void without_a_count_it_is_to_the_end(void **state)
{
    assert_parsed("10", 10, 0);
    assert_parsed("10:0", 10, 0);
}

static void nonsense_is_refused_and_changes_nothing(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quotes_of_a_literal_are_kept),
        cmocka_unit_test(without_an_info_it_is_empty),
        cmocka_unit_test(every_further_argument_is_info),
        cmocka_unit_test(commas_inside_the_name_separate_nothing),
        cmocka_unit_test(broken_text_ends),
        cmocka_unit_test(no_window_has_every_iteration),
        cmocka_unit_test(a_window_has_count_iterations_from_first_on),
        cmocka_unit_test(count_0_is_to_the_end),
        cmocka_unit_test(a_window_does_not_wrap_around),
        cmocka_unit_test(first_and_count_are_read),
        cmocka_unit_test(without_a_count_it_is_to_the_end),
        cmocka_unit_test(nonsense_is_refused_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
