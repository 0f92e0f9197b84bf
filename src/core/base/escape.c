/* What terminals, JSON, XML and CSV must not get as it is, and what they get instead: one function each, which looks at
 * one character at a time. */
#include "base/text.h"

#include <string.h>

static size_t put(char *out, const char *escape)
{
    size_t length = strlen(escape);
    memcpy(out, escape, length);
    return length;
}

/* Writes backslash, kind and `digits` hexadecimal digits. */
static size_t put_hex(char *out, char kind, uint32_t value, size_t digits)
{
    out[0] = '\\';
    out[1] = kind;
    for (size_t i = 0; i < digits; i++)
        out[2 + i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
    return 2 + digits;
}

/* `named` is pairs: a character, and the letter that stands for it behind a backslash. Returns 0 if `code` is not one
 * of them. */
static size_t put_named(char *out, uint32_t code, const char *named)
{
    for (; *named; named += 2) {
        if (code == (unsigned char)*named) {
            out[0] = '\\';
            out[1] = named[1];
            return 2;
        }
    }
    return 0;
}

static int is_ascii_control(uint32_t code)
{
    return code < 0x20 || code == 0x7f;
}

/* -------------------------------------------------------------------------------------------------------- terminals */

size_t stint_escape_byte(char *out, unsigned char byte)
{
    return put_hex(out, 'x', byte, 2);
}

/* C1 controls, line and paragraph separators, and changes of text direction. */
static int is_invisible_control(uint32_t code)
{
    return (code >= 0x80 && code < 0xa0) || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

size_t stint_escape_terminal(char *out, const char *text, size_t *taken)
{
    uint32_t code;
    *taken = stint_utf8_read(text, &code);
    if (is_ascii_control(code)) {
        size_t length = put_named(out, code, "\nn\tt\rr");
        return length ? length : stint_escape_byte(out, (unsigned char)code);
    }
    if (code == STINT_UTF8_INVALID && is_invisible_control((unsigned char)*text)) /* a control without UTF-8 */
        return stint_escape_byte(out, (unsigned char)*text);
    return is_invisible_control(code) ? put_hex(out, 'u', code, 4) : 0;
}

/* ------------------------------------------------------------------------------------------------------------ files */

size_t stint_escape_json(char *out, const char *text, size_t *taken)
{
    uint32_t code;
    *taken = stint_utf8_read(text, &code);
    if (code == STINT_UTF8_INVALID)
        return put(out, STINT_UTF8_REPLACEMENT);
    size_t length = put_named(out, code, "\"\"\\\\\nn\tt\rr\bb\ff");
    if (length)
        return length;
    return is_ascii_control(code) || is_invisible_control(code) ? put_hex(out, 'u', code, 4) : 0;
}

/* "&#xhhhh;" */
static size_t put_reference(char *out, uint32_t code)
{
    size_t length = put_hex(out + 1, 'x', code, 4);
    out[0] = '&';
    out[1] = '#';
    out[1 + length] = ';';
    return length + 2;
}

size_t stint_escape_xml(char *out, const char *text, size_t *taken)
{
    static const struct {
        char character;
        char reference[7];
    } references[] = {
        {'\t', "&#9;"}, {'\n', "&#10;"},  {'\r', "&#13;"}, {'"', "&quot;"},
        {'&', "&amp;"}, {'\'', "&apos;"}, {'<', "&lt;"},   {'>', "&gt;"},
    };
    uint32_t code;
    *taken = stint_utf8_read(text, &code);
    for (size_t i = 0; i < sizeof references / sizeof references[0]; i++)
        if (code == (unsigned char)references[i].character)
            return put(out, references[i].reference);
    if (is_ascii_control(code) || code == STINT_UTF8_INVALID || code == 0xfffe || code == 0xffff)
        return put(out, STINT_UTF8_REPLACEMENT);
    return is_invisible_control(code) ? put_reference(out, code) : 0;
}

size_t stint_escape_csv(char *out, const char *text, size_t *taken)
{
    *taken = 1;
    if (*text == '"')
        return put(out, "\"\"");
    return *text == '\n' || *text == '\t' ? 0 : stint_escape_terminal(out, text, taken);
}

/* ------------------------------------------------------------------------------------------------------ whole texts */

/* Whether no target needs to escape the character. */
static int is_plain(char c)
{
    unsigned char byte = (unsigned char)c;
    return byte >= 0x20 && byte < 0x7f && c != '"' && c != '&' && c != '\'' && c != ';' && c != '<' && c != '>' &&
           c != '\\';
}

size_t stint_escape_next(stint_escape_fn *escape, const char **text, char *out, const char **piece)
{
    const char *begin = *text;
    size_t taken = 0;
    while (is_plain(begin[taken]))
        taken++;
    *piece = begin;
    *text = begin + taken;
    if (taken || !*begin)
        return taken;
    size_t escaped = escape(out, begin, &taken);
    *text = begin + taken;
    if (!escaped)
        return taken;
    *piece = out;
    return escaped;
}

size_t stint_escape_put(struct stint_text *text, stint_escape_fn *escape, const char *string)
{
    char out[STINT_ESCAPE_SIZE];
    const char *piece;
    size_t all = 0;
    for (size_t length; (length = stint_escape_next(escape, &string, out, &piece)); all += length)
        stint_text_put(text, piece, length);
    return all;
}
