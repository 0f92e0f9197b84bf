/* Growing arrays, whose memory comes from an arena; sorting without qsort, which may call malloc. */
#ifndef STINT_BASE_ARRAY_H
#define STINT_BASE_ARRAY_H

#include <stddef.h>

#include "base/arena.h"

/* A zeroed struct is an empty array. Growing copies the items, so keep positions rather than addresses. */
struct stint_array {
    void *items;
    size_t count;
    size_t capacity;
};

/* Appends one zeroed item of `size` bytes and returns it, or NULL if there is no memory. All items of an array have the
 * same size. */
void *stint_array_add(struct stint_array *array, struct stint_arena *arena, size_t size);

/* Returns whether element `a` comes before element `b`. */
typedef int stint_before_fn(const void *array, size_t a, size_t b);

/* Puts the positions in `order` into the order of the elements they name. Sorts in place, in O(n log n) even in the
 * worst case; not stable. */
void stint_sort(size_t *order, size_t count, stint_before_fn *before, const void *array);

#endif
