#include <string.h>

#include "report/golden.h"
#include "report/line.h"
#include "stint_test.h"

static void check(const char *set, const char *name, size_t columns, const char *expected)
{
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_label_put(&text, (struct stint_label){set, name}, columns);
    assert_int_equal(stint_text_end(&text), STINT_OK);
    assert_string_equal(out.text, expected);
}

TEST(label_that_fits_is_whole)
{
    check("", "name", 4, "name");
    check("Set", "name", 8, "Set/name");
    check("", "畳み込み", 8, "畳み込み");
}

TEST(shortened_label_keeps_both_ends)
{
    check("", "0123456789", 9, "0123…6789");
    check("", "0123456789", 8, "0123…789");
    check("", "0123456789", 2, "0…");
    check("", "0123456789", 1, "…");
    check("Network", "receive", 9, "Netw…eive");
}

TEST(shortening_never_cuts_a_character)
{
    check("", "畳み込み", 7, "畳…み"); /* 3 + 1 + 3 columns: one of two characters each */
    check("", "ab\nde", 5, "ab…de");   /* the escape, two columns, goes as one */
    check("", "abc\xffxyz", 9, "abc…xyz");
}

TEST(combining_character_stays_with_its_base)
{
    check("", "ae\xcc\x81g0123456789", 5, "ae\xcc\x81…89");
    check("", "0123456789ae\xcc\x81g", 5, "01…e\xcc\x81g");
    check("", "0123456789ae\xcc\x81g", 4, "01…g");
}

TEST(start_alone_is_kept_on_request)
{
    struct capture out = {0};
    struct stint_text text;
    stint_text_begin(&text, capture_write, &out);
    stint_label_put_start(&text, (struct stint_label){"", "program --option"}, 10);
    stint_text_end(&text);
    assert_string_equal(out.text, "program -…");
}

TEST(columns_count_escapes_and_wide_characters)
{
    assert_int_equal(stint_label_columns((struct stint_label){"", "a\nb"}), 4);
    assert_int_equal(stint_label_columns((struct stint_label){"", "\x1b"}), 4);
    assert_int_equal(stint_label_columns((struct stint_label){"", "\xe2\x80\xae"}), 6);
    assert_int_equal(stint_label_columns((struct stint_label){"畳", "e\xcc\x81"}), 4);
}
