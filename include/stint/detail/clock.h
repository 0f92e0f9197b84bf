/* stint/detail/clock.h - the inline part of the clock: reads the processor's counter at the call site. Implementation
 * detail. Where the counter is not reliable, scopes take the slow path, and stint reads the system's clock. */
#ifndef STINT_DETAIL_CLOCK_H
#define STINT_DETAIL_CLOCK_H

#include <stdint.h>

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

/* A lower bound of the clock's ticks per microsecond: a span below threshold_us times this is not slow. */
extern STINT_API uint64_t stint_i_ticks_per_us;

/* Reads the counter. The processor may do so before it has executed what stands before: it is busy with a load that
 * misses its caches, for example, and meanwhile reads the counter. */
STINT_I_UNSEEN static inline uint64_t stint_i_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0; /* never reached: without an inline clock stint_i_state keeps every thread on the slow path */
#endif
}

/* Reads the counter when everything that stands before has been executed. On x86-64 only for processors that have
 * rdtscp. */
STINT_I_UNSEEN static inline uint64_t stint_i_ordered_ticks(void)
{
#if defined(__x86_64__)
    uint64_t low, high;
    __asm__ volatile("rdtscp" : "=a"(low), "=d"(high) : : "rcx", "memory");
    return high << 32 | low;
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
#else
    return stint_i_ticks();
#endif
}

STINT_EXTERN_C_END

#endif
