/* Puts the rows of a builder into order; all memory comes from the snapshot's arena. */
#ifndef STINT_STAT_ORDER_H
#define STINT_STAT_ORDER_H

#include "base/sort.h"
#include "stat/builder.h"

/* Returns a zeroed array of `count` + 1 positions, or NULL if there is no memory. */
size_t *stint_order_positions(struct stint_builder *builder, size_t count);

/* Returns 0 .. count-1 sorted by `before`, which is called with `array`; NULL if there is no memory. */
size_t *stint_order_of(struct stint_builder *builder, size_t count, stint_before_fn *before, const void *array);

/* Returns the rows, each of `size` bytes, put into that order, or NULL if there is no memory. `renamed`, if any,
 * receives the new position of each. */
void *stint_order_rows(struct stint_builder *builder, const struct stint_array *rows, size_t size,
                       stint_before_fn *before, const void *array, size_t *renamed);

#endif
