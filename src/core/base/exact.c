/* Doubles to decimal digits, six or as many as read back as the same double, by arithmetic on long integers: exact,
 * without libc's printf, which may allocate and depends on the locale. */
#include "base/text.h"

#include <stdint.h>
#include <string.h>

/* A double is mantissa * 2^exponent, which is exactly an integer divided by a power of ten: mantissa * 2^exponent, or
 * mantissa * 5^-exponent over 10^-exponent. That integer has at most 767 digits. */
enum { LIMBS = 88, LIMB_DIGITS = 9, DIGITS = LIMBS * LIMB_DIGITS, LIMB = 1000000000 };

struct whole {
    uint32_t limb[LIMBS]; /* the lowest first */
    size_t used;
};

static void multiply(struct whole *whole, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < whole->used; i++) {
        carry += (uint64_t)whole->limb[i] * factor;
        whole->limb[i] = (uint32_t)(carry % LIMB);
        carry /= LIMB;
    }
    for (; carry; carry /= LIMB)
        whole->limb[whole->used++] = (uint32_t)(carry % LIMB);
}

static void multiply_power(struct whole *whole, uint32_t base, int power)
{
    enum { STEP = 13 }; /* 5^13 is below 2^32 */
    for (uint32_t factor = 1; power; factor = 1) {
        for (int i = 0; i < STEP && power; i++, power--)
            factor *= base;
        multiply(whole, factor);
    }
}

static struct whole whole_of(uint64_t mantissa, int exponent)
{
    struct whole whole = {.limb = {(uint32_t)(mantissa % LIMB), (uint32_t)(mantissa / LIMB % LIMB)}, .used = 2};
    multiply_power(&whole, exponent < 0 ? 5 : 2, exponent < 0 ? -exponent : exponent);
    return whole;
}

/* The digits of a number, d.ddd * 10^exponent. */
struct digits {
    int exponent;
    int count;
    const char *first; /* the first digit that is not 0 */
    char all[DIGITS];
};

static void read_digits(struct digits *digits, const struct whole *whole, int tens)
{
    char *at = digits->all + DIGITS;
    for (size_t i = 0; i < whole->used; i++) {
        uint32_t limb = whole->limb[i];
        for (int digit = 0; digit < LIMB_DIGITS; digit++, limb /= 10)
            *--at = (char)('0' + limb % 10);
    }
    while (*at == '0')
        at++;
    digits->first = at;
    digits->count = (int)(digits->all + DIGITS - at);
    digits->exponent = digits->count - 1 + tens;
}

/* Returns the first `count` digits as a number. */
static uint64_t leading(const struct digits *digits, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value = 10 * value + (uint64_t)(i < digits->count ? digits->first[i] - '0' : 0);
    return value;
}

/* Returns the first `count` digits as a number, rounded half to even. */
static uint64_t rounded(const struct digits *digits, int count)
{
    uint64_t value = leading(digits, count);
    int at = count + 1;
    if (count >= digits->count || digits->first[count] < '5')
        return value;
    while (at < digits->count && digits->first[at] == '0')
        at++;
    int is_tie = digits->first[count] == '5' && at >= digits->count;
    return value + (!is_tie || value % 2);
}

enum { GENERAL = 6, FEW = 15, MANY = 17, COMPARED = 19 };

/* Whether the number with few digits is closer to the double than half the distance to the next double. Mantissas of
 * neighbors differ by one, or by half of that below a power of two. */
static int is_enough(const struct digits *digits, uint64_t mantissa)
{
    __extension__ typedef unsigned __int128 u128;
    uint64_t exact = leading(digits, COMPARED), few = rounded(digits, FEW) * 10000;
    uint64_t away = few > exact ? few - exact : exact - few;
    unsigned parts = mantissa == UINT64_C(1) << 52 ? 4 : 2;
    return (u128)(away + 1) * parts * mantissa < exact;
}

/* Writes the digits with a point after the first `whole` of them, or with leading zeros if whole <= 0. */
static char *put_plain(char *out, const char *digits, int count, int whole)
{
    if (whole <= 0) {
        *out++ = '0';
        *out++ = '.';
        for (; whole < 0; whole++)
            *out++ = '0';
        memcpy(out, digits, (size_t)count);
        return out + count;
    }
    for (int i = 0; i < count || i < whole; i++) {
        if (i == whole)
            *out++ = '.';
        *out++ = i < count ? digits[i] : '0';
    }
    return out;
}

static char *put_exponent(char *out, int exponent, int is_padded)
{
    int value = exponent < 0 ? -exponent : exponent;
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    if (is_padded && value < 10)
        *out++ = '0';
    return out + stint_number_u64(out, (uint64_t)value);
}

/* `number` has `count` digits, or one more if it was rounded up. */
static char *put_decimal(char *out, uint64_t number, int count, int exponent)
{
    int least = count == GENERAL ? -4 : -5, most = count == GENERAL ? GENERAL : 21;
    char digits[STINT_NUMBER_SIZE];
    int length = (int)stint_number_u64(digits, number);
    int kept = length;
    exponent += length - count;
    while (kept > 1 && digits[kept - 1] == '0')
        kept--;
    if (exponent >= least && exponent < most)
        return put_plain(out, digits, kept, exponent + 1);
    return put_exponent(put_plain(out, digits, kept, 1), exponent, count == GENERAL);
}

/* A double, and how many digits are wanted; 0: as many as it takes. */
static char *put_finite(char *out, uint64_t mantissa, int exponent, int count)
{
    struct digits digits;
    if (!mantissa) {
        *out = '0';
        return out + 1;
    }
    struct whole whole = whole_of(mantissa, exponent);
    read_digits(&digits, &whole, exponent < 0 ? exponent : 0);
    if (!count)
        count = is_enough(&digits, mantissa) ? FEW : MANY;
    return put_decimal(out, rounded(&digits, count), count, digits.exponent);
}

static size_t put_double(char *out, double value, int count)
{
    uint64_t bits;
    char *end = out;
    memcpy(&bits, &value, sizeof bits);
    unsigned biased = (unsigned)(bits >> 52) & 0x7ff;
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (bits >> 63)
        *end++ = '-';
    if (biased != 0x7ff)
        end =
            put_finite(end, biased ? fraction | UINT64_C(1) << 52 : fraction, (int)(biased ? biased : 1) - 1075, count);
    else if (count)
        end = stpcpy(end, fraction ? "nan" : "inf");
    else
        end = stpcpy(out, "-");
    *end = '\0';
    return (size_t)(end - out);
}

size_t stint_number_general(char *out, double value)
{
    return put_double(out, value, GENERAL);
}

size_t stint_number_exact(char *out, double value)
{
    return put_double(out, value, 0);
}
