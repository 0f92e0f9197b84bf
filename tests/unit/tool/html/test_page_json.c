#include <string.h>

#include "html/page_json.h"
#include "report/golden.h"
#include "stint_test.h"

/* Writes `text` in pieces of `size` bytes. */
static void assert_written(const char *text, size_t size, const char *expected)
{
    struct capture out = {0};
    struct stint_script script = {.write = capture_write, .context = &out};
    size_t length = strlen(text);
    for (size_t at = 0; at < length; at += size)
        assert_int_equal(stint_script_write(&script, text + at, length - at < size ? length - at : size), 0);
    assert_string_equal(out.text, expected);
}

TEST(markup_is_escaped)
{
    assert_written("\"</script><!--&\"", 100, "\"\\u003c/script\\u003e\\u003c!--\\u0026\"");
}

TEST(other_text_stays_wherever_it_is_cut)
{
    for (size_t size = 1; size < 9; size++)
        assert_written("\xe2\x80\xa6 \xe2\x82\xac \xe2\xe2\x80\xa6 \xe2\x80<.", size,
                       "\xe2\x80\xa6 \xe2\x82\xac \xe2\xe2\x80\xa6 \xe2\x80\\u003c.");
}

TEST(numbers_of_a_table_are_what_they_are_however_large)
{
    struct stint_arena arena = {0};
    struct stint_html_strings strings = {.arena = &arena};
    struct stint_html_table table = {.strings = &strings, .keys = "total self flops"};
    struct capture out = {0};
    struct stint_text text;
    struct stint_json json = {.text = &text};
    stint_html_u64(&table, UINT64_MAX);
    stint_html_u64(&table, UINT64_MAX);
    stint_html_real(&table, 3e19);
    stint_html_u64(&table, (uint64_t)INT64_MAX + 1);
    stint_html_i64(&table, -1);
    stint_html_real(&table, 0.5);
    stint_text_begin(&text, capture_write, &out);
    stint_html_columns_put(&table, &json);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, "\"rows\":2,\"total\":[18446744073709551615,9223372036854775808],\"self\":["
                                  "18446744073709551615,-1],\"flops\":[30000000000000000000,0]");
    stint_arena_free(&arena);
}

static int refuse(void *context, const char *text, size_t length)
{
    return -1;
}

TEST(failure_to_write_is_passed_on)
{
    struct stint_script script = {.write = refuse};
    assert_int_equal(stint_script_write(&script, "plain", 5), -1);
    assert_int_equal(stint_script_write(&script, "<", 1), -1);
}
