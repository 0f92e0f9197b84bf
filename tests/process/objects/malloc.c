/* An instrumented malloc, for LD_PRELOAD: stint must not call the function that it measures. */
#include <stddef.h>

#include "stint/stint.h"

#define EXPORT __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *memory);

EXPORT void *malloc(size_t size)
{
    STINT_SCOPE("malloc");

    return __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
    STINT_SCOPE_DYNAMIC("calloc");

    return __libc_calloc(count, size);
}

EXPORT void *realloc(void *old, size_t size)
{
    STINT_SCOPE("realloc");

    return __libc_realloc(old, size);
}

EXPORT void free(void *memory)
{
    STINT_SCOPE("free");

    __libc_free(memory);
}
