/* Memory that is freed all at once. It comes from mmap, never from malloc: recording must work inside an instrumented
 * malloc, and reports inside a signal handler. */
#ifndef STINT_BASE_ARENA_H
#define STINT_BASE_ARENA_H

#include <stddef.h>

struct stint_arena_chunk;

/* A zeroed struct is an empty arena. */
struct stint_arena {
    struct stint_arena_chunk *chunks; /* newest first; only the newest has room */
    struct stint_arena_chunk *spare;  /* zeroed, from before the last stint_arena_reuse */
    size_t mapped;                    /* bytes, over all chunks */
};

/* Returns `size` zeroed bytes aligned to a cache line, or NULL if there is no memory. */
void *stint_arena_alloc(struct stint_arena *arena, size_t size);

/* Returns a copy of `length` bytes followed by a NUL, or NULL. */
char *stint_arena_copy(struct stint_arena *arena, const char *bytes, size_t length);

/* Empties the arena but keeps its memory mapped, for later allocations from it. */
void stint_arena_reuse(struct stint_arena *arena);

/* Frees all memory; the arena is empty again. */
void stint_arena_free(struct stint_arena *arena);

#endif
