/* Builds messages of Protocol Buffers. */
#include "export/out.h"

#include <string.h>

enum { FIXED64 = 1, LENGTH = 2, STRING_MOST = 4096 };

static void put_tag(struct stint_proto *proto, uint32_t field, unsigned type)
{
    proto->used += stint_proto_varint(proto->bytes + proto->used, (uint64_t)field << 3 | type);
}

void stint_proto_double(struct stint_proto *proto, uint32_t field, double value)
{
    uint64_t bits;
    if (!stint_proto_has_room(proto, 0))
        return;
    memcpy(&bits, &value, sizeof bits);
    put_tag(proto, field, FIXED64);
    for (size_t i = 0; i < sizeof bits; i++)
        proto->bytes[proto->used++] = (uint8_t)(bits >> 8 * i);
}

void stint_proto_bytes(struct stint_proto *proto, uint32_t field, const void *bytes, size_t length)
{
    if (!stint_proto_has_room(proto, length))
        return;
    put_tag(proto, field, LENGTH);
    proto->used += stint_proto_varint(proto->bytes + proto->used, length);
    memcpy(proto->bytes + proto->used, bytes, length);
    proto->used += length;
}

void stint_proto_string(struct stint_proto *proto, uint32_t field, const char *text)
{
    char clean[STRING_MOST];
    stint_proto_bytes(proto, field, clean, stint_out_clean(clean, sizeof clean, text));
}

/* Most messages are short enough for a length of one byte: that byte is reserved, and the message is moved if the
 * length takes more. */
size_t stint_proto_begin(struct stint_proto *proto, uint32_t field)
{
    if (!stint_proto_has_room(proto, 0))
        return 0;
    put_tag(proto, field, LENGTH);
    return ++proto->used;
}

void stint_proto_end(struct stint_proto *proto, size_t begin)
{
    uint8_t length[STINT_PROTO_VARINT];
    if (!begin)
        return;
    size_t size = stint_proto_varint(length, proto->used - begin);
    if (size == 1) {
        proto->bytes[begin - 1] = length[0];
        return;
    }
    if (!stint_proto_has_room(proto, size))
        return;
    memmove(proto->bytes + begin - 1 + size, proto->bytes + begin, proto->used - begin);
    memcpy(proto->bytes + begin - 1, length, size);
    proto->used += size - 1;
}

void stint_proto_message(struct stint_proto *proto, uint32_t field, const struct stint_proto_field *fields,
                         size_t count)
{
    size_t message = stint_proto_begin(proto, field);
    for (size_t i = 0; i < count; i++)
        if (fields[i].text)
            stint_proto_string(proto, fields[i].number, fields[i].text);
        else
            stint_proto_u64(proto, fields[i].number, fields[i].value);
    stint_proto_end(proto, message);
}
