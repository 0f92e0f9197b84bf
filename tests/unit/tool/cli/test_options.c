/* Options from a table: what is read, and what is said about mistakes. */
#include "cli/options.h"

#include "captured_output.h"
#include "stint_test.h"

static const char *const s_colors[] = {"red", "green", NULL};

static const struct stint_option s_options[] = {
    {"color", 256, NULL, "one of them", s_colors},
    {"output", 'o', "FILE", "write it there", NULL},
    {"serve", 257, "[=PORT]", NULL, NULL},
    {"quiet", 'q', NULL, "and these", NULL},
    STINT_OPTION_LAST,
};

static const struct stint_syntax s_syntax = {.order = "", .usage = "Usage: test\n", .options = s_options};

static int read_first(int count, char **arguments)
{
    return stint_option_next(count, arguments, &s_syntax);
}

static void options_are_read_by_name_and_letter(void **state)
{
    (void)state;
    assert_int_equal(captured_call(read_first, "test --output=x"), 'o');
    assert_string_equal(optarg, "x");
    assert_int_equal(captured_call(read_first, "test file -ox"), 'o');
    assert_int_equal(captured_call(read_first, "test --serve"), 257);
    assert_null(optarg);
    assert_int_equal(captured_call(read_first, "test --serve=80"), 257);
    assert_string_equal(optarg, "80");
    assert_int_equal(captured_call(read_first, "test file"), -1);
}

static void mistakes_are_explained(void **state)
{
    static const struct captured_case cases[] = {
        {"test --colour red", '?', "", "stint: there is no option --colour; did you mean --color?\n"},
        {"test --zebra", '?', "", "stint: there is no option --zebra; stint test --help lists them\n"},
        {"test -z", '?', "", "stint: there is no option -z; stint test --help lists them\n"},
        {"test -o", '?', "", "stint: option -o needs a value\n"},
        {"test --color", '?', "", "stint: option --color needs a value\n"},
        {"test --quiet=1", '?', "", "stint: option --quiet takes no value\n"},
        {"test --help", 'h', "Usage: test\n", ""},
        {"test --version", 'h', "stint ", ""},
        {"test --complete", 'h', "--color red|green\n", ""},
    };
    (void)state;
    CAPTURED_CHECK(read_first, cases);
}

static void what_is_close_is_suggested(void **state)
{
    static const char *const names[] = {"report", "format", "top"};
    (void)state;
    assert_string_equal(stint_suggest("repotr", names, 3), "report");
    assert_string_equal(stint_suggest("formats", names, 3), "format");
    assert_null(stint_suggest("elephant", names, 3));
    assert_null(stint_suggest("t", names, 3));
}

/* Reads the second word as a value. */
static int read_color(int count, char **arguments)
{
    const char *word;
    (void)count;
    return stint_option_word("color", arguments[1], s_colors, &word) ? 1 : 0;
}

static int read_number(int count, char **arguments)
{
    unsigned long long number;
    (void)count;
    return stint_option_number("top", arguments[1], 1, 100, &number) ? 1 : (int)number;
}

static int read_percent(int count, char **arguments)
{
    double percent;
    (void)count;
    return stint_option_percent("min-percent", arguments[1], &percent) ? 1 : (int)percent;
}

static int read_seconds(int count, char **arguments)
{
    double seconds;
    (void)count;
    return stint_option_seconds("delay", arguments[1], 0.1, &seconds) ? 1 : (int)(seconds * 10);
}

static int read_switch(int count, char **arguments)
{
    int on;
    (void)count;
    return stint_option_switch("nvtx", arguments[1], &on) ? 1 : on + 10;
}

static void values_are_checked(void **state)
{
    static const struct captured_case colors[] = {
        {"x green", 0, "", ""}, {"x blue", 1, "", "stint: --color blue: expected one of red, green\n"}};
    static const struct captured_case numbers[] = {
        {"x 100", 100, "", ""},
        {"x 101", 1, "", "stint: --top 101: expected a number from 1 to 100\n"},
        {"x -1", 1, "", "expected a number"},
        {"x 1x", 1, "", "expected a number"},
        {"x 99999999999999999999", 1, "", "expected a number"},
    };
    static const struct captured_case percents[] = {
        {"x 99.5", 99, "", ""}, {"x 101", 1, "", "expected a number from 0 to 100"}, {"x nan", 1, "", "expected"}};
    static const struct captured_case seconds[] = {{"x 2.5", 25, "", ""},
                                                   {"x 0.05", 1, "", "expected seconds, such as 2.5, from 0.1 on"},
                                                   {"x 1e3", 1, "", "expected seconds"}};
    static const struct captured_case switches[] = {
        {"x on", 11, "", ""}, {"x off", 10, "", ""}, {"x yes", 1, "", "stint: --nvtx yes: expected one of on, off\n"}};
    (void)state;
    CAPTURED_CHECK(read_color, colors);
    CAPTURED_CHECK(read_number, numbers);
    CAPTURED_CHECK(read_percent, percents);
    CAPTURED_CHECK(read_seconds, seconds);
    CAPTURED_CHECK(read_switch, switches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_read_by_name_and_letter),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(what_is_close_is_suggested),
        cmocka_unit_test(values_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
