#include "export/thread_places.h"

struct key {
    int64_t pid, tid;
};

static int same_key(const void *array, size_t position, const void *key)
{
    const struct key *row = (const struct key *)array + position, *like = key;
    return row->pid == like->pid && row->tid == like->tid;
}

size_t stint_thread_place(struct stint_thread_places *places, struct stint_arena *arena, int64_t pid, int64_t tid)
{
    struct key like = {pid, tid}, *row;
    uint64_t hash = stint_hash_mix((uint64_t)pid, (uint64_t)tid);
    size_t place = stint_index_find(&places->index, hash, same_key, places->keys.items, &like);
    if (place != STINT_INDEX_NONE)
        return place;
    place = places->keys.count;
    row = stint_array_add(&places->keys, arena, sizeof *row);
    if (!row || stint_index_add(&places->index, arena, hash, place))
        return STINT_INDEX_NONE;
    *row = like;
    return place;
}
