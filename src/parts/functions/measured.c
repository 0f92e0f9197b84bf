/* This file is compiled with -finstrument-functions. What a hook costs includes the call, and what the compiler does to
 * keep arguments and results for it. */
#include "functions/activation.h"

__attribute__((noinline)) uint64_t stint_measured_recorded(uint64_t value, stint_i_work_fn *work)
{
    return stint_i_work(work, value);
}

__attribute__((noinline, no_instrument_function)) uint64_t stint_measured_alone(uint64_t value, stint_i_work_fn *work)
{
    return stint_i_work(work, value);
}

/* ------------------------------------------------------------------------------------------------- small functions */

enum { BITS = 8 };

static uint64_t s_text[1 << BITS];

/* A search for equal text, as compressors do it. */
#define SMALL(name, attributes)                                                                                        \
    attributes static uint64_t name##_read(const uint64_t *text)                                                       \
    {                                                                                                                  \
        return *text;                                                                                                  \
    }                                                                                                                  \
                                                                                                                       \
    attributes static uint32_t name##_hash(uint64_t value, uint32_t bits)                                              \
    {                                                                                                                  \
        return (uint32_t)((value + 1) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));                                  \
    }                                                                                                                  \
                                                                                                                       \
    attributes static uint32_t name##_slot(const uint64_t *text, uint32_t bits)                                        \
    {                                                                                                                  \
        return name##_hash(name##_read(text), bits);                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    attributes static int name##_is_same(const uint64_t *left, const uint64_t *right)                                  \
    {                                                                                                                  \
        return name##_read(left) == name##_read(right);                                                                \
    }                                                                                                                  \
                                                                                                                       \
    attributes static uint64_t name##_add(uint64_t sum, uint32_t at, uint32_t from)                                    \
    {                                                                                                                  \
        return sum + (at ^ from);                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    __attribute__((noinline, no_instrument_function)) uint64_t name(unsigned steps)                                    \
    {                                                                                                                  \
        uint32_t table[1 << BITS] = {0}; /* several threads may measure at one time */                                 \
        uint64_t sum = 0;                                                                                              \
                                                                                                                       \
        for (uint32_t i = 0; i < steps; i++) {                                                                         \
            uint32_t slot = name##_slot(&s_text[i % (1 << BITS)], BITS);                                               \
            uint32_t before = table[slot];                                                                             \
                                                                                                                       \
            table[slot] = i;                                                                                           \
            sum = name##_add(sum, before, i);                                                                          \
            if (name##_is_same(&s_text[i % (1 << BITS)], &s_text[before % (1 << BITS)]))                               \
                sum = name##_add(sum, i, before);                                                                      \
        }                                                                                                              \
        return sum;                                                                                                    \
    }

SMALL(stint_measured_small, __attribute__((noinline)))
SMALL(stint_measured_small_alone, __attribute__((noinline, no_instrument_function)))

#define ADDRESS(function) (void (*)(void))(function)

void (*const stint_measured_small_functions[])(void) = {
    ADDRESS(stint_measured_small_read), ADDRESS(stint_measured_small_hash), ADDRESS(stint_measured_small_slot),
    ADDRESS(stint_measured_small_is_same), ADDRESS(stint_measured_small_add)};
