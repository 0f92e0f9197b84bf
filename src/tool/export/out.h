/* What files of other tools are written with: text and JSON, and messages of Protocol Buffers. */
#ifndef STINT_EXPORT_OUT_H
#define STINT_EXPORT_OUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "stint/report.h"

/* ------------------------------------------------------------------------------------------------------------ out.c */

/* Buffered output for files of gigabytes: a large buffer in front of a stint_write_fn; numbers and JSON strings are
 * written straight into it. */

enum { STINT_OUT_SIZE = 1 << 17 };

struct stint_out {
    stint_write_fn *write;
    void *context;
    size_t used;
    int failed; /* write returned -1: all further output is discarded */
    char buffer[STINT_OUT_SIZE];
};

void stint_out_begin(struct stint_out *out, stint_write_fn *write, void *context);

/* Writes what is buffered. Returns 0, or -1 if any write has failed since the beginning. */
int stint_out_end(struct stint_out *out);

void stint_out_put_long(struct stint_out *out, const char *bytes, size_t length);

/* Inline, so that copying a literal takes few instructions. */
static inline void stint_out_put(struct stint_out *out, const char *bytes, size_t length)
{
    if (length >= STINT_OUT_SIZE || length > STINT_OUT_SIZE - out->used) {
        stint_out_put_long(out, bytes, length);
        return;
    }
    memcpy(out->buffer + out->used, bytes, length);
    out->used += length;
}

static inline void stint_out_string(struct stint_out *out, const char *string)
{
    stint_out_put(out, string, strlen(string));
}

void stint_out_u64(struct stint_out *out, uint64_t value);
void stint_out_i64(struct stint_out *out, int64_t value);

/* Writes thousandths as "12.345": from nanoseconds it makes microseconds. */
void stint_out_thousandths(struct stint_out *out, uint64_t value);

/* Writes at most three decimals; a value that is not finite is written as 0. */
void stint_out_number(struct stint_out *out, double value);

void stint_out_escaped(struct stint_out *out, stint_escape_fn *escape, const char *string);

/* For names in stacks that are lines: semicolons, which separate names, and control characters are replaced, as is what
 * is not UTF-8. */
stint_escape_fn stint_out_escape_stack;

/* Writes a JSON string in quotation marks. Bytes that are not UTF-8 become U+FFFD. */
void stint_out_json(struct stint_out *out, const char *string);

/* Copies as much of a text as fits into `size` bytes at `to`, replacing what is not UTF-8 by U+FFFD. Returns the
 * length. The copy is not terminated. */
size_t stint_out_clean(char *to, size_t size, const char *text);

/* ------------------------------------------------------------------------------------------------------- protobuf.c */

/* Builds messages of Protocol Buffers in memory. Fields for which there is no room are left out. */

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
