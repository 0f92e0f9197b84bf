/* Buffered output, and numbers to text. Doubles are rounded exactly, by integers of 128 bits, so that a report has the
 * same digits on each machine and in each locale. */
#include "base/text.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- output */

void stint_text_begin(struct stint_text *text, stint_write_fn *write, void *context)
{
    text->write = write;
    text->context = context;
    text->used = 0;
    text->failed = 0;
}

static void flush(struct stint_text *text)
{
    if (text->used && !text->failed && text->write(text->context, text->buffer, text->used) != 0)
        text->failed = 1;
    text->used = 0;
}

enum stint_status stint_text_end(struct stint_text *text)
{
    flush(text);
    return text->failed ? STINT_ERROR_IO : STINT_OK;
}

void stint_text_put(struct stint_text *text, const char *bytes, size_t length)
{
    while (length) {
        size_t room = sizeof text->buffer - text->used;
        size_t piece = length < room ? length : room;
        memcpy(text->buffer + text->used, bytes, piece);
        text->used += piece;
        bytes += piece;
        length -= piece;
        if (text->used == sizeof text->buffer)
            flush(text);
    }
}

void stint_text_string(struct stint_text *text, const char *string)
{
    if (string)
        stint_text_put(text, string, strlen(string));
}

void stint_text_fill(struct stint_text *text, char c, size_t times)
{
    for (; times; times--)
        stint_text_put(text, &c, 1);
}

void stint_text_u64(struct stint_text *text, uint64_t value)
{
    char number[STINT_NUMBER_SIZE];
    stint_text_put(text, number, stint_number_u64(number, value));
}

void stint_text_i64(struct stint_text *text, int64_t value)
{
    char number[STINT_NUMBER_SIZE];
    stint_text_put(text, number, stint_number_i64(number, value));
}

void stint_text_say_list(struct stint_text *text, const char *format, va_list list)
{
    for (;;) {
        char number[STINT_NUMBER_SIZE];
        size_t plain = strcspn(format, "%");
        stint_text_put(text, format, plain);
        format += plain;
        if (!*format)
            return;
        if (format[1] == 's') {
            stint_text_string(text, va_arg(list, const char *));
        } else if (format[1] == 'j' || format[1] == 'z') {
            uint64_t value = format[1] == 'z' ? va_arg(list, size_t) : va_arg(list, uintmax_t);
            format++;
            stint_text_put(text, number,
                           format[1] == 'd' ? stint_number_i64(number, (int64_t)value)
                                            : stint_number_u64(number, value));
        } else if (format[1] == '.') {
            unsigned decimals = (unsigned)(format[2] - '0');
            format += 2;
            stint_text_put(text, number, stint_number_fixed(number, va_arg(list, double), decimals));
        } else {
            stint_text_put(text, "%", 1);
        }
        format += 2;
    }
}

void stint_text_say(struct stint_text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    stint_text_say_list(text, format, list);
    va_end(list);
}

/* --------------------------------------------------------------------------------------------------------- integers */

__extension__ typedef unsigned __int128 u128;

/* Divides by 10 and returns the rest, in pieces: a division of 128 bits would be a function of the compiler's. */
static unsigned take_digit(u128 *value)
{
    uint64_t rest = 0;
    u128 quotient = 0;
    for (int shift = 96; shift >= 0; shift -= 32) {
        uint64_t piece = rest << 32 | (uint32_t)(*value >> shift);
        quotient |= (u128)(piece / 10) << shift;
        rest = piece % 10;
    }
    *value = quotient;
    return (unsigned)rest;
}

/* Writes `value` with at least `least` digits, padded with leading zeros; not terminated. Returns the length. */
static size_t put_digits(char *out, u128 value, size_t least)
{
    char reversed[STINT_NUMBER_SIZE];
    size_t length = 0;
    while (value > UINT64_MAX)
        reversed[length++] = (char)('0' + take_digit(&value));
    for (uint64_t rest = (uint64_t)value; rest || length < least; rest /= 10)
        reversed[length++] = (char)('0' + rest % 10);
    for (size_t i = 0; i < length; i++)
        out[i] = reversed[length - 1 - i];
    return length;
}

size_t stint_number_u64(char *out, uint64_t value)
{
    size_t length = put_digits(out, value, 1);
    out[length] = '\0';
    return length;
}

size_t stint_number_i64(char *out, int64_t value)
{
    if (value >= 0)
        return stint_number_u64(out, (uint64_t)value);
    out[0] = '-';
    return 1 + stint_number_u64(out + 1, -(uint64_t)value);
}

/* ---------------------------------------------------------------------------------------------------------- doubles */

/* A double is mantissa * 2^exponent. What is written is value * 10^decimals, rounded: within the range that is taken,
 * numerator and denominator of that fraction fit in 128 bits, so it is exact. */

struct binary {
    uint64_t mantissa;
    int exponent;
    int negative;
    int finite;
};

static struct binary take_apart(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    unsigned biased = (unsigned)(bits >> 52) & 0x7ff;
    struct binary parts = {
        .mantissa = bits & ((UINT64_C(1) << 52) - 1), .negative = (int)(bits >> 63), .finite = biased != 0x7ff};
    if (biased)
        parts.mantissa |= UINT64_C(1) << 52;
    parts.exponent = (biased ? (int)biased : 1) - 1075;
    return parts;
}

/* Returns |value| * 10^decimals, rounded half to even. */
static u128 scale(struct binary value, unsigned decimals)
{
    if (value.exponent < -127)
        return 0; /* below 2^-74: 0 for all decimals used here */
    u128 numerator = value.mantissa;
    for (; decimals; decimals--)
        numerator *= 10;
    if (value.exponent > 0)
        return numerator << value.exponent;
    u128 denominator = (u128)1 << -value.exponent;
    u128 quotient = numerator >> -value.exponent;
    u128 rest = numerator & (denominator - 1);
    u128 missing = denominator - rest;
    return quotient + (rest > missing || (rest == missing && quotient % 2));
}

size_t stint_number_fixed(char *out, double value, unsigned decimals)
{
    struct binary parts = take_apart(value);
    if (!parts.finite) {
        memcpy(out, "-", 2);
        return 1;
    }
    if (value >= 1e29 || value <= -1e29)
        return stint_number_general(out, value);
    decimals = decimals < 9 ? decimals : 9;
    char digits[STINT_NUMBER_SIZE];
    size_t length = put_digits(digits, scale(parts, decimals), decimals + 1);
    size_t whole = length - decimals;
    char *end = out;
    if (parts.negative)
        *end++ = '-';
    memcpy(end, digits, whole);
    end += whole;
    if (decimals) {
        *end++ = '.';
        memcpy(end, digits + whole, decimals);
        end += decimals;
    }
    *end = '\0';
    return (size_t)(end - out);
}
