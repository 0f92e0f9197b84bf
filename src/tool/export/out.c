/* Writes numbers and strings into a large buffer. */
#include "export/out.h"

#include <math.h>

#include "base/text.h"

void stint_out_begin(struct stint_out *out, stint_write_fn *write, void *context)
{
    out->write = write;
    out->context = context;
    out->used = 0;
    out->failed = 0;
}

static void flush(struct stint_out *out)
{
    if (out->used && !out->failed && out->write(out->context, out->buffer, out->used) != 0)
        out->failed = 1;
    out->used = 0;
}

int stint_out_end(struct stint_out *out)
{
    flush(out);
    return out->failed ? -1 : 0;
}

void stint_out_put_long(struct stint_out *out, const char *bytes, size_t length)
{
    while (length) {
        if (out->used == STINT_OUT_SIZE)
            flush(out);
        size_t room = STINT_OUT_SIZE - out->used;
        size_t piece = length < room ? length : room;
        memcpy(out->buffer + out->used, bytes, piece);
        out->used += piece;
        bytes += piece;
        length -= piece;
    }
}

/* ---------------------------------------------------------------------------------------------------------- numbers */

static const char s_pairs[] =
    "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
    "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

enum { MOST_DIGITS = 20 };

/* Writes the digits so that they end in front of `end`; returns where they begin. */
static char *digits_before(char *end, uint64_t value)
{
    for (; value >= 100; value /= 100) {
        end -= 2;
        memcpy(end, s_pairs + 2 * (value % 100), 2);
    }
    if (value >= 10) {
        end -= 2;
        memcpy(end, s_pairs + 2 * value, 2);
    } else {
        *--end = (char)('0' + value);
    }
    return end;
}

void stint_out_u64(struct stint_out *out, uint64_t value)
{
    char digits[MOST_DIGITS], *end = digits + sizeof digits;
    char *begin = digits_before(end, value);
    stint_out_put(out, begin, (size_t)(end - begin));
}

void stint_out_i64(struct stint_out *out, int64_t value)
{
    if (value < 0)
        stint_out_put(out, "-", 1);
    stint_out_u64(out, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void stint_out_thousandths(struct stint_out *out, uint64_t value)
{
    char digits[MOST_DIGITS + 1], *end = digits + sizeof digits;
    uint64_t rest = value % 1000;
    memcpy(end - 2, s_pairs + 2 * (rest % 100), 2);
    end[-3] = (char)('0' + rest / 100);
    end[-4] = '.';
    char *begin = digits_before(end - 4, value / 1000);
    stint_out_put(out, begin, (size_t)(end - begin));
}

void stint_out_number(struct stint_out *out, double value)
{
    char digits[STINT_NUMBER_SIZE];
    if (value >= 0 && value < 0x1p53 / 1000)
        stint_out_thousandths(out, (uint64_t)(value * 1000 + 0.5));
    else if (isfinite(value))
        stint_out_put(out, digits, stint_number_fixed(digits, value, 3));
    else
        stint_out_put(out, "0", 1);
}

/* ---------------------------------------------------------------------------------------------------------- strings */

size_t stint_out_escape_stack(char *out, const char *text, size_t *taken)
{
    uint32_t code;
    *taken = stint_utf8_read(text, &code);
    if (code == STINT_UTF8_INVALID) {
        memcpy(out, STINT_UTF8_REPLACEMENT, 3);
        return 3;
    }
    *out = code == ';' ? ',' : ' ';
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == ';';
}

void stint_out_escaped(struct stint_out *out, stint_escape_fn *escape, const char *string)
{
    char buffer[STINT_ESCAPE_SIZE];
    const char *piece;
    for (size_t length; (length = stint_escape_next(escape, &string, buffer, &piece));)
        stint_out_put(out, piece, length);
}

void stint_out_json(struct stint_out *out, const char *string)
{
    stint_out_put(out, "\"", 1);
    stint_out_escaped(out, stint_escape_json, string);
    stint_out_put(out, "\"", 1);
}

size_t stint_out_clean(char *to, size_t size, const char *text)
{
    size_t used = 0;
    while (*text) {
        uint32_t code;
        size_t taken = stint_utf8_read(text, &code);
        const char *from = code == STINT_UTF8_INVALID ? STINT_UTF8_REPLACEMENT : text;
        size_t length = code == STINT_UTF8_INVALID ? 3 : taken;
        if (length > size - used)
            break;
        memcpy(to + used, from, length);
        used += length;
        text += taken;
    }
    return used;
}
