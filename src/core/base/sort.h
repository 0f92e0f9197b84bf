/* Sorting without qsort, which may call malloc. */
#ifndef STINT_BASE_SORT_H
#define STINT_BASE_SORT_H

#include <stddef.h>

/* Returns whether element `a` comes before element `b`. */
typedef int stint_before_fn(const void *array, size_t a, size_t b);

/* Puts the positions in `order` into the order of the elements they name. Sorts in place, in O(n log n) even in the
 * worst case; not stable. */
void stint_sort(size_t *order, size_t count, stint_before_fn *before, const void *array);

#endif
