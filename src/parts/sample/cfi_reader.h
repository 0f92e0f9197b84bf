/* Reads DWARF's numbers. A reader that meets the end, or an encoding that it does not know, has failed, and returns 0
 * from then on. */
#ifndef STINT_SAMPLE_CFI_READER_H
#define STINT_SAMPLE_CFI_READER_H

#include <string.h>

#include "sample/cfi.h"

struct stint_cfi_reader {
    const struct stint_cfi_bytes *frames;
    size_t at;
    size_t end;
    int failed;
};

static inline struct stint_cfi_reader stint_cfi_reader(const struct stint_cfi_bytes *frames, size_t at, size_t end)
{
    return (struct stint_cfi_reader){.frames = frames, .at = at, .end = end, .failed = end > frames->size || at > end};
}

/* A number of 1, 2, 4 or 8 bytes. */
static inline uint64_t stint_cfi_fixed(struct stint_cfi_reader *reader, size_t size)
{
    uint64_t value = 0;
    if (reader->failed || size > reader->end - reader->at) {
        reader->failed = 1;
        return 0;
    }
    memcpy(&value, reader->frames->bytes + reader->at, size); /* little-endian */
    reader->at += size;
    return value;
}

static inline uint64_t stint_cfi_leb(struct stint_cfi_reader *reader, unsigned *bits, uint8_t *last)
{
    uint64_t value = 0;
    for (*bits = 0;; *bits += 7) {
        *last = (uint8_t)stint_cfi_fixed(reader, 1);
        if (*bits < 64)
            value |= (uint64_t)(*last & 0x7F) << *bits;
        if (!(*last & 0x80))
            break;
    }
    *bits += 7;
    return value;
}

static inline uint64_t stint_cfi_uleb(struct stint_cfi_reader *reader)
{
    unsigned bits;
    uint8_t last;
    return stint_cfi_leb(reader, &bits, &last);
}

static inline int64_t stint_cfi_sleb(struct stint_cfi_reader *reader)
{
    unsigned bits;
    uint8_t last;
    uint64_t value = stint_cfi_leb(reader, &bits, &last);
    if ((last & 0x40) && bits < 64)
        value |= UINT64_MAX << bits;
    return (int64_t)value;
}

/* A pointer, by DWARF's encoding: the low half of the byte says its size, the high half what it is relative to. Those
 * that lie elsewhere, which only personality routines do, are not followed. */
static inline uint64_t stint_cfi_pointer(struct stint_cfi_reader *reader, uint8_t encoding)
{
    uint64_t base = (encoding & 0x70) == 0x10 ? reader->frames->address + reader->at : 0, value;
    switch (encoding & 0x0F) {
    case 0x00:
    case 0x04:
    case 0x0C:
        value = stint_cfi_fixed(reader, 8);
        break;
    case 0x01:
        value = stint_cfi_uleb(reader);
        break;
    case 0x09:
        value = (uint64_t)stint_cfi_sleb(reader);
        break;
    case 0x02:
        value = stint_cfi_fixed(reader, 2);
        break;
    case 0x0A:
        value = (uint64_t)(int64_t)(int16_t)stint_cfi_fixed(reader, 2);
        break;
    case 0x03:
        value = stint_cfi_fixed(reader, 4);
        break;
    case 0x0B:
        value = (uint64_t)(int64_t)(int32_t)stint_cfi_fixed(reader, 4);
        break;
    default:
        reader->failed = 1;
        return 0;
    }
    return base + value;
}

#endif
