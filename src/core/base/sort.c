/* Heap sort of positions: in place, without memory, and never quadratic, which matters in a signal handler. */
#include "base/sort.h"

static void swap(size_t *a, size_t *b)
{
    size_t kept = *a;

    *a = *b;
    *b = kept;
}

/* Heap sort: restores the heap below `top`. The top of the heap is the element that comes last. */
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
