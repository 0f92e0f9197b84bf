/* Finds array elements by content: a hash table of positions in an array that the caller keeps. */
#ifndef STINT_BASE_INDEX_H
#define STINT_BASE_INDEX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

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
