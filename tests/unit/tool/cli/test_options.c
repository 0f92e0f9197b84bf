/* Options from a table: what is read, and what is said about mistakes. */
#include "cli/options.h"

#include "captured_output.h"
#include "stint_test.h"

static const char *const s_colors[] = {"red", "green", NULL};

static struct values {
    int color, on, quiet;
    const char *word, *output;
    unsigned long long number;
    double percent, seconds;
    size_t words;
} s_values;

#define AT(member) offsetof(struct values, member)

static int read_number(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_number(option, text, 1, 100, value);
}

static int read_seconds(void *value, const struct stint_option *option, const char *text)
{
    return stint_option_seconds(option, text, 0.1, value);
}

static int count_word(void *into, const char *word)
{
    ((struct values *)into)->words++;
    return word[0] == '!' ? -1 : 0;
}

static const struct stint_option s_options[] = {
    {"color", 0, NULL, "one of them", s_colors, stint_option_choice, AT(color)},
    {"word", 0, NULL, "one of them", s_colors, stint_option_word, AT(word)},
    {"output", 'o', "FILE", "write it there", NULL, stint_option_output, AT(output)},
    {"number", 'n', "[=N]", "", NULL, read_number, AT(number)},
    {"percent", 0, "P", "", NULL, stint_option_percent, AT(percent)},
    {"seconds", 0, "S", "", NULL, read_seconds, AT(seconds)},
    {"nvtx", 0, NULL, "", stint_option_switches, stint_option_switch, AT(on)},
    {"quiet", 'q', NULL, "and these", NULL, stint_option_flag, AT(quiet)},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {.order = "", .usage = "Usage: test\n", .options = s_options};
static const struct stint_syntax s_words = {.order = "-", .usage = "", .options = s_options, .word = count_word};

static int read_all(int count, char **arguments)
{
    s_values = (struct values){.output = "before"};
    return stint_options_read(count, arguments, &s_syntax, &s_values);
}

static int read_words(int count, char **arguments)
{
    s_values = (struct values){.output = "before"};
    return stint_options_read(count, arguments, &s_words, &s_values);
}

TEST(values_are_read_by_name_and_letter)
{
    assert_int_equal(captured_call(read_all, "test file --color green --word red -ox -q --number=7 --percent 99.5 "
                                             "--seconds 2.5 --nvtx on"),
                     -1);
    assert_true(s_values.color == 1 && s_values.on && s_values.quiet && s_values.number == 7);
    assert_true(s_values.percent > 99.4 && s_values.percent < 99.6 && s_values.seconds > 2.4 && s_values.seconds < 2.6);
    assert_string_equal(s_values.word, "red");
    assert_string_equal(s_values.output, "x");
    assert_int_equal(captured_call(read_all, "test -o -"), -1);
    assert_null(s_values.output);
    assert_int_equal(captured_call(read_all, "test --nvtx off"), -1);
    assert_false(s_values.on);
}

TEST(words_stand_anywhere)
{
    assert_int_equal(captured_call(read_words, "test a -q b -- -o c"), -1);
    assert_int_equal(s_values.words, 4);
    assert_true(s_values.quiet);
    assert_string_equal(s_values.output, "before");
    assert_int_equal(captured_call(read_words, "test a !b -q"), 2);
    assert_false(s_values.quiet);
    assert_int_equal(captured_call(read_words, "test a -- !b -q"), 2);
    assert_int_equal(s_values.words, 2);
}

TEST(mistakes_are_explained)
{
    static const struct captured_case cases[] = {
        {"test --colour red", 2, "", "stint: there is no option --colour; did you mean --color?\n"},
        {"test --zebra", 2, "", "stint: there is no option --zebra; stint test --help lists them\n"},
        {"test -z", 2, "", "stint: there is no option -z; stint test --help lists them\n"},
        {"test -o", 2, "", "stint: option -o needs a value\n"},
        {"test --color", 2, "", "stint: option --color needs a value\n"},
        {"test --quiet=1", 2, "", "stint: option --quiet takes no value\n"},
        {"test --help", 0, "Usage: test\n", ""},
        {"test --version", 0, "stint ", ""},
        {"test --complete", 0, "--color red|green\n", ""},
        {"test --color blue", 2, "", "stint: --color blue: expected one of red, green\n"},
        {"test --word blue", 2, "", "stint: --word blue: expected one of red, green\n"},
        {"test --nvtx yes", 2, "", "stint: --nvtx yes: expected one of on, off\n"},
        {"test --number=101", 2, "", "stint: --number 101: expected a number from 1 to 100\n"},
        {"test --number=-1", 2, "", "expected a number"},
        {"test --number=1x", 2, "", "expected a number"},
        {"test --number=99999999999999999999", 2, "", "expected a number"},
        {"test --percent 101", 2, "", "expected a number from 0 to 100"},
        {"test --percent nan", 2, "", "expected a number from 0 to 100"},
        {"test --seconds 0.05", 2, "", "expected seconds, such as 2.5, at least 0.1"},
        {"test --seconds 1e3", 2, "", "expected seconds"},
        {"test --seconds x", 2, "", "expected seconds"},
        {"test --seconds 1.2.3", 2, "", "expected seconds"},
        {"test --seconds 1000000001", 2, "", "expected seconds"},
        {"test --number=x", 2, "", "expected a number"},
        {"test --an-option-of-more-letters-than-any-word-that-is-suggested", 2, "", "; stint test --help lists them"},
    };
    CAPTURED_CHECK(read_all, cases);
}

TEST(what_is_close_is_suggested)
{
    static const char *const names[] = {"report", "format", "top"};
    assert_string_equal(stint_suggest("repotr", names, 3), "report");
    assert_string_equal(stint_suggest("formats", names, 3), "format");
    assert_null(stint_suggest("elephant", names, 3));
    assert_null(stint_suggest("t", names, 3));
    assert_null(
        stint_suggest("a", (const char *const[]){"b", "a-name-of-more-letters-than-are-ever-compared-with-it"}, 2));
}
