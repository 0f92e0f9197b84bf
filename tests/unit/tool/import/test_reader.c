#include "import/import.h"

#include <math.h>

#include "stint_test.h"

static struct stint_reader s_reader;
static struct stint_import_error s_error;

static struct stint_reader *reading(const char *text)
{
    s_error = (struct stint_import_error){0};
    stint_reader_begin(&s_reader, text, strlen(text), &s_error);
    return &s_reader;
}

static void assert_end(enum stint_status status, const char *reason)
{
    stint_reader_finish(&s_reader);
    assert_int_equal(stint_reader_end(&s_reader), status);
    assert_string_equal(s_error.reason, reason);
}

TEST(values_are_read_one_after_the_other)
{
    struct stint_reader *reader =
        reading(" [18446744073709551615, -3, null, 0.5, null, true, \"a\\u00e9\\n\", {\"x\": [1]}] ");
    struct stint_reader_list list = stint_reader_open(reader, '[');
    size_t count = 0;
    for (; stint_reader_next(reader, &list); count++) {
        if (count == 0)
            assert_true(stint_reader_u64(reader) == UINT64_MAX);
        else if (count == 1)
            assert_int_equal(stint_reader_i64(reader), -3);
        else if (count == 2)
            assert_true(stint_reader_index(reader) == SIZE_MAX);
        else if (count == 3)
            assert_true(stint_reader_number(reader) == 0.5);
        else if (count == 4)
            assert_true(isnan(stint_reader_number(reader)));
        else if (count == 5)
            assert_int_equal(stint_reader_switch(reader), 1);
        else if (count == 6)
            assert_string_equal(stint_reader_text(reader), "a\xc3\xa9\n");
        else
            stint_reader_skip(reader);
    }
    assert_int_equal(count, 8);
    assert_end(STINT_OK, "");
}

TEST(a_value_can_be_read_again)
{
    struct stint_reader *reader = reading("{\"a\": 1, \"b\": 2}");
    struct stint_reader_list list = stint_reader_open(reader, '{');
    assert_int_equal(stint_reader_next(reader, &list), 1);
    assert_true(stint_reader_is_key(&list, "a"));
    const char *place = stint_reader_place(reader);
    assert_int_equal(stint_reader_u64(reader), 1);
    reader->at = place;
    assert_int_equal(stint_reader_u64(reader), 1);
    assert_int_equal(stint_reader_next(reader, &list), 1);
    assert_false(stint_reader_is_key(&list, "a"));
    assert_int_equal(stint_reader_at_most(reader, 2), 2);
    assert_int_equal(stint_reader_next(reader, &list), 0);
    assert_end(STINT_OK, "");
}

/* The first reason stays, with its line, and what is read then is empty. */
TEST(a_failure_is_sticky)
{
    struct stint_reader *reader = reading("[1,\n x, 2]");
    struct stint_reader_list list = stint_reader_open(reader, '[');
    assert_int_equal(stint_reader_next(reader, &list), 1);
    assert_int_equal(stint_reader_u64(reader), 1);
    assert_int_equal(stint_reader_next(reader, &list), 1);
    assert_int_equal(stint_reader_u64(reader), 0);
    assert_int_equal(stint_reader_next(reader, &list), 0);
    assert_string_equal(stint_reader_text(reader), "");
    assert_int_equal(s_error.line, 2);
    assert_true(strlen(s_error.reason) > 0);
    assert_int_equal(stint_reader_end(reader), STINT_ERROR_INVALID_ARGUMENT);
}

TEST(a_lenient_reader_takes_texts_as_they_stand)
{
    static const char *const texts[][2] = {
        {"\"C:\\Users\\me\"", "C:\\Users\\me"},
        {"\"a\x01\nb\"", "a\x01\nb"},
        {"\"\xff\xc3\xa9\"", "\xff\xc3\xa9"},
        {"\"\\ud800\"", "\\ud800"},
        {"\"\\ud83d\\n\"", "\\ud83d\n"},
        {"\"\\u12\"", "\\u12"},
        {"\"\\u0000\"", "\\u0000"},
    };
    for (size_t i = 0; i < TEST_COUNT(texts); i++) {
        struct stint_reader *reader = reading(texts[i][0]);
        reader->is_lenient = 1;
        assert_string_equal(stint_reader_text(reader), texts[i][1]);
        assert_int_equal(reader->odd_texts, 1);
        stint_reader_begin_at(reader, reader->text);
        assert_int_equal(reader->odd_texts, 0);
        stint_reader_skip(reader);
        assert_end(STINT_OK, "");
        (void)stint_reader_text(reading(texts[i][0]));
        assert_int_equal(stint_reader_end(&s_reader), STINT_ERROR_INVALID_ARGUMENT);
    }
    struct stint_reader *reader = reading("\"\\ud83d\\ude00\\\"\\u00e9\"");
    reader->is_lenient = 1;
    assert_string_equal(stint_reader_text(reader), "\xf0\x9f\x98\x80\"\xc3\xa9");
    assert_int_equal(reader->odd_texts, 0);
    assert_end(STINT_OK, "");
}

TEST(a_lenient_reader_passes_over_words)
{
    struct stint_reader *reader = reading("[NaN, -Infinity, N/A, {\"a\": inf}, true, null, -1.5e3, 0x10]");
    reader->is_lenient = 1;
    stint_reader_skip(reader);
    assert_int_equal(reader->odd_words, 4);
    assert_end(STINT_OK, "");
    reader = reading("[1, ]");
    reader->is_lenient = 1;
    stint_reader_skip(reader);
    assert_ptr_equal(reader->failed_at, reader->text + 4);
    assert_end(STINT_ERROR_INVALID_ARGUMENT, "expected a value");
}

TEST(reading_goes_on_elsewhere_after_a_failure)
{
    struct stint_reader *reader = reading("[1 2] \"a\"");
    stint_reader_skip(reader);
    assert_int_equal(reader->status, STINT_ERROR_INVALID_ARGUMENT);
    stint_reader_begin_at(reader, reader->text + 6);
    assert_string_equal(stint_reader_text(reader), "a");
    assert_int_equal(stint_reader_end(reader), STINT_OK);
}
