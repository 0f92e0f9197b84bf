/* Messages of Protocol Buffers, put together in memory. Fields for which there is no room are left out. */
#ifndef STINT_EXPORT_PROTOBUF_H
#define STINT_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

enum { STINT_PROTO_SIZE = 1 << 16 };

struct stint_proto {
    size_t used;
    uint8_t bytes[STINT_PROTO_SIZE];
};

/* Fields. Of 0 a number is written too. */
void stint_proto_u64(struct stint_proto *proto, uint32_t field, uint64_t value);
void stint_proto_double(struct stint_proto *proto, uint32_t field, double value);
void stint_proto_bytes(struct stint_proto *proto, uint32_t field, const void *bytes, size_t length);

/* As UTF-8, of at most 4096 bytes. */
void stint_proto_string(struct stint_proto *proto, uint32_t field, const char *text);

/* A message within: what comes between belongs to it. Returns what the end wants to know. */
size_t stint_proto_begin(struct stint_proto *proto, uint32_t field);
void stint_proto_end(struct stint_proto *proto, size_t begin);

/* Writes a number as it stands in a message; returns its length, at most STINT_PROTO_VARINT. */
enum { STINT_PROTO_VARINT = 10 };
size_t stint_proto_varint(uint8_t *out, uint64_t value);

#endif
