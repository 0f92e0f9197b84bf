#include "base/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "captured_log.h"
#include "stint_test.h"

static const char s_name[] = "STINT_TEST_VARIABLE";

/* Sets the variable; NULL unsets it. */
static void set(const char *text)
{
    if (text)
        assert_int_equal(setenv(s_name, text, 1), 0);
    else
        assert_int_equal(unsetenv(s_name), 0);
    captured_log_begin();
}

static size_t fruit(void)
{
    return stint_env_choice(s_name, "apple|pear|plum", 1);
}

static uint64_t from_10_to_20(void)
{
    return stint_env_number(s_name, 15, 10, 20);
}

static void unset_and_empty_are_no_text(void **state)
{
    set(NULL);
    assert_null(stint_env_text(s_name));
    set("");
    assert_null(stint_env_text(s_name));
    set(" a b ");
    assert_string_equal(stint_env_text(s_name), " a b ");
}

static void unset_and_empty_give_the_default_silently(void **state)
{
    const char *const texts[] = {NULL, ""};

    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(fruit(), 1);
        assert_int_equal(stint_env_switch(s_name, 0), 0);
        assert_int_equal(stint_env_switch(s_name, 1), 1);
        assert_int_equal(from_10_to_20(), 15);
        assert_int_equal(captured_log.lines, 0);
    }
}

static void every_word_for_a_switch_is_understood(void **state)
{
    static const char *const words[2][6] = {{"off", "0", "false", "no", "OFF", "No"},
                                            {"on", "1", "true", "yes", "True", "YES"}};

    for (int value = 0; value < 2; ++value)
        for (size_t i = 0; i < TEST_COUNT(words[0]); ++i) {
            set(words[value][i]);
            assert_int_equal(stint_env_switch(s_name, !value), value);
            assert_int_equal(captured_log.lines, 0);
        }
}

static void every_choice_is_understood_in_any_case(void **state)
{
    set("apple");
    assert_int_equal(fruit(), 0);
    set("PLUM");
    assert_int_equal(fruit(), 2);
    assert_int_equal(captured_log.lines, 0);
}

static void a_number_within_its_limits_is_taken(void **state)
{
    set("10");
    assert_int_equal(from_10_to_20(), 10);
    set("20");
    assert_int_equal(from_10_to_20(), 20);
    set("0017");
    assert_int_equal(from_10_to_20(), 17);
    set("18446744073709551615");
    assert_int_equal(stint_env_number(s_name, 1, 0, UINT64_MAX), UINT64_MAX);
    assert_int_equal(captured_log.lines, 0);
}

static void nonsense_for_a_number_gives_the_default_and_one_line(void **state)
{
    const char *const texts[] = {"9",
                                 "21",
                                 "-15",
                                 "+15",
                                 " 15",
                                 "15 ",
                                 "15x",
                                 "0xf",
                                 "1e1",
                                 "fifteen",
                                 "15.0",
                                 "18446744073709551616",
                                 "99999999999999999999999999",
                                 "%s%n",
                                 "\xff\xfe"};

    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(from_10_to_20(), 15);
        assert_int_equal(captured_log.lines, 1);
        assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    }
}

static void nonsense_for_a_word_gives_the_default_and_one_line(void **state)
{
    const char *const texts[] = {"appl", "apples", " apple", "apple ", "0", "-1", "%s%n", "\xff\xfe", "|"};

    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(fruit(), 1);
        assert_int_equal(captured_log.lines, 1);
        assert_int_equal(captured_log.level, STINT_LOG_WARNING);
    }
}

static void nonsense_for_a_switch_gives_the_default_and_one_line(void **state)
{
    for (int otherwise = 0; otherwise < 2; ++otherwise) {
        set("2");
        assert_int_equal(stint_env_switch(s_name, otherwise), otherwise);
        assert_int_equal(captured_log.lines, 1);
    }
}

static void the_line_names_the_variable_and_what_was_expected(void **state)
{
    set("banana");
    fruit();
    assert_string_equal(captured_log.message,
                        "STINT_TEST_VARIABLE=banana is not understood: expected apple|pear|plum; using pear");
    set("21");
    from_10_to_20();
    assert_string_equal(captured_log.message,
                        "STINT_TEST_VARIABLE=21 is not understood: expected a number from 10 to 20; using 15");
}

static void a_very_long_text_is_cut_in_the_line(void **state)
{
    char text[100000];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    set(text);
    assert_int_equal(fruit(), 1);
    assert_int_equal(from_10_to_20(), 15);
    assert_int_equal(captured_log.lines, 2);
    assert_in_range(strlen(captured_log.message), 1, 200);
}

static void a_word_is_whole(void **state)
{
    const char *const texts[] = {"plu", "plums", "pear|plum", "|", "apple|"};

    for (size_t i = 0; i < TEST_COUNT(texts); ++i) {
        set(texts[i]);
        assert_int_equal(fruit(), 1);
        assert_int_equal(captured_log.lines, 1);
    }
    set("PLUM");
    assert_int_equal(fruit(), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unset_and_empty_are_no_text),
        cmocka_unit_test(unset_and_empty_give_the_default_silently),
        cmocka_unit_test(every_word_for_a_switch_is_understood),
        cmocka_unit_test(every_choice_is_understood_in_any_case),
        cmocka_unit_test(a_number_within_its_limits_is_taken),
        cmocka_unit_test(nonsense_for_a_number_gives_the_default_and_one_line),
        cmocka_unit_test(nonsense_for_a_word_gives_the_default_and_one_line),
        cmocka_unit_test(nonsense_for_a_switch_gives_the_default_and_one_line),
        cmocka_unit_test(the_line_names_the_variable_and_what_was_expected),
        cmocka_unit_test(a_very_long_text_is_cut_in_the_line),
        cmocka_unit_test(a_word_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
