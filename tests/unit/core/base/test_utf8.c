#include "base/text.h"

#include <string.h>

#include "stint_test.h"

static void encode(char *out, uint32_t code)
{
    memset(out, 0, 5);
    if (code < 0x80) {
        out[0] = (char)code;
    } else if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
    } else {
        out[0] = (char)(0xf0 | code >> 18);
        out[1] = (char)(0x80 | (code >> 12 & 0x3f));
        out[2] = (char)(0x80 | (code >> 6 & 0x3f));
        out[3] = (char)(0x80 | (code & 0x3f));
    }
}

TEST(every_code_point_is_read_back)
{
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[5];
        uint32_t read = 0;
        encode(text, code);
        if (code >= 0xd800 && code < 0xe000)
            continue;
        assert_int_equal(stint_utf8_read(text, &read), strlen(text));
        assert_int_equal(read, code);
    }
}

TEST(broken_sequences_are_one_invalid_byte)
{
    const char *const broken[] = {
        "\x80", /* stray continuation */
        "\xff",
        "\xfe",             /* never begin anything */
        "\xc0\xaf",         /* overlong */
        "\xe0\x80\xaf",     /* overlong */
        "\xf0\x80\x80\xaf", /* overlong */
        "\xed\xa0\x80",     /* surrogate */
        "\xf4\x90\x80\x80", /* above U+10FFFF */
        "\xf8\x88\x80\x80\x80",
        "\xe2\x82", /* cut off by the end */
        "\xe2\x82x",
        "\xc3\xc3\xa9",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        uint32_t code = 0;
        assert_int_equal(stint_utf8_read(broken[i], &code), 1);
        assert_true(code == STINT_UTF8_INVALID);
    }
}

TEST(columns_follow_terminals)
{
    assert_int_equal(stint_utf8_columns('a'), 1);
    assert_int_equal(stint_utf8_columns(0xe9), 1);    /* é */
    assert_int_equal(stint_utf8_columns(0x301), 0);   /* combining acute */
    assert_int_equal(stint_utf8_columns(0x200d), 0);  /* zero width joiner */
    assert_int_equal(stint_utf8_columns(0x2026), 1);  /* … */
    assert_int_equal(stint_utf8_columns(0x7573), 2);  /* 畳 */
    assert_int_equal(stint_utf8_columns(0xd55c), 2);  /* 한 */
    assert_int_equal(stint_utf8_columns(0x1f600), 2); /* 😀 */
}

TEST(every_code_point_is_written)
{
    for (uint32_t code = 1; code < 0x110000; code++) {
        char text[5], written[5] = "";
        encode(text, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
        assert_int_equal(stint_utf8_write(written, code), strlen(text));
        assert_string_equal(written, text);
    }
}

TEST(what_is_no_character_is_replaced)
{
    static const uint32_t wrong[] = {0xd800, 0xdfff, 0x110000, STINT_UTF8_INVALID};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char written[5] = "";
        assert_int_equal(stint_utf8_write(written, wrong[i]), 3);
        assert_string_equal(written, STINT_UTF8_REPLACEMENT);
    }
}

TEST(a_text_is_cut_between_characters)
{
    assert_int_equal(stint_utf8_cut("", 0), 0);
    assert_int_equal(stint_utf8_cut("abc", 3), 3);
    assert_int_equal(stint_utf8_cut("abc", 2), 2);
    assert_int_equal(stint_utf8_cut("a\xe2\x82\xac", 4), 4);
    assert_int_equal(stint_utf8_cut("a\xe2\x82\xac", 3), 1);
    assert_int_equal(stint_utf8_cut("a\xe2\x82\xac", 2), 1);
    assert_int_equal(stint_utf8_cut("\xe2\x82\xac", 2), 0);
    assert_int_equal(stint_utf8_cut("a\xf0\x9f\x98\x80z", 5), 5);
    assert_int_equal(stint_utf8_cut("a\xf0\x9f\x98\x80z", 4), 1);
}

TEST(what_is_not_utf8_is_cut_anywhere)
{
    assert_int_equal(stint_utf8_cut("\x80\x80\x80\x80\x80\x80", 5), 5);
    assert_int_equal(stint_utf8_cut("\x80\x80\x80\x80\x80\x80", 2), 2);
}
