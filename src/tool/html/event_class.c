#include "html/event_class.h"

#include <string.h>

#include "stat/call_names.h"
#include "stint/snapshot.h"

int stint_is_waiting(const char *set, const char *name)
{
    if (strcmp(set, STINT_API_SET) == 0)
        return stint_call_kind(name) == STINT_CALL_WAIT;
    return strcmp(set, STINT_OS_SET) == 0;
}

static struct stint_event_class describe(const struct stint_event *event)
{
    struct stint_event_class what = {.kind = event->kind,
                                     .set = event->set,
                                     .name = event->name,
                                     .color = event->color,
                                     .category = event->category,
                                     .pid = event->category ? event->pid : 0};
    const struct stint_gpu_event *gpu = event->gpu;
    if (event->kind != STINT_EVENT_DEVICE || !gpu)
        return what;
    what.gpu_kind = gpu->kind;
    what.source = gpu->source;
    what.destination = gpu->destination;
    if (gpu->kind != STINT_GPU_KERNEL)
        return what;
    what.device = gpu->device;
    memcpy(what.grid, gpu->grid, sizeof what.grid);
    memcpy(what.block, gpu->block, sizeof what.block);
    what.registers = gpu->registers;
    what.static_shared = gpu->static_shared;
    what.dynamic_shared = gpu->dynamic_shared;
    return what;
}

static int same(const void *array, size_t position, const void *key)
{
    const struct stint_event_class *a = (const struct stint_event_class *)array + position, *b = key;
    return a->kind == b->kind && a->color == b->color && a->category == b->category && a->pid == b->pid &&
           a->gpu_kind == b->gpu_kind && a->device == b->device && a->source == b->source &&
           a->destination == b->destination && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && a->registers == b->registers &&
           a->static_shared == b->static_shared && a->dynamic_shared == b->dynamic_shared &&
           strcmp(a->name, b->name) == 0 && strcmp(a->set, b->set) == 0;
}

static uint64_t hash(const struct stint_event_class *what)
{
    const uint32_t numbers[] = {(uint32_t)what->kind,
                                (uint32_t)what->gpu_kind,
                                (uint32_t)what->source,
                                (uint32_t)what->destination,
                                what->device,
                                what->registers,
                                what->static_shared,
                                what->dynamic_shared,
                                what->grid[0],
                                what->grid[1],
                                what->grid[2],
                                what->block[0],
                                what->block[1],
                                what->block[2],
                                what->color,
                                what->category,
                                (uint32_t)what->pid};
    uint64_t seed = stint_hash(numbers, sizeof numbers, 0);
    seed = stint_hash(what->set, strlen(what->set), seed);
    return stint_hash(what->name, strlen(what->name), seed);
}

static size_t append(struct stint_event_classes *whats, const struct stint_event_class *like, uint64_t key)
{
    struct stint_event_class *what = stint_array_add(&whats->all, whats->arena, sizeof *what);
    size_t position = whats->all.count - 1;
    if (!what || stint_index_add(&whats->index, whats->arena, key, position))
        return SIZE_MAX;
    *what = *like;
    what->set = stint_arena_copy(whats->arena, like->set, strlen(like->set));
    what->name = stint_arena_copy(whats->arena, like->name, strlen(like->name));
    return what->set && what->name ? position : SIZE_MAX;
}

static size_t find_or_append(struct stint_event_classes *whats, const struct stint_event_class *like)
{
    uint64_t key = hash(like);
    size_t position = stint_index_find(&whats->index, key, same, whats->all.items, like);
    return position == STINT_INDEX_NONE ? append(whats, like, key) : position;
}

/* The last one stands for all events that have no entry of their own. */
static size_t position_of(struct stint_event_classes *whats, const struct stint_event *event)
{
    static const struct stint_event_class others = {.kind = STINT_EVENT_RANGE, .set = "", .name = "(others)"};
    struct stint_event_class like = describe(event);
    if (whats->all.count < STINT_EVENT_CLASSES_MOST - 1)
        return find_or_append(whats, &like);
    size_t position = stint_index_find(&whats->index, hash(&like), same, whats->all.items, &like);
    if (position != STINT_INDEX_NONE)
        return position;
    whats->beyond++;
    return find_or_append(whats, &others);
}

size_t stint_event_classes_add(struct stint_event_classes *whats, const struct stint_event *event)
{
    size_t position = position_of(whats, event);
    if (position == SIZE_MAX)
        return SIZE_MAX;
    struct stint_event_class *what = (struct stint_event_class *)whats->all.items + position;
    uint64_t ns = event->end_ns - event->start_ns;
    what->count++;
    what->total_ns += ns;
    if (ns > what->max_ns || what->count == 1) {
        what->max_ns = ns;
        what->max_start_ns = event->start_ns;
    }
    return position;
}
