/* Arrays that grow, in an arena. */
#ifndef STINT_BASE_ARRAY_H
#define STINT_BASE_ARRAY_H

#include <stddef.h>

#include "base/arena.h"

/* Zeroed: an empty array. Growing copies the items: keep positions, not addresses. */
struct stint_array {
    void *items;
    size_t count;
    size_t capacity;
};

/* Appends one zeroed item of `size` bytes, the same for all of an array; returns it, or NULL if there is no memory. */
void *stint_array_add(struct stint_array *array, struct stint_arena *arena, size_t size);

#endif
