/* Reads, writes, measures and cuts UTF-8. Invalid bytes are expected, and pass as what they are: single bytes. */
#include "base/text.h"

#include <string.h>

/* How many continuation bytes the first byte announces, and the least code point that needs that many. */
struct lead {
    size_t following;
    uint32_t payload;
    uint32_t least;
};

static struct lead read_lead(unsigned char byte)
{
    if (byte < 0x80)
        return (struct lead){0, byte, 0};
    if (byte >= 0xc0 && byte < 0xe0)
        return (struct lead){1, byte & 0x1f, 0x80};
    if (byte >= 0xe0 && byte < 0xf0)
        return (struct lead){2, byte & 0x0f, 0x800};
    if (byte >= 0xf0 && byte < 0xf8)
        return (struct lead){3, byte & 0x07, 0x10000};
    return (struct lead){0, STINT_UTF8_INVALID, 0};
}

size_t stint_utf8_read(const char *text, uint32_t *code)
{
    struct lead lead = read_lead((unsigned char)text[0]);
    uint32_t value = lead.payload;
    for (size_t i = 1; i <= lead.following; i++) {
        if (stint_utf8_begins(text[i])) { /* true of a terminating NUL, too: bytes after it are never read */
            *code = STINT_UTF8_INVALID;
            return 1;
        }
        value = value << 6 | ((unsigned char)text[i] & 0x3f);
    }
    int surrogate = value >= 0xd800 && value < 0xe000;
    if (value < lead.least || value > 0x10ffff || surrogate) {
        *code = STINT_UTF8_INVALID;
        return 1;
    }
    *code = value;
    return lead.following + 1;
}

struct range {
    uint32_t first;
    uint32_t last;
};

static const struct range s_combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a},   {0x064b, 0x065f}, {0x093c, 0x093c},
    {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},   {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x2060, 0x2060}, {0x20d0, 0x20ff},   {0x302a, 0x302d}, {0x3099, 0x309a},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};

static const struct range s_wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff}, {0xa000, 0xa4cf},
    {0xa960, 0xa97c},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60}, {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

static int is_within(uint32_t code, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return 1;
    return 0;
}

unsigned stint_utf8_columns(uint32_t code)
{
    if (code < 0x300)
        return 1;
    if (is_within(code, s_combining, sizeof s_combining / sizeof s_combining[0]))
        return 0;
    return is_within(code, s_wide, sizeof s_wide / sizeof s_wide[0]) ? 2 : 1;
}

/* ---------------------------------------------------------------------------------------------------------- writing */

size_t stint_utf8_write(char *out, uint32_t code)
{
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        code = 0xfffd;
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(leads[length] | code);
    return length;
}

size_t stint_utf8_cut(const char *text, size_t most)
{
    size_t length = strnlen(text, most + 1);
    if (length <= most)
        return length;
    for (size_t back = 0; back < STINT_UTF8_LONGEST && back <= most; back++)
        if (stint_utf8_begins(text[most - back]))
            return most - back;
    return most;
}
