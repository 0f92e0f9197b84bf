/* stint/detail/histogram.h - the buckets in which durations are counted. Implementation detail.
 *
 * The bucket of v is ((e - 3) << 3) + (v >> (e - 3)) with e = floor(log2(v | 8)). Values below 16 have a bucket each;
 * above, every octave has 8 equal buckets, so the middle of a bucket is within 1/16 of every value in it. The buckets
 * cover v < 2^44; longer durations are counted in the last one. */
#ifndef STINT_DETAIL_HISTOGRAM_H
#define STINT_DETAIL_HISTOGRAM_H

#include <stdint.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

#define STINT_I_BUCKETS 336u

STINT_I_UNSEEN static inline uint32_t stint_i_bucket(uint64_t value)
{
    const unsigned shift = 60u - STINT_I_CAST(unsigned, __builtin_clzll(value | 8u));
    return (shift << 3) + STINT_I_CAST(uint32_t, value >> shift);
}

STINT_EXTERN_C_END

#endif
