#include "nvtx/wide.h"

#include <stdint.h>

enum { REPLACEMENT = 0xFFFD };

static uint32_t code_of(wchar_t wide)
{
    const uint32_t code = (uint32_t)wide;

    return code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? (uint32_t)REPLACEMENT : code;
}

static size_t length_of(uint32_t code)
{
    return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

static void put(char *out, uint32_t code, size_t length)
{
    static const unsigned char leads[] = {0, 0x00, 0xC0, 0xE0, 0xF0};

    for (size_t i = length - 1; i > 0; --i) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    out[0] = (char)(leads[length] | code);
}

void stint_nvtx_narrow(char *out, size_t size, const wchar_t *wide)
{
    for (; wide && *wide; ++wide) {
        const uint32_t code = code_of(*wide);
        const size_t length = length_of(code);

        if (length >= size)
            break;
        put(out, code, length);
        out += length;
        size -= length;
    }
    *out = '\0';
}
