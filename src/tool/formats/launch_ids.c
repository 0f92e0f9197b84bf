#include "formats/launch_ids.h"

static uint64_t hash_of(const struct stint_gpu_event *event)
{
    return stint_hash_mix((uint64_t)event->pid, event->correlation);
}

static int is_of(const void *events, size_t position, const void *key)
{
    const struct stint_gpu_event *event = (const struct stint_gpu_event *)events + position, *like = key;
    return event->correlation == like->correlation && event->pid == like->pid;
}

const struct stint_gpu_event *stint_launch_ids_find(const struct stint_launch_ids *ids,
                                                    const struct stint_gpu_event *like)
{
    if (!like->correlation)
        return NULL;
    size_t at = stint_index_find(&ids->index, hash_of(like), is_of, ids->events, like);
    return at == STINT_INDEX_NONE ? NULL : &ids->events[at];
}

int stint_launch_ids_add(struct stint_launch_ids *ids, struct stint_arena *arena, size_t event)
{
    const struct stint_gpu_event *added = &ids->events[event];
    if (!added->correlation || stint_launch_ids_find(ids, added))
        return 0;
    return stint_index_add(&ids->index, arena, hash_of(added), event);
}
