#include "export/out.h"

#include <string.h>

#include "stint_test.h"

static struct stint_proto s_proto;

static void assert_bytes(const char *expected, size_t length)
{
    assert_int_equal(s_proto.used, length);
    assert_memory_equal(s_proto.bytes, expected, length);
    s_proto.used = 0;
}

#define ASSERT_BYTES(literal) assert_bytes(literal, sizeof(literal) - 1)

TEST(numbers_are_varints)
{
    stint_proto_u64(&s_proto, 1, 0);
    stint_proto_u64(&s_proto, 2, 300);
    stint_proto_u64(&s_proto, 1001, UINT64_MAX);
    ASSERT_BYTES("\x08\x00"
                 "\x10\xac\x02"
                 "\xc8\x3e\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(doubles_are_little_endian)
{
    stint_proto_double(&s_proto, 5, 1.5);
    ASSERT_BYTES("\x29\0\0\0\0\0\0\xf8\x3f");
}

TEST(strings_are_utf8_of_limited_length)
{
    static char text[10000];
    stint_proto_string(&s_proto, 3, "a\xff");
    ASSERT_BYTES("\x1a\x04"
                 "a\xef\xbf\xbd");
    memset(text, 'x', sizeof text - 1);
    stint_proto_string(&s_proto, 3, text);
    assert_int_equal(s_proto.used, 1 + 2 + 4096);
    s_proto.used = 0;
}

TEST(messages_have_their_length_in_front)
{
    size_t outer = stint_proto_begin(&s_proto, 1);
    size_t inner = stint_proto_begin(&s_proto, 2);
    stint_proto_u64(&s_proto, 1, 7);
    stint_proto_end(&s_proto, inner);
    stint_proto_end(&s_proto, outer);
    ASSERT_BYTES("\x0a\x04\x12\x02\x08\x07");
}

TEST(long_message_moves_for_its_length)
{
    char text[201] = "";
    memset(text, 'y', 200);
    size_t outer = stint_proto_begin(&s_proto, 1);
    stint_proto_string(&s_proto, 2, text);
    stint_proto_end(&s_proto, outer);
    assert_int_equal(s_proto.used, 1 + 2 + 1 + 2 + 200);
    assert_memory_equal(s_proto.bytes, "\x0a\xcb\x01\x12\xc8\x01yyy", 9);
    assert_int_equal(s_proto.bytes[s_proto.used - 1], 'y');
    s_proto.used = 0;
}

TEST(field_without_room_is_left_out)
{
    static char bytes[STINT_PROTO_SIZE];
    stint_proto_bytes(&s_proto, 1, bytes, sizeof bytes);
    assert_int_equal(s_proto.used, 0);
    for (int i = 0; i < 20; i++)
        stint_proto_bytes(&s_proto, 1, bytes, 4000);
    assert_int_equal(s_proto.used, 16 * 4003);
    s_proto.used = 0;
}
