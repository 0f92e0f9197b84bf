/* Builds messages of Protocol Buffers in memory. Fields for which there is no room are left out. */
#ifndef STINT_EXPORT_PROTOBUF_H
#define STINT_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

enum { STINT_PROTO_SIZE = 1 << 16 };

struct stint_proto {
    size_t used;
    uint8_t bytes[STINT_PROTO_SIZE];
};

/* A number in varint encoding takes at most so many bytes. */
enum { STINT_PROTO_VARINT = 10 };

/* Writes such a number; returns its length. Inline, as are the next, because there are a dozen numbers in each event,
 * and tags are known where they are written. */
static inline size_t stint_proto_varint(uint8_t *out, uint64_t value)
{
    size_t length = 0;
    for (; value >= 0x80; value >>= 7)
        out[length++] = (uint8_t)(value | 0x80);
    out[length++] = (uint8_t)value;
    return length;
}

/* Whether there is room for a tag, a number, and this many bytes. */
static inline int stint_proto_has_room(const struct stint_proto *proto, size_t bytes)
{
    size_t most = sizeof proto->bytes - 2 * STINT_PROTO_VARINT;
    return bytes <= most && proto->used <= most - bytes;
}

/* Write a field. A number is also written if it is 0. */
static inline void stint_proto_u64(struct stint_proto *proto, uint32_t field, uint64_t value)
{
    if (!stint_proto_has_room(proto, 0))
        return;
    uint8_t *at = proto->bytes + proto->used;
    at += stint_proto_varint(at, (uint64_t)field << 3);
    at += stint_proto_varint(at, value);
    proto->used = (size_t)(at - proto->bytes);
}

void stint_proto_double(struct stint_proto *proto, uint32_t field, double value);
void stint_proto_bytes(struct stint_proto *proto, uint32_t field, const void *bytes, size_t length);

/* Writes a string as UTF-8, cut to at most 4096 bytes. */
void stint_proto_string(struct stint_proto *proto, uint32_t field, const char *text);

/* Begin and end a nested message: fields written in between belong to it. The beginning returns what has to be passed
 * to the end. */
size_t stint_proto_begin(struct stint_proto *proto, uint32_t field);
void stint_proto_end(struct stint_proto *proto, size_t begin);

/* A field of a message: a text or, without one, a number. */
struct stint_proto_field {
    uint32_t number;
    const char *text;
    uint64_t value;
};

/* Writes a nested message of such fields. */
void stint_proto_message(struct stint_proto *proto, uint32_t field, const struct stint_proto_field *fields,
                         size_t count);

/* The same for fields that are written out: {NAME, .text = name}, {ID, .value = id}. */
#define STINT_PROTO_FIELDS_(...) ((const struct stint_proto_field[]){__VA_ARGS__})
#define STINT_PROTO_MESSAGE(proto, field, ...)                                                                         \
    stint_proto_message(proto, field, STINT_PROTO_FIELDS_(__VA_ARGS__),                                                \
                        sizeof STINT_PROTO_FIELDS_(__VA_ARGS__) / sizeof(struct stint_proto_field))

#endif
