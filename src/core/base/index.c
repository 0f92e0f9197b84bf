/* A hash table that holds no elements but their hashes and positions. The elements stay in the caller's array, and the
 * caller compares them, so one table serves for all kinds. */
#include "base/index.h"

enum { FIRST_SLOTS = 64 };

static struct stint_index_slot *free_slot(const struct stint_index *index, uint64_t hash)
{
    size_t at = hash & index->mask;
    while (index->slots[at].position)
        at = (at + 1) & index->mask;
    return &index->slots[at];
}

/* Doubles the slots. The old slots stay in the arena: all of them together are never larger than the new ones. */
static int grow(struct stint_index *index, struct stint_arena *arena)
{
    size_t count = index->slots ? 2 * (index->mask + 1) : FIRST_SLOTS;
    struct stint_index bigger = {stint_arena_alloc(arena, count * sizeof *index->slots), count - 1, index->used};
    if (!bigger.slots)
        return -1;
    for (size_t i = 0; index->slots && i <= index->mask; i++)
        if (index->slots[i].position)
            *free_slot(&bigger, index->slots[i].hash) = index->slots[i];
    *index = bigger;
    return 0;
}

size_t stint_index_find(const struct stint_index *index, uint64_t hash, stint_index_same_fn *same, const void *array,
                        const void *key)
{
    if (!index->slots)
        return STINT_INDEX_NONE;
    for (size_t at = hash & index->mask; index->slots[at].position; at = (at + 1) & index->mask) {
        const struct stint_index_slot *slot = &index->slots[at];
        if (slot->hash == hash && same(array, slot->position - 1, key))
            return slot->position - 1;
    }
    return STINT_INDEX_NONE;
}

int stint_index_add(struct stint_index *index, struct stint_arena *arena, uint64_t hash, size_t position)
{
    if ((!index->slots || index->used >= (index->mask + 1) / 2) && grow(index, arena))
        return -1;
    struct stint_index_slot *slot = free_slot(index, hash);
    slot->hash = hash;
    slot->position = position + 1;
    index->used++;
    return 0;
}
