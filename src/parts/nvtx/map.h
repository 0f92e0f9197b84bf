/* A map from keys to items that any thread uses without a lock: memory for all items is reserved at the beginning;
 * items are never moved or removed, and the first thread that needs an item adds it. */
#ifndef STINT_NVTX_MAP_H
#define STINT_NVTX_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct stint_nvtx_map {
    char *items; /* each begins with its key, a uint64_t; 0: a free place */
    size_t item_size;
    uint32_t mask;
    uint32_t limit;
    uint32_t used;
};

/* Makes room for `limit` items of `item_size` bytes; parts that are never touched use no memory. Returns 0, or -1 if
 * there is no memory. */
int stint_nvtx_map_begin(struct stint_nvtx_map *map, struct stint_arena *arena, size_t item_size, uint32_t limit);

/* Returns the item with that key, which is not 0, or NULL. */
void *stint_nvtx_map_find(const struct stint_nvtx_map *map, uint64_t key);

/* As stint_nvtx_map_find, but adds the item if it is missing, zeroed but for its key; NULL beyond the limit. */
void *stint_nvtx_map_add(struct stint_nvtx_map *map, uint64_t key);

/* Returns the item at a position, counted from 0; its key is 0 if the place is free. NULL after the last position, or
 * if there are no items. */
void *stint_nvtx_map_at(const struct stint_nvtx_map *map, size_t position);

#endif
