/* A table with a place for each recent correlation id, which newer ids overwrite: finding a launch takes one look, and
 * memory does not grow with a recording. */
#include "replay/launches.h"

#include "base/index.h"

/* Ids of a process count up, so that consecutive ids have consecutive places, and an entry is overwritten after
 * STINT_LAUNCHES calls. */
struct stint_launch_entry {
    uint64_t correlation; /* 0: free */
    int64_t pid;
    size_t number;
};

static size_t place_of(int64_t pid, uint64_t correlation)
{
    return (size_t)((correlation + stint_hash_mix((uint64_t)pid, 0)) % STINT_LAUNCHES);
}

int stint_launches_put(struct stint_launches *launches, int64_t pid, uint64_t correlation, size_t number)
{
    if (!correlation)
        return 0;
    if (!launches->entries)
        launches->entries = stint_arena_alloc(&launches->arena, STINT_LAUNCHES * sizeof *launches->entries);
    if (!launches->entries)
        return -1;
    launches->entries[place_of(pid, correlation)] =
        (struct stint_launch_entry){.correlation = correlation, .pid = pid, .number = number};
    return 0;
}

size_t stint_launches_find(const struct stint_launches *launches, int64_t pid, uint64_t correlation)
{
    if (!launches->entries || !correlation)
        return STINT_GPU_UNATTRIBUTED;
    const struct stint_launch_entry *entry = &launches->entries[place_of(pid, correlation)];
    return entry->correlation == correlation && entry->pid == pid ? entry->number : STINT_GPU_UNATTRIBUTED;
}

void stint_launches_free(struct stint_launches *launches)
{
    stint_arena_free(&launches->arena);
}
