/* A hash table with open addresses that only grows, and never beyond its limit: a key that has a place keeps it, so
 * that looking it up needs no lock. */
#include "nvtx/string.h"

#include "base/arena.h"
#include "stint/detail/api.h"

/* At least one place in 4 stays free, so that searches are short and terminate. */
static uint32_t places_for(uint32_t limit)
{
    uint32_t places = 4;
    while (places / 4 * 3 < limit)
        places *= 2;
    return places;
}

int stint_nvtx_map_begin(struct stint_nvtx_map *map, struct stint_arena *arena, size_t item_size, uint32_t limit)
{
    uint32_t places = places_for(limit);
    *map = (struct stint_nvtx_map){
        .items = stint_arena_alloc(arena, places * item_size),
        .item_size = item_size,
        .mask = places - 1,
        .limit = limit,
    };
    return map->items ? 0 : -1;
}

static uint64_t *place(const struct stint_nvtx_map *map, uint32_t at)
{
    return (uint64_t *)(void *)(map->items + (at & map->mask) * map->item_size);
}

static uint32_t first_place(uint64_t key)
{
    return (uint32_t)stint_hash_mix(key, 0);
}

void *stint_nvtx_map_find(const struct stint_nvtx_map *map, uint64_t key)
{
    for (uint32_t at = first_place(key);; at++) {
        uint64_t *item = place(map, at);
        uint64_t found = __atomic_load_n(item, __ATOMIC_ACQUIRE);
        if (found == key)
            return item;
        if (!found)
            return NULL;
    }
}

static int join_limit(struct stint_nvtx_map *map)
{
    if (__atomic_add_fetch(&map->used, 1, __ATOMIC_RELAXED) <= map->limit)
        return 1;
    __atomic_sub_fetch(&map->used, 1, __ATOMIC_RELAXED);
    return 0;
}

void *stint_nvtx_map_add(struct stint_nvtx_map *map, uint64_t key)
{
    void *item = stint_nvtx_map_find(map, key);
    if (item || !join_limit(map))
        return item;
    for (uint32_t at = first_place(key);; at++) {
        uint64_t found = 0;
        item = place(map, at);
        if (__atomic_compare_exchange_n((uint64_t *)item, &found, key, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return item;
        if (found == key) { /* another thread added it first */
            __atomic_sub_fetch(&map->used, 1, __ATOMIC_RELAXED);
            return item;
        }
    }
}

void *stint_nvtx_map_at(const struct stint_nvtx_map *map, size_t position)
{
    return STINT_I_LOAD(&map->used) && position <= map->mask ? place(map, (uint32_t)position) : NULL;
}
