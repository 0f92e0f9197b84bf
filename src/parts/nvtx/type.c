/* Predefined types of payloads. */
#include <limits.h>
#include <string.h>

#include "nvtx/payload.h"

#define TYPE(type, kind) ((struct stint_nvtx_type){sizeof(type), _Alignof(type), (kind)})
#define CHAR_KIND (CHAR_MIN < 0 ? STINT_NVTX_SIGNED : STINT_NVTX_UNSIGNED)

static struct stint_nvtx_type integer(uint64_t type)
{
    const struct stint_nvtx_type types[] = {
        {0},
        TYPE(char, CHAR_KIND),
        TYPE(unsigned char, STINT_NVTX_UNSIGNED),
        TYPE(short, STINT_NVTX_SIGNED),
        TYPE(unsigned short, STINT_NVTX_UNSIGNED),
        TYPE(int, STINT_NVTX_SIGNED),
        TYPE(unsigned, STINT_NVTX_UNSIGNED),
        TYPE(long, STINT_NVTX_SIGNED),
        TYPE(unsigned long, STINT_NVTX_UNSIGNED),
        TYPE(long long, STINT_NVTX_SIGNED),
        TYPE(unsigned long long, STINT_NVTX_UNSIGNED),
        TYPE(int8_t, STINT_NVTX_SIGNED),
        TYPE(uint8_t, STINT_NVTX_UNSIGNED),
        TYPE(int16_t, STINT_NVTX_SIGNED),
        TYPE(uint16_t, STINT_NVTX_UNSIGNED),
        TYPE(int32_t, STINT_NVTX_SIGNED),
        TYPE(uint32_t, STINT_NVTX_UNSIGNED),
        TYPE(int64_t, STINT_NVTX_SIGNED),
        TYPE(uint64_t, STINT_NVTX_UNSIGNED),
    };

    return types[type];
}

/* A type that has a size, but is not a number to add up. */
static struct stint_nvtx_type other(uint64_t type)
{
    switch (type) {
    case STINT_NVTX_TYPE_BYTE:
    case STINT_NVTX_TYPE_CHAR8:
        return TYPE(uint8_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_CHAR16:
    case STINT_NVTX_TYPE_FLOAT16:
    case STINT_NVTX_TYPE_BF16:
        return TYPE(uint16_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_CHAR32:
    case STINT_NVTX_TYPE_TF32:
    case STINT_NVTX_TYPE_CATEGORY:
    case STINT_NVTX_TYPE_COLOR:
    case STINT_NVTX_TYPE_PID32:
    case STINT_NVTX_TYPE_TID32:
        return TYPE(uint32_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_SCOPE_ID:
    case STINT_NVTX_TYPE_PID64:
    case STINT_NVTX_TYPE_TID64:
        return TYPE(uint64_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_INT128:
    case STINT_NVTX_TYPE_UINT128:
    case STINT_NVTX_TYPE_FLOAT128:
        return (struct stint_nvtx_type){16, 16, STINT_NVTX_NO_NUMBER};
    case STINT_NVTX_TYPE_WCHAR:
        return TYPE(wchar_t, STINT_NVTX_NO_NUMBER);
    case STINT_NVTX_TYPE_ADDRESS:
    case STINT_NVTX_TYPE_CSTRING:
    case STINT_NVTX_TYPE_CSTRING_UTF8:
    case STINT_NVTX_TYPE_CSTRING_UTF16:
    case STINT_NVTX_TYPE_CSTRING_UTF32:
    case STINT_NVTX_TYPE_REGISTERED:
        return TYPE(void *, STINT_NVTX_NO_NUMBER);
    default:
        return (struct stint_nvtx_type){0};
    }
}

struct stint_nvtx_type stint_nvtx_type_of(uint64_t type)
{
    if (type <= STINT_NVTX_TYPE_U64)
        return integer(type);
    switch (type) {
    case STINT_NVTX_TYPE_FLOAT:
    case STINT_NVTX_TYPE_FLOAT32:
        return TYPE(float, STINT_NVTX_FLOATING);
    case STINT_NVTX_TYPE_DOUBLE:
    case STINT_NVTX_TYPE_FLOAT64:
        return TYPE(double, STINT_NVTX_FLOATING);
    case STINT_NVTX_TYPE_LONG_DOUBLE:
        return TYPE(long double, STINT_NVTX_FLOATING);
    case STINT_NVTX_TYPE_SIZE:
        return TYPE(size_t, STINT_NVTX_UNSIGNED);
    default:
        return other(type);
    }
}

static double floating_at(uint32_t size, const void *bytes)
{
    long double longest;
    double number;
    float shorter;

    if (size == sizeof shorter) {
        memcpy(&shorter, bytes, sizeof shorter);
        return (double)shorter;
    }
    if (size == sizeof number) {
        memcpy(&number, bytes, sizeof number);
        return number;
    }
    memcpy(&longest, bytes, sizeof longest);
    return (double)longest;
}

/* The least significant bytes of a word: the first in memory, or the last. */
static uint64_t word_at(uint32_t size, const void *bytes)
{
    uint64_t word = 0;

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, bytes, size);
#else
    memcpy((char *)&word + sizeof word - size, bytes, size);
#endif
    return word;
}

double stint_nvtx_number_at(const struct stint_nvtx_type *type, const void *bytes)
{
    unsigned unused = 64 - 8 * type->size;

    switch (type->kind) {
    case STINT_NVTX_SIGNED:
        return (double)((int64_t)(word_at(type->size, bytes) << unused) >> unused);
    case STINT_NVTX_UNSIGNED:
        return (double)word_at(type->size, bytes);
    default:
        return floating_at(type->size, bytes);
    }
}
