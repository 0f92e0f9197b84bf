/* Appends items to an array that moves to twice the room when it is full; what it leaves behind is freed with the
 * arena. Merge sort of positions: the fewest comparisons, each of which may read rows from memory, and fewer still
 * where some are in order already; never quadratic, which matters in a signal handler. A hash table that holds no
 * elements but their hashes and positions: the caller compares them, so one serves for all kinds. */
#include "base/arena.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

int stint_array_reserve(struct stint_array *array, struct stint_arena *arena, size_t size, size_t capacity)
{
    void *items = stint_arena_alloc(arena, capacity * size);
    if (!items)
        return -1;
    if (array->count)
        memcpy(items, array->items, array->count * size);
    array->items = items;
    array->capacity = capacity;
    return 0;
}

void *stint_array_add(struct stint_array *array, struct stint_arena *arena, size_t size)
{
    size_t capacity = array->capacity ? 2 * array->capacity : FIRST_CAPACITY;
    if (array->count == array->capacity && stint_array_reserve(array, arena, size, capacity))
        return NULL;
    return (char *)array->items + array->count++ * size;
}

/* Makes one run of two, of which the first has `run` positions and both together `count`. */
static void merge_runs(size_t *order, size_t run, size_t count, stint_before_fn *before, const void *array,
                       size_t *spare)
{
    size_t a = 0, b = run;
    if (!before(array, order[run], order[run - 1])) /* they are one already */
        return;
    memcpy(spare, order, run * sizeof *order);
    for (size_t *to = order; a < run; to++)
        *to = b < count && before(array, order[b], spare[a]) ? order[b++] : spare[a++];
}

void stint_sort(size_t *order, size_t count, stint_before_fn *before, const void *array, size_t *spare)
{
    for (size_t run = 1; run < count; run *= 2)
        for (size_t begin = 0; begin + run < count; begin += 2 * run) {
            size_t left = count - begin;
            merge_runs(order + begin, run, left < 2 * run ? left : 2 * run, before, array, spare);
        }
}

size_t *stint_positions(struct stint_arena *arena, size_t count)
{
    size_t *order = stint_arena_alloc(arena, (2 * count + 1) * sizeof *order);
    for (size_t i = 0; order && i < count; i++)
        order[i] = i;
    return order;
}

size_t *stint_sorted(struct stint_arena *arena, size_t count, stint_before_fn *before, const void *array)
{
    size_t *order = stint_positions(arena, count);
    if (order)
        stint_sort(order, count, before, array, order + count);
    return order;
}

enum { FIRST_SLOTS = 64 };

static struct stint_index_slot *free_slot(const struct stint_index *index, uint64_t hash)
{
    size_t at = hash & index->mask;
    while (index->slots[at].position)
        at = (at + 1) & index->mask;
    return &index->slots[at];
}

/* At most half of the slots are used. Old slots stay in the arena: all of them together are never larger than the new
 * ones. */
static int make_room(struct stint_index *index, struct stint_arena *arena)
{
    size_t slots = index->slots ? index->mask + 1 : FIRST_SLOTS;
    if (index->slots && 2 * (index->used + 1) <= slots)
        return 0;
    if (index->slots)
        slots *= 2;
    struct stint_index bigger = {stint_arena_alloc(arena, slots * sizeof *index->slots), slots - 1, index->used};
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
    if (make_room(index, arena))
        return -1;
    struct stint_index_slot *slot = free_slot(index, hash);
    slot->hash = hash;
    slot->position = position + 1;
    index->used++;
    return 0;
}
