#include "nvtx/string.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "nvtx/client.h"
#include "record/fixture.h"
#include "record/registry.h"
#include "stint_test.h"

/* Returns "name#a=0,a=1,…,id=N#" with data of `length` bytes at least. */
static char *with_data(const char *name, size_t length, unsigned id)
{
    char *text = malloc(strlen(name) + length + 64);
    size_t used = (size_t)sprintf(text, "%s#", name), begin = used;
    assert_non_null(text);
    for (unsigned i = 0; used - begin < length; i++)
        used += (size_t)sprintf(text + used, "a=%u,", i);
    sprintf(text + used, "id=%u#", id);
    return text;
}

TEST_ONCE(client_start, NULL)

TEST_SETUP(texts_that_differ_in_their_data_are_one_statistic, client_reset)
{
    range("Thunk:#hlo_op=fusion.1,unique_hlo_op_id=1#", 3);
    range("Thunk:#hlo_op=fusion.2,unique_hlo_op_id=2#", 4);
    check_range("NVTX", "Thunk", 2, 7);
}

TEST_SETUP(modules_are_told_apart_by_their_name_not_by_their_number, client_reset)
{
    range("XlaModule:#hlo_module=jit_step,program_id=1#", 1);
    range("XlaModule:#hlo_module=jit_step,program_id=2#", 1);
    range("XlaModule:#hlo_module=jit_loss,program_id=3#", 1);
    check_range("NVTX", "XlaModule jit_step", 2, 2);
    check_range("NVTX", "XlaModule jit_loss", 1, 1);
}

TEST_SETUP(every_kind_of_text_is_split, client_reset)
{
    const nvtx_handle domain = create("TSL"), string = register_text(domain, "registered#id=1#");
    const struct stint_nvtx_attributes ascii = text("ascii#id=1#"), wides = wide(L"wide#id=1#");
    push_attributes(domain, &ascii);
    pop_in(domain);
    push_attributes(domain, &wides);
    pop_in(domain);
    push_registered(domain, string);
    pop_in(domain);
    push_registered(domain, register_text(domain, "registered#id=2#"));
    pop_in(domain);
    push_registered(NULL, string); /* of another domain */
    pop();
    mark_in(domain, "mark#id=1#");
    end(start_in(domain, "started#id=1#"));
    check_range("NVTX:TSL", "ascii", 1, 0);
    check_range("NVTX:TSL", "wide", 1, 0);
    check_range("NVTX:TSL", "registered", 2, 0);
    check_range("NVTX", "registered", 1, 0);
    assert_int_equal(of("NVTX marks:TSL", "mark").count, 1);
    assert_int_equal(of("NVTX start/end:TSL", "started").count, 1);
}

TEST_SETUP(data_never_fill_the_table_of_names, client_reset)
{
    char text[64];
    range("step#id=0#", 1);
    uint32_t last = stint_registry_last_id();

    for (unsigned i = 1; i < 100000; i++) {
        snprintf(text, sizeof text, "step#id=%u#", i);
        range(text, 1);
    }
    assert_int_equal(stint_registry_last_id(), last);
    check_range("NVTX", "step", 100000, 100000);
    check_dropped((struct stint_dropped){0});
}

/* Texts of PyTorch of any version, and of pyprof.init(). */
TEST_SETUP(operations_never_fill_the_table_of_names, client_reset)
{
    static const char *const forms[] = {"aten::mm, op_id = %u, sizes = [[%u, 2]]", "aten::mm, seq = %u, sizes = [[%u]]",
                                        "aten::mm, seq = %u", "MyFunction, seq = %u",
                                        "{'mod': 'torch', 'op': 'mm', 'args': [{'value': %u}]}"};
    char text[128];
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(text, sizeof text, forms[i % TEST_COUNT(forms)], i, i);
        range(text, 1);
    }
    check_range("NVTX", "aten::mm", 600, 600);
    check_range("NVTX", "MyFunction", 200, 200);
    check_range("NVTX", "torch.mm", 200, 200);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(texts_of_operations_that_are_cut_are_names_and_counted, client_reset)
{
    static const char *const texts[] = {"aten::mm, op_id = 5, sizes = [[64, 1", "aten::mm, op_id = 5, sizes = [[64, ",
                                        "aten::mm, seq = 5, sizes = [[64, ", "{'mod': 'torch', 'op': 'mm', 'args': [",
                                        "{'traceMarker': ['a.py:5'"};
    for (size_t i = 0; i < TEST_COUNT(texts); i++)
        range(texts[i], 1);
    check_range("NVTX", "aten::mm", 1, 1);
    for (size_t i = 1; i < TEST_COUNT(texts); i++)
        check_range("NVTX", texts[i], 1, 1);
    check_dropped((struct stint_dropped){.nvtx_unparsed = TEST_COUNT(texts) - 1});
}

