/* Functions of a few instructions, such as compressors have, in a loop that does little else, for bench_overhead. This
 * file is compiled with -finstrument-functions; of each function there is one that opts out. */
#include <stdint.h>
#include <string.h>

#define PLAIN __attribute__((no_instrument_function))

enum { LOOPS = 2000000, SIZE = 30000 };

uint32_t bench_plain_matches(void) PLAIN;
uint32_t bench_hooked_matches(void) PLAIN;

static char s_text[SIZE + sizeof(uint32_t)];

PLAIN static void write_text(void)
{
    uint32_t random = 1;
    for (int i = 0; i < SIZE; i++) {
        random = random * 1664525u + 1013904223u;
        s_text[i] = (char)('a' + (random >> 24) % 16);
    }
}

#define FUNCTIONS(prefix, attributes)                                                                                  \
    attributes static uint32_t prefix##read(const char *at)                                                            \
    {                                                                                                                  \
        uint32_t value;                                                                                                \
                                                                                                                       \
        memcpy(&value, at, sizeof value);                                                                              \
        return value;                                                                                                  \
    }                                                                                                                  \
    attributes static uint32_t prefix##index(uint32_t value)                                                           \
    {                                                                                                                  \
        return value * 2654435761u >> 22;                                                                              \
    }                                                                                                                  \
    attributes static uint32_t prefix##is_same(const char *left, const char *right)                                    \
    {                                                                                                                  \
        return prefix##read(left) == prefix##read(right);                                                              \
    }                                                                                                                  \
    uint32_t prefix##matches(void)                                                                                     \
    {                                                                                                                  \
        static uint16_t last[1024];                                                                                    \
        uint32_t matches = 0;                                                                                          \
                                                                                                                       \
        write_text();                                                                                                  \
        for (uint32_t i = 0; i < LOOPS; i++) {                                                                         \
            const char *at = s_text + i % SIZE;                                                                        \
            uint16_t *seen = &last[prefix##index(prefix##read(at))];                                                   \
                                                                                                                       \
            matches += prefix##is_same(s_text + *seen, at);                                                            \
            *seen = (uint16_t)(i % SIZE);                                                                              \
        }                                                                                                              \
        return matches;                                                                                                \
    }

FUNCTIONS(bench_plain_, __attribute__((noinline)) PLAIN)
FUNCTIONS(bench_hooked_, __attribute__((noinline)))
