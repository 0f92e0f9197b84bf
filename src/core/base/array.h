/* Growing arrays, whose memory comes from an arena. */
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

#endif
