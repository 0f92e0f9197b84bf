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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quotes_of_a_literal_are_kept),
        cmocka_unit_test(without_an_info_it_is_empty),
        cmocka_unit_test(every_further_argument_is_info),
        cmocka_unit_test(commas_inside_the_name_separate_nothing),
        cmocka_unit_test(broken_text_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
