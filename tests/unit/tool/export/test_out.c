#include "export/out.h"

#include <math.h>
#include <stdio.h>

#include "stint_test.h"

static char s_text[1 << 20];
static size_t s_length;

static int collect(void *context, const char *bytes, size_t length)
{
    if (context)
        return -1;
    assert_true(s_length + length < sizeof s_text);
    memcpy(s_text + s_length, bytes, length);
    s_length += length;
    s_text[s_length] = '\0';
    return 0;
}

static struct stint_out s_out;

static void begin(void)
{
    s_length = 0;
    s_text[0] = '\0';
    stint_out_begin(&s_out, collect, NULL);
}

static const char *end(void)
{
    assert_int_equal(stint_out_end(&s_out), 0);
    return s_text;
}

TEST(numbers_are_as_printf_writes_them)
{
    static const uint64_t values[] = {0, 1, 9, 10, 99, 100, 101, 999, 1000, 12345, 1000000, 4294967296, UINT64_MAX};
    char expected[64];
    for (size_t i = 0; i < TEST_COUNT(values); i++) {
        snprintf(expected, sizeof expected, "%llu", (unsigned long long)values[i]);
        begin();
        stint_out_u64(&s_out, values[i]);
        assert_string_equal(end(), expected);
        snprintf(expected, sizeof expected, "%llu.%03llu", (unsigned long long)values[i] / 1000,
                 (unsigned long long)values[i] % 1000);
        begin();
        stint_out_thousandths(&s_out, values[i]);
        assert_string_equal(end(), expected);
    }
}

TEST(negative_numbers_have_a_sign)
{
    begin();
    stint_out_i64(&s_out, INT64_MIN);
    stint_out_i64(&s_out, -1);
    stint_out_i64(&s_out, 7);
    assert_string_equal(end(), "-9223372036854775808-17");
}

TEST(fractions_have_three_decimals)
{
    begin();
    stint_out_number(&s_out, 0.0005);
    stint_out_put(&s_out, " ", 1);
    stint_out_number(&s_out, 1234.5678);
    stint_out_put(&s_out, " ", 1);
    stint_out_number(&s_out, -2.5);
    stint_out_put(&s_out, " ", 1);
    stint_out_number(&s_out, 1e18);
    stint_out_put(&s_out, " ", 1);
    stint_out_number(&s_out, NAN);
    assert_string_equal(end(), "0.001 1234.568 -2.500 1000000000000000000.000 0");
}

TEST(json_escapes_what_it_must)
{
    begin();
    stint_out_json(&s_out, "a\"b\\c\n\t\x01\x7f d\xc3\xa9 \xff \xe2\x82");
    assert_string_equal(end(), "\"a\\\"b\\\\c\\n\\t\\u0001\\u007f d\xc3\xa9 \xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(text_beyond_the_buffer_is_whole)
{
    static char expected[3 * STINT_OUT_SIZE + 1];
    begin();
    for (size_t i = 0; i < sizeof expected - 1; i++)
        expected[i] = (char)('a' + i % 26);
    stint_out_put(&s_out, expected, 10);
    stint_out_put(&s_out, expected + 10, sizeof expected - 11);
    assert_string_equal(end(), expected);
}

TEST(failed_write_is_known_at_the_end)
{
    int fails = 1;
    stint_out_begin(&s_out, collect, &fails);
    stint_out_put(&s_out, "x", 1);
    assert_int_equal(stint_out_end(&s_out), -1);
}

TEST(clean_text_ends_with_a_whole_character)
{
    char to[8];
    assert_int_equal(stint_out_clean(to, 4, "abc\xc3\xa9"), 3);
    assert_int_equal(stint_out_clean(to, 5, "abc\xc3\xa9"), 5);
    assert_int_equal(stint_out_clean(to, 4, "a\xff"), 4);
    assert_memory_equal(to, "a\xef\xbf\xbd", 4);
}
