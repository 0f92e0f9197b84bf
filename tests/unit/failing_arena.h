/* A call for memory from an arena that fails, whichever, in a test that is linked with these wrapped. */
#ifndef STINT_TESTS_FAILING_ARENA_H
#define STINT_TESTS_FAILING_ARENA_H

#include "base/arena.h"

static long s_calls, s_fails_at = -1; /* the call that fails */

void *__real_stint_arena_alloc(struct stint_arena *arena, size_t size);
void *__wrap_stint_arena_alloc(struct stint_arena *arena, size_t size);
void *__real_stint_arena_pack(struct stint_arena *arena, size_t size);
void *__wrap_stint_arena_pack(struct stint_arena *arena, size_t size);
char *__real_stint_arena_copy(struct stint_arena *arena, const char *bytes, size_t length);
char *__wrap_stint_arena_copy(struct stint_arena *arena, const char *bytes, size_t length);

void *__wrap_stint_arena_alloc(struct stint_arena *arena, size_t size)
{
    return s_calls++ == s_fails_at ? NULL : __real_stint_arena_alloc(arena, size);
}

void *__wrap_stint_arena_pack(struct stint_arena *arena, size_t size)
{
    return s_calls++ == s_fails_at ? NULL : __real_stint_arena_pack(arena, size);
}

char *__wrap_stint_arena_copy(struct stint_arena *arena, const char *bytes, size_t length)
{
    return s_calls++ == s_fails_at ? NULL : __real_stint_arena_copy(arena, bytes, length);
}

#endif
