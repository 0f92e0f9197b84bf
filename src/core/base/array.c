/* Appends items to an array that moves to twice the room when it is full; what it leaves behind is freed with the
 * arena. */
#include "base/array.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

static int grow(struct stint_array *array, struct stint_arena *arena, size_t size)
{
    size_t capacity = array->capacity ? 2 * array->capacity : FIRST_CAPACITY;
    void *items = stint_arena_alloc(arena, capacity * size);

    if (!items)
        return -1;
    if (array->count)
        memcpy(items, array->items, array->count * size);
    array->items = items;
    array->capacity = capacity;
    return 0;
}

void *stint_array_add(struct stint_array *array, struct stint_arena *arena, size_t size)
{
    if (array->count == array->capacity && grow(array, arena, size))
        return NULL;
    return (char *)array->items + array->count++ * size;
}
