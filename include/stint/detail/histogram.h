/* stint/detail/histogram.h - the buckets in which durations are counted. Implementation detail.
 *
 * The bucket of v is ((e - 6) << 6) + (v >> (e - 6)) with e = floor(log2(v | 64)). Values below 128 have a bucket each;
 * above, every octave has 64 equal buckets, so the middle of a bucket is within 1/128 of every value in it. The buckets
 * cover v < 2^63, as spans do. 64 buckets in a row are a group. */
#ifndef STINT_DETAIL_HISTOGRAM_H
#define STINT_DETAIL_HISTOGRAM_H

#include <stdint.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

#define STINT_I_GROUP 64u
#define STINT_I_GROUPS 58u
#define STINT_I_BUCKETS (STINT_I_GROUP * STINT_I_GROUPS)

STINT_I_UNSEEN static inline uint32_t stint_i_bucket(uint64_t value)
{
    const unsigned shift = (63u ^ STINT_I_CAST(unsigned, __builtin_clzll(value | 64u))) - 6u;

    return (shift << 6) + STINT_I_CAST(uint32_t, value >> shift);
}

/* The same for a value of less than 2^53 that is known as a double, too. There the number of the leading bit and the
 * six bits below it stand next to each other, which takes half as many instructions. */
STINT_I_UNSEEN static inline uint32_t stint_i_bucket_of(uint64_t value, double same)
{
    uint64_t bits;
    uint32_t bucket;

    __builtin_memcpy(&bits, &same, sizeof bits);
    bucket = STINT_I_CAST(uint32_t, bits >> 46) - ((1023u + 5u) << 6);
#if STINT_I_WHOLE /* gcc would make a branch of it, which nothing predicts where scopes take some 64 ticks */
    __asm__("cmpq %2, %1\n\tcmovb %k1, %0" : "+r"(bucket) : "r"(value), "i"(STINT_I_GROUP) : "cc");
    return bucket;
#else
    return value < STINT_I_GROUP ? STINT_I_CAST(uint32_t, value) : bucket;
#endif
}

STINT_EXTERN_C_END

#endif
