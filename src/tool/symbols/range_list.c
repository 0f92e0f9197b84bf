/* A sorted array of ranges, and a binary search in it. */
#include "symbols/range_list.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct stint_range *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

void stint_range_list_sort(struct stint_array *ranges)
{
    if (ranges->count)
        qsort(ranges->items, ranges->count, sizeof(struct stint_range), compare);
}

const struct stint_range *stint_range_list_find(const struct stint_array *ranges, uint64_t address)
{
    const struct stint_range *all = ranges->items;
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < all[low - 1].end ? &all[low - 1] : NULL;
}
