/* How the help is laid out. */
#include <stdio.h>
#include <string.h>

#include "captured_output.h"
#include "cli/options.h"
#include "stint_test.h"

static const char *const s_words[] = {"on", "off", NULL};

static void put_rest(void)
{
    (void)puts("rest");
}

static const struct stint_option s_options[] = {
    {"first", 0, "N", "a number", NULL, NULL, 0},
    {"second", 's', NULL, "some words that do not have room in one line of a screen with 80 columns\nand a line more",
     s_words, NULL, 0},
    {"hidden", 0, "X", "", NULL, NULL, 0},
    {"serve", 0, "[=PORT]", "at a port", NULL, NULL, 0},
    {"option-with-a-very-long-name", 0, "FILE", "its text", NULL, NULL, 0},
    {NULL, 0, NULL, NULL, NULL, NULL, 0},
};

static const struct stint_section s_sections[] = {{"serve", "More"}, {NULL, NULL}};

static const struct stint_syntax s_syntax = {
    .order = "", .usage = "Usage: test\n", .options = s_options, .put_rest = put_rest};

TEST(texts_are_beside_the_forms_of_options)
{
    captured_output_begin();
    stint_option_help(&s_syntax);
    captured_output_end();
    assert_string_equal(captured_output.out,
                        "Usage: test\n"
                        "\n"
                        "  --first N            a number\n"
                        "  -s, --second on|off  some words that do not have room in one line of a screen\n"
                        "                       with 80 columns\n"
                        "                       and a line more\n"
                        "  --serve[=PORT]       at a port\n"
                        "  --option-with-a-very-long-name FILE  its text\n"
                        "rest\n");
}

TEST(sections_have_titles)
{
    struct stint_syntax syntax = s_syntax;
    syntax.sections = s_sections;
    captured_output_begin();
    stint_option_help(&syntax);
    captured_output_end();
    assert_non_null(strstr(captured_output.out, "and a line more\n"
                                                "\n"
                                                "More:\n"
                                                "  --serve[=PORT]"));
    assert_null(strstr(captured_output.out, "hidden"));
}

TEST(bash_gets_each_option_with_its_argument)
{
    captured_output_begin();
    stint_option_complete(&s_syntax);
    captured_output_end();
    assert_string_equal(captured_output.out, "--first N\n"
                                             "--second on|off\n"
                                             "-s on|off\n"
                                             "--hidden X\n"
                                             "--serve [=PORT]\n"
                                             "--option-with-a-very-long-name FILE\n");
}
