#include "nvtx/wide.h"

#include <string.h>

#include "base/utf8.h"
#include "stint_test.h"

static void check(const wchar_t *wide, const char *expected)
{
    char out[64];

    memset(out, 'x', sizeof out);
    stint_nvtx_narrow(out, sizeof out, wide);
    assert_string_equal(out, expected);
}

static void text_becomes_utf8(void **state)
{
    check(L"", "");
    check(L"step 1", "step 1");
    check(L"Größe", "Gr\xC3\xB6\xC3\x9F"
                    "e");
    check(L"\u20AC", "\xE2\x82\xAC");
    check(L"\U0001F600", "\xF0\x9F\x98\x80");
}

static void nothing_is_empty(void **state)
{
    check(NULL, "");
}

/* Every boundary between lengths, read back by what reads names in reports. */
static void every_length_reads_back(void **state)
{
    static const uint32_t codes[] = {1, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};

    for (size_t i = 0; i < TEST_COUNT(codes); ++i) {
        const wchar_t wide[] = {(wchar_t)codes[i], 0};
        char out[8];
        uint32_t code;

        stint_nvtx_narrow(out, sizeof out, wide);
        assert_int_equal(stint_utf8_read(out, &code), strlen(out));
        assert_int_equal(code, codes[i]);
    }
}

static void what_is_no_character_is_replaced(void **state)
{
    const wchar_t wide[] = {(wchar_t)0xD800, (wchar_t)0xDFFF, (wchar_t)0x110000, (wchar_t)-1, L'!', 0};

    check(wide, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD!");
}

static void a_text_is_cut_between_characters(void **state)
{
    char out[6];

    stint_nvtx_narrow(out, sizeof out, L"123456789");
    assert_string_equal(out, "12345");
    stint_nvtx_narrow(out, sizeof out, L"1234\u20AC");
    assert_string_equal(out, "1234");
    stint_nvtx_narrow(out, sizeof out, L"12\u20AC");
    assert_string_equal(out, "12\xE2\x82\xAC");
    stint_nvtx_narrow(out, 1, L"1");
    assert_string_equal(out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_becomes_utf8),
        cmocka_unit_test(nothing_is_empty),
        cmocka_unit_test(every_length_reads_back),
        cmocka_unit_test(what_is_no_character_is_replaced),
        cmocka_unit_test(a_text_is_cut_between_characters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
