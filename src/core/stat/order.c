#include "stat/order.h"

#include <string.h>

size_t *stint_order_positions(struct stint_builder *builder, size_t count)
{
    return stint_arena_alloc(stint_builder_arena(builder), (count + 1) * sizeof(size_t));
}

size_t *stint_order_of(struct stint_builder *builder, size_t count, stint_before_fn *before, const void *array)
{
    size_t *order = stint_order_positions(builder, count);

    if (!order)
        return NULL;
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    stint_sort(order, count, before, array);
    return order;
}

void *stint_order_rows(struct stint_builder *builder, const struct stint_array *rows, size_t size,
                       stint_before_fn *before, const void *array, size_t *renamed)
{
    const size_t *order = stint_order_of(builder, rows->count, before, array);
    char *to = stint_arena_alloc(stint_builder_arena(builder), (rows->count + 1) * size);

    if (!order || !to)
        return NULL;
    for (size_t i = 0; i < rows->count; i++) {
        memcpy(to + i * size, (const char *)rows->items + order[i] * size, size);
        if (renamed)
            renamed[order[i]] = i;
    }
    return to;
}
