/* Appends items to an array that moves to twice the room when it is full; what it leaves behind is freed with the
 * arena. Heap sort of positions: in place, without memory, and never quadratic, which matters in a signal handler. */
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

static void swap(size_t *a, size_t *b)
{
    size_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Restores the heap below `top`. The top of the heap is the element that comes last. */
static void sift_down(size_t *order, size_t top, size_t count, stint_before_fn *before, const void *array)
{
    for (;;) {
        size_t child = 2 * top + 1;
        if (child >= count)
            return;
        if (child + 1 < count && before(array, order[child], order[child + 1]))
            child++;
        if (!before(array, order[top], order[child]))
            return;
        swap(&order[top], &order[child]);
        top = child;
    }
}

void stint_sort(size_t *order, size_t count, stint_before_fn *before, const void *array)
{
    for (size_t top = count / 2; top-- > 0;)
        sift_down(order, top, count, before, array);
    for (size_t last = count; last-- > 1;) {
        swap(&order[0], &order[last]);
        sift_down(order, 0, last, before, array);
    }
}
