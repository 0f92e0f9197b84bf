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

/* Write a field. A number is also written if it is 0. */
void stint_proto_u64(struct stint_proto *proto, uint32_t field, uint64_t value);
void stint_proto_double(struct stint_proto *proto, uint32_t field, double value);
void stint_proto_bytes(struct stint_proto *proto, uint32_t field, const void *bytes, size_t length);

/* Writes a string as UTF-8, cut to at most 4096 bytes. */
void stint_proto_string(struct stint_proto *proto, uint32_t field, const char *text);

/* Begin and end a nested message: fields written in between belong to it. The beginning returns what has to be passed
 * to the end. */
size_t stint_proto_begin(struct stint_proto *proto, uint32_t field);
void stint_proto_end(struct stint_proto *proto, size_t begin);

/* Writes a number in varint encoding; returns its length, at most STINT_PROTO_VARINT. */
enum { STINT_PROTO_VARINT = 10 };
size_t stint_proto_varint(uint8_t *out, uint64_t value);

#endif
