/* Putting a builder's rows into order; all memory is the snapshot's. */
#ifndef STINT_STAT_ORDER_H
#define STINT_STAT_ORDER_H

#include "base/sort.h"
#include "stat/builder.h"

/* Returns room for `count` positions, and one more, zeroed; NULL without memory. */
size_t *stint_order_positions(struct stint_builder *builder, size_t count);

/* Returns 0 .. count-1 in the order that `before` says of them and `array`; NULL without memory. */
size_t *stint_order_of(struct stint_builder *builder, size_t count, stint_before_fn *before, const void *array);

/* Returns the rows, each of `size` bytes, put into that order; NULL without memory. `renamed`, if any, receives where
 * each went. */
void *stint_order_rows(struct stint_builder *builder, const struct stint_array *rows, size_t size,
                       stint_before_fn *before, const void *array, size_t *renamed);

#endif
