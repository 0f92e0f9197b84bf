#include "base/utf8.h"

/* How many continuation bytes the first byte announces, and the least code point that needs as many. */
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
        unsigned char byte = (unsigned char)text[i]; /* a terminating NUL is no continuation: never read beyond it */
        if ((byte & 0xc0) != 0x80) {
            *code = STINT_UTF8_INVALID;
            return 1;
        }
        value = value << 6 | (byte & 0x3f);
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

static const struct range combining[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a},   {0x064b, 0x065f}, {0x093c, 0x093c},
    {0x0941, 0x0948}, {0x094d, 0x094d}, {0x0e31, 0x0e31}, {0x0e34, 0x0e3a},   {0x0e47, 0x0e4e}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x200b, 0x200d}, {0x2060, 0x2060}, {0x20d0, 0x20ff},   {0x302a, 0x302d}, {0x3099, 0x309a},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}, {0xe0100, 0xe01ef},
};

static const struct range wide[] = {
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
    if (is_within(code, combining, sizeof combining / sizeof combining[0]))
        return 0;
    return is_within(code, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

/* ---------------------------------------------------------------------------------------------------------- escapes */

static char hex_digit(uint32_t value)
{
    return "0123456789abcdef"[value & 15];
}

/* Writes backslash, kind and `digits` hexadecimal digits. */
static size_t put_hex_escape(char *out, char kind, uint32_t value, size_t digits)
{
    out[0] = '\\';
    out[1] = kind;
    for (size_t i = 0; i < digits; i++)
        out[2 + i] = hex_digit(value >> 4 * (digits - 1 - i));
    return 2 + digits;
}

size_t stint_utf8_escape_byte(char *out, unsigned char byte)
{
    return put_hex_escape(out, 'x', byte, 2);
}

static size_t put_ascii_escape(char *out, uint32_t code)
{
    for (const char *named = "\nn\tt\rr"; *named; named += 2) {
        if (code == (unsigned char)*named) {
            out[0] = '\\';
            out[1] = named[1];
            return 2;
        }
    }
    return stint_utf8_escape_byte(out, (unsigned char)code);
}

/* C1 controls, line and paragraph separators, changes of direction. */
static int is_invisible_control(uint32_t code)
{
    return (code >= 0x80 && code < 0xa0) || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

size_t stint_utf8_escape(char *out, const char *text, size_t *taken)
{
    uint32_t code;
    *taken = stint_utf8_read(text, &code);
    if (code < 0x20 || code == 0x7f)
        return put_ascii_escape(out, code);
    return is_invisible_control(code) ? put_hex_escape(out, 'u', code, 4) : 0;
}
