/* Finds items by number, from any thread and without a lock: the items have places from the beginning, are never moved
 * and never removed, and whoever comes first makes one. */
#ifndef STINT_NVTX_MAP_H
#define STINT_NVTX_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct stint_nvtx_map {
    char *items; /* each begins with its key, a uint64_t; 0: free */
    size_t item_size;
    uint32_t mask;
    uint32_t limit;
    uint32_t used;
};

/* Makes room for `limit` items of `item_size` bytes, of which parts never touched cost nothing. Returns 0, or -1 if
 * there is no memory. */
int stint_nvtx_map_begin(struct stint_nvtx_map *map, struct stint_arena *arena, size_t item_size, uint32_t limit);

/* Returns the item with that key, not 0, or NULL. */
void *stint_nvtx_map_find(const struct stint_nvtx_map *map, uint64_t key);

/* As stint_nvtx_map_find, but adds the item if it is missing, zeroed but for its key; NULL beyond the limit. */
void *stint_nvtx_map_add(struct stint_nvtx_map *map, uint64_t key);

/* Returns the items one after the other, from position 0 on: NULL behind the last position, or if there are
 * no items, and for a free one an item whose key is 0. */
void *stint_nvtx_map_at(const struct stint_nvtx_map *map, size_t position);

#endif
