/* Numbers in a recording: little-endian, at any address. Compilers make one instruction of each. */
#ifndef STINT_CTF_WRITER_CTF_BYTES_H
#define STINT_CTF_WRITER_CTF_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void stint_ctf_put_u32(unsigned char *at, uint32_t value)
{
    value = htole32(value);
    memcpy(at, &value, sizeof value);
}

static inline void stint_ctf_put_u64(unsigned char *at, uint64_t value)
{
    value = htole64(value);
    memcpy(at, &value, sizeof value);
}

static inline uint32_t stint_ctf_get_u32(const unsigned char *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return le32toh(value);
}

static inline uint64_t stint_ctf_get_u64(const unsigned char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return le64toh(value);
}

#endif
