#include "base/text.h"

#include <string.h>

#include "stint_test.h"

/* One character's escape; "" where it stands for itself. */
static const char *one(stint_escape_fn *escape, const char *text)
{
    static char out[STINT_ESCAPE_SIZE + 1];
    size_t taken, length;
    memset(out, 0, sizeof out);
    length = escape(out, text, &taken);
    assert_int_equal(length, strlen(out));
    assert_int_equal(taken, strlen(text));
    return out;
}

static int append(void *context, const char *bytes, size_t length)
{
    strncat(context, bytes, length);
    return 0;
}

/* A whole text escaped. */
static const char *whole(stint_escape_fn *escape, const char *string)
{
    static char out[256];
    struct stint_text text;
    out[0] = '\0';
    stint_text_begin(&text, append, out);
    size_t length = stint_escape_put(&text, escape, string);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_int_equal(length, strlen(out));
    return out;
}

TEST(what_a_terminal_obeys_is_escaped)
{
    assert_string_equal(one(stint_escape_terminal, "\n"), "\\n");
    assert_string_equal(one(stint_escape_terminal, "\t"), "\\t");
    assert_string_equal(one(stint_escape_terminal, "\r"), "\\r");
    assert_string_equal(one(stint_escape_terminal, "\x1b"), "\\x1b");
    assert_string_equal(one(stint_escape_terminal, "\x7f"), "\\x7f");
    assert_string_equal(one(stint_escape_terminal, "\xc2\x85"), "\\u0085");
    assert_string_equal(one(stint_escape_terminal, "\xe2\x80\xae"), "\\u202e");
    assert_string_equal(one(stint_escape_terminal, "\xe2\x81\xa6"), "\\u2066");
    assert_string_equal(one(stint_escape_terminal, "\x9b"), "\\x9b"); /* begins a sequence where text is not UTF-8 */
}

TEST(what_a_terminal_shows_is_not_escaped)
{
    assert_string_equal(one(stint_escape_terminal, "a"), "");
    assert_string_equal(one(stint_escape_terminal, "\\"), "");
    assert_string_equal(one(stint_escape_terminal, "\xc3\xa4"), "");
    assert_string_equal(one(stint_escape_terminal, "\xf0\x9f\x98\x80"), "");
    assert_string_equal(one(stint_escape_terminal, "\xff"), "");
}

TEST(strings_of_json)
{
    assert_string_equal(whole(stint_escape_json, ""), "");
    assert_string_equal(whole(stint_escape_json, "plain 'text' <b>; \xc3\xa9"), "plain 'text' <b>; \xc3\xa9");
    assert_string_equal(whole(stint_escape_json, "a\"b\\c\n\t\r\b\f\x01\x1b\x7f"),
                        "a\\\"b\\\\c\\n\\t\\r\\b\\f\\u0001\\u001b\\u007f");
    assert_string_equal(whole(stint_escape_json, "\xff \xe2\x82"), "\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd");
    assert_string_equal(whole(stint_escape_json, "a\xe2\x80\xa8z\xe2\x80\xa9\xe2\x80\xa6"),
                        "a\\u2028z\\u2029\xe2\x80\xa6");
}

TEST(text_of_xml)
{
    assert_string_equal(whole(stint_escape_xml, "<b a=\"1\" c='&'>"), "&lt;b a=&quot;1&quot; c=&apos;&amp;&apos;&gt;");
    assert_string_equal(whole(stint_escape_xml, "a\tb\nc\r"), "a&#9;b&#10;c&#13;");
    assert_string_equal(whole(stint_escape_xml, "\x1b\x7f\xff\xef\xbf\xbe"),
                        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_string_equal(whole(stint_escape_xml, "\\ ; \xc3\xa9"), "\\ ; \xc3\xa9");
}

TEST(fields_of_csv)
{
    assert_string_equal(whole(stint_escape_csv, "a \"b\", \xff\n\t"), "a \"\"b\"\", \xff\n\t");
}

/* Files are shown on terminals, too. */
TEST(no_target_takes_what_controls_a_terminal)
{
    stint_escape_fn *const targets[] = {stint_escape_terminal, stint_escape_json, stint_escape_xml, stint_escape_csv};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        for (unsigned code = 1; code < 0xa0; code++) {
            const char text[] = {(char)(code < 0x80 ? code : 0xc2), (char)(code < 0x80 ? 0 : code), 0};
            if (code != '\n' && code != '\t' && (code < 0x20 || code >= 0x7f))
                assert_null(strstr(whole(targets[i], text), text));
        }
    }
}