TEST_SETUP(texts_that_are_cut_are_counted, client_reset)
{
    static wchar_t wide[STINT_MAX_NAME + 2];
    static char narrow[STINT_MAX_NAME + 2];
    for (int i = 0; i < STINT_MAX_NAME + 1; i++)
        wide[i] = (wchar_t)(narrow[i] = 'x');
    (void)stint_nvtx_event_id_wide(&stint_nvtx_domains[0], STINT_NVTX_PUSHED, wide);
    check_dropped((struct stint_dropped){.truncated = 1});
    assert_int_equal(strlen(stint_nvtx_keep(narrow)), STINT_MAX_NAME);
    check_dropped((struct stint_dropped){.truncated = 2});
}

TEST_SETUP(data_may_be_longer_than_a_name, client_reset)
{
    char *one = with_data("long", 5000, 1), *two = with_data("long", 5000, 2);
    range(one, 1);
    range(two, 1);
    check_range("NVTX", "long", 2, 2);
    check_dropped((struct stint_dropped){0});
    push_registered(NULL, register_text(NULL, one));
    pop();
    check_range("NVTX", "long", 3, 2);
    check_dropped((struct stint_dropped){0});
    free(one);
    free(two);
}

TEST_SETUP(a_name_before_data_is_cut_like_any_other, client_reset)
{
    char name[STINT_MAX_NAME + 100], *text;
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    text = with_data(name, 10, 1);
    range(text, 1);
    name[STINT_MAX_NAME] = '\0';
    check_range("NVTX", name, 1, 1);
    check_dropped((struct stint_dropped){.truncated = 1});
    free(text);
}

TEST_SETUP(registered_texts_with_data_never_fill_the_table_of_strings, client_reset)
{
    char text[64];
    nvtx_handle domain = create("registers"), first = register_text(domain, "Thunk:#id=0#");
    for (unsigned i = 1; i < STINT_NVTX_MAX_STRINGS + 100; i++) {
        snprintf(text, sizeof text, "Thunk:#id=%u#", i);
        assert_ptr_equal(register_text(domain, text), first);
    }
    push_registered(domain, first);
    pop_in(domain);
    check_range("NVTX:registers", "Thunk", 1, 0);
    check_dropped((struct stint_dropped){0});
}

TEST_SETUP(data_without_a_name_are_unnamed, client_reset)
{
    range("#id=1#", 1);
    range("#id=2#", 1);
    check_range("NVTX", "(unnamed)", 2, 2);
    check_dropped((struct stint_dropped){.unnamed = 2});
}

TEST_SETUP(texts_that_only_look_like_data_are_names, client_reset)
{
    range("C#", 1);
    range("##", 1);
    range("step #3#", 1);
    range("a#b=c", 1);
    check_range("NVTX", "C#", 1, 1);
    check_range("NVTX", "##", 1, 1);
    check_range("NVTX", "step #3#", 1, 1);
    check_range("NVTX", "a#b=c", 1, 1);
}

static void check(const wchar_t *wide, const char *expected)
{
    char out[64];
    memset(out, 'x', sizeof out);
    stint_nvtx_narrow(out, sizeof out, wide);
    assert_string_equal(out, expected);
}

TEST(text_becomes_utf8)
{
    check(L"", "");
    check(L"step 1", "step 1");
    check(L"Größe", "Gr\xC3\xB6\xC3\x9F"
                    "e");
    check(L"\u20AC", "\xE2\x82\xAC");
    check(L"\U0001F600", "\xF0\x9F\x98\x80");
}

TEST(nothing_is_empty)
{
    check(NULL, "");
}

/* Every boundary between lengths, read back by what reads names in reports. */
TEST(every_length_reads_back)
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

TEST(what_is_no_character_is_replaced)
{
    const wchar_t wide[] = {(wchar_t)0xD800, (wchar_t)0xDFFF, (wchar_t)0x110000, (wchar_t)-1, L'!', 0};
    check(wide, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD!");
}

TEST(a_text_is_cut_between_characters)
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
