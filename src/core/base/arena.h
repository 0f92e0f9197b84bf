/* Memory that is freed all at once, and the arrays and indices that are kept in it. */
#ifndef STINT_BASE_ARENA_H
#define STINT_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- arena.c */

/* Memory that is freed all at once. It comes from mmap, never from malloc: recording must work inside an instrumented
 * malloc, and reports inside a signal handler. */

struct stint_arena_chunk;

/* A zeroed struct is an empty arena. */
struct stint_arena {
    struct stint_arena_chunk *chunks; /* newest first; only the newest has room */
    struct stint_arena_chunk *spare;  /* zeroed, from before the last stint_arena_reuse */
    size_t mapped;                    /* bytes, over all chunks */
    int is_brief; /* much is taken at once, and freed soon: chunks have pages of 2 MB from now on, if there are any */
};

/* Returns `size` zeroed bytes aligned to a cache line, or NULL if there is no memory. */
void *stint_arena_alloc(struct stint_arena *arena, size_t size);

/* The same, but only aligned for any type: many small blocks stand close together. */
void *stint_arena_pack(struct stint_arena *arena, size_t size);

/* Returns a copy of `length` bytes followed by a NUL, or NULL. */
char *stint_arena_copy(struct stint_arena *arena, const char *bytes, size_t length);

/* Set once there was no memory for an arena, or for what can be left out: the program says so at its end. */
extern int stint_memory_lacked;

/* Empties the arena but keeps its memory mapped, for later allocations from it. */
void stint_arena_reuse(struct stint_arena *arena);

/* Frees all memory; the arena is empty again. */
void stint_arena_free(struct stint_arena *arena);

/* While this is set, memory that is freed stays mapped: the process ends, which frees it faster. */
extern int stint_arena_stays;

/* ---------------------------------------------------------------------------------------------------------- array.c */

/* Growing arrays, whose memory comes from an arena; sorting without qsort, which may call malloc. */

/* A zeroed struct is an empty array. Growing copies the items, so keep positions rather than addresses. */
struct stint_array {
    void *items;
    size_t count;
    size_t capacity;
};

/* Appends one zeroed item of `size` bytes and returns it, or NULL if there is no memory. All items of an array have the
 * same size. */
void *stint_array_add(struct stint_array *array, struct stint_arena *arena, size_t size);

/* Moves the items to where there is room for `capacity` of them, so that up to there nothing has to move again. Returns
 * 0, or -1 if there is no memory. */
int stint_array_reserve(struct stint_array *array, struct stint_arena *arena, size_t size, size_t capacity);

/* Returns whether element `a` comes before element `b`. */
typedef int stint_before_fn(const void *array, size_t a, size_t b);

/* Puts the positions in `order` into the order of the elements they name, in O(n log n) even in the worst case. Those
 * of which none comes before the other stay as they are. `spare` has room for as many. */
void stint_sort(size_t *order, size_t count, stint_before_fn *before, const void *array, size_t *spare);

/* Returns the positions 0 .. count-1, and behind these room for as many; NULL if there is no memory. */
size_t *stint_positions(struct stint_arena *arena, size_t count);

/* Returns the same sorted by `before`. */
size_t *stint_sorted(struct stint_arena *arena, size_t count, stint_before_fn *before, const void *array);

/* ---------------------------------------------------------------------------------------------------------- indices */

/* Finds array elements by content: a hash table of positions in an array that the caller keeps. */

struct stint_index_slot {
    uint64_t hash;
    size_t position; /* position + 1; 0 if the slot is free */
};

/* A zeroed struct is an empty index. Memory comes from the arena passed to each insertion. */
struct stint_index {
    struct stint_index_slot *slots;
    size_t mask;
    size_t used;
};

#define STINT_INDEX_NONE ((size_t)-1)

/* Returns whether the element at `position` is the one that `key` describes. */
typedef int stint_index_same_fn(const void *array, size_t position, const void *key);

/* Returns the position of the element that `key`, with this hash, describes, or STINT_INDEX_NONE. */
size_t stint_index_find(const struct stint_index *index, uint64_t hash, stint_index_same_fn *same, const void *array,
                        const void *key);

/* Adds an element that is not in the index yet. Returns 0, or -1 if there is no memory. */
int stint_index_add(struct stint_index *index, struct stint_arena *arena, uint64_t hash, size_t position);

__extension__ typedef unsigned __int128 stint_u128;

/* Multiplies and folds, so that every bit of both affects the low bits. */
static inline uint64_t stint_hash_mix(uint64_t a, uint64_t b)
{
    stint_u128 product = (stint_u128)(a ^ UINT64_C(0x9E3779B97F4A7C15)) * (b ^ UINT64_C(0xD6E8FEB86659FD93));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t stint_hash_load(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* Returns a hash of `length` bytes; `seed` distinguishes equal bytes in different places. Inline, and with one
 * multiplication for up to 16 bytes, because dynamic timers hash their name at every execution. */
static inline uint64_t stint_hash(const void *bytes, size_t length, uint64_t seed)
{
    const char *at = (const char *)bytes, *last;
    uint64_t first = 0;
    seed ^= length << 56;
    if (length < sizeof first) {
        for (size_t i = 0; i < length; i++)
            first = first << 8 | (unsigned char)at[i];
        return stint_hash_mix(first, seed);
    }
    first = stint_hash_load(at);
    last = at + length - sizeof first;
    for (at += sizeof first; at < last; at += sizeof first)
        seed = stint_hash_mix(seed, stint_hash_load(at));
    return stint_hash_mix(first, seed ^ stint_hash_load(last)); /* may overlap the word before */
}

#endif
