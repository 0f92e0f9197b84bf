#include "ctf_writer/ctf_format.h"

#include <stdio.h>
#include <string.h>

#include "stint_test.h"

static const unsigned char s_uuid[16] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF, 1, 2, 3, 4, 5, 6, 7, 0xFF};

static char s_text[16000];

static int describe(void **state)
{
    return stint_ctf_describe(s_text, sizeof s_text, s_uuid, UINT64_C(1700000000123456789)) ? 0 : -1;
}

TEST(numbers_are_little_endian)
{
    unsigned char bytes[9] = {0};
    stint_ctf_put_u32(bytes + 1, 0x01020304);
    assert_memory_equal(bytes, "\0\4\3\2\1", 5);
    assert_int_equal(stint_ctf_get_u32(bytes + 1), 0x01020304);
    stint_ctf_put_u64(bytes + 1, UINT64_C(0x0102030405060708));
    assert_int_equal(bytes[1], 8);
    assert_true(stint_ctf_get_u64(bytes + 1) == UINT64_C(0x0102030405060708));
}

TEST_SETUP(the_description_is_read_back, describe)
{
    unsigned char uuid[16];
    assert_int_equal(stint_ctf_read_description(s_text, uuid, NULL, 0), 0);
    assert_memory_equal(uuid, s_uuid, sizeof uuid);
    assert_non_null(strstr(s_text, "uuid = \"01234567-89ab-cdef-0102-0304050607ff\";"));
    assert_non_null(strstr(s_text, "offset_s = 1700000000;\n\toffset = 123456789;"));
}

TEST_SETUP(every_event_is_described, describe)
{
    for (int i = 0; i < STINT_CTF_IDS; i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "\tname = \"%s\";\n\tid = %d;", stint_ctf_event_table[i].name, i);
        assert_non_null(strstr(s_text, line));
    }
}

TEST(too_little_room_is_told)
{
    char text[1000];
    assert_int_equal(stint_ctf_describe(text, sizeof text, s_uuid, 0), 0);
}

static void check_refused(const char *text, const char *expected)
{
    unsigned char uuid[16];
    char reason[128];
    assert_int_equal(stint_ctf_read_description(text, uuid, reason, sizeof reason), -1);
    assert_string_equal(reason, expected);
}

TEST_SETUP(what_is_no_description_is_refused, describe)
{
    check_refused("", "this is not a recording of stint");
    char *at = strstr(s_text, "stint_version = ") + strlen("stint_version = ");
    *at = '9';
    check_refused(s_text, "it has version 9, but this stint reads 1 to 5: use a later stint");
    *at = '1';
    strstr(s_text, "01234567")[2] = 'x';
    check_refused(s_text, "its metadata is damaged");
}

TEST(the_sum_notices_what_changes_places)
{
    static const unsigned char bytes[] = "abcdefgh1", swapped[] = "efghabcd1";
    assert_true(stint_ctf_sum(bytes, 9) == stint_ctf_sum(bytes, 9));
    assert_true(stint_ctf_sum(bytes, 9) != stint_ctf_sum(bytes, 8));
    assert_true(stint_ctf_sum(bytes, 9) != stint_ctf_sum(swapped, 9));
    assert_int_equal(stint_ctf_sum(bytes, 0), 0);
}
