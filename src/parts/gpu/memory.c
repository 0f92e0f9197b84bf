/* Follows allocations from their begin to their end, to know at any moment how much memory is in use, and how much was
 * at most. Addresses that are allocated are in a hash table; only totals outlive them. */
#include "gpu/activity_table.h"

#include "base/arena.h"
#include "gpu/timeline.h"
#include "record/registry.h"

enum { TOTALS = 1024 }; /* 64 devices, 8 kinds, in a pool or not */

struct live {
    uint64_t address;
    uint64_t bytes;
    size_t total; /* position + 1; 0: free slot */
};

static struct {
    struct live *slots; /* at most half of them taken */
    size_t mask;
    size_t limit;
    size_t live_count;
    struct stint_gpu_memory totals[TOTALS];
    size_t total_count;
} s_memory;

int stint_memory_start(size_t limit)
{
    if (s_memory.slots)
        return 0;
    s_memory.limit = limit;
    for (s_memory.mask = 1; s_memory.mask + 1 < 2 * limit;)
        s_memory.mask = 2 * s_memory.mask + 1;
    s_memory.slots = stint_pages_map((s_memory.mask + 1) * sizeof *s_memory.slots);
    return s_memory.slots ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------------------ slots */

static size_t home_of(uint64_t address)
{
    return stint_hash_mix(address, 0) & s_memory.mask;
}

/* The slot of the allocation at that address, or the free slot where it belongs. */
static size_t find(uint64_t address)
{
    size_t at = home_of(address);
    while (s_memory.slots[at].total && s_memory.slots[at].address != address)
        at = (at + 1) & s_memory.mask;
    return at;
}

/* Moves back the entries that are further from their place because the freed slot was in use. */
static void free_slot(size_t hole)
{
    for (size_t at = (hole + 1) & s_memory.mask; s_memory.slots[at].total; at = (at + 1) & s_memory.mask) {
        size_t home = home_of(s_memory.slots[at].address);
        if (((at - home) & s_memory.mask) < ((at - hole) & s_memory.mask))
            continue;
        s_memory.slots[hole] = s_memory.slots[at];
        hole = at;
    }
    s_memory.slots[hole] = (struct live){0};
    s_memory.live_count--;
}

/* ----------------------------------------------------------------------------------------------------------- totals */

static struct stint_gpu_memory *total_of(const struct stint_allocation *allocation)
{
    struct stint_gpu_memory *total = s_memory.totals;
    for (; total < s_memory.totals + s_memory.total_count; total++)
        if (total->device == allocation->device && total->kind == allocation->kind && total->pool == allocation->pool)
            return total;
    if (s_memory.total_count == TOTALS)
        return NULL;
    s_memory.total_count++;
    total->device = allocation->device;
    total->kind = allocation->kind;
    total->pool = allocation->pool;
    return total;
}

const struct stint_gpu_memory *stint_memory_at(size_t position)
{
    return position < s_memory.total_count ? &s_memory.totals[position] : NULL;
}

static void tell(const struct stint_gpu_memory *total, const struct live *live, int freed)
{
    stint_trace_put_memory(&(struct stint_event_memory){.address = live->address,
                                                        .bytes = live->bytes,
                                                        .current_bytes = total->current_bytes,
                                                        .device = total->device,
                                                        .kind = total->kind,
                                                        .pool = total->pool,
                                                        .freed = freed});
}

static void end_at(size_t slot)
{
    struct stint_gpu_memory *total = &s_memory.totals[s_memory.slots[slot].total - 1];
    total->frees++;
    total->current_bytes -= s_memory.slots[slot].bytes;
    tell(total, &s_memory.slots[slot], 1);
    free_slot(slot);
}

static void begin(const struct stint_allocation *allocation)
{
    struct stint_gpu_memory *total = s_memory.live_count < s_memory.limit ? total_of(allocation) : NULL;
    if (!total) {
        stint_count_dropped(&stint_dropped.gpu_activities);
        return;
    }
    struct live *live = &s_memory.slots[find(allocation->address)];
    *live = (struct live){allocation->address, allocation->bytes, (size_t)(total - s_memory.totals) + 1};
    s_memory.live_count++;
    total->allocations++;
    total->current_bytes += allocation->bytes;
    if (total->current_bytes > total->peak_bytes)
        total->peak_bytes = total->current_bytes;
    tell(total, live, 0);
}

void stint_memory_note(const struct stint_allocation *allocation)
{
    uint64_t address = allocation->address;
    uint64_t end = allocation->freed ? address + allocation->bytes : address;
    do {
        size_t at = find(address);
        if (!s_memory.slots[at].total)
            break;
        address += s_memory.slots[at].bytes;
        end_at(at);
    } while (address < end);
    if (!allocation->freed)
        begin(allocation);
}

void stint_memory_reset(void)
{
    for (size_t i = 0; i < s_memory.total_count; i++) {
        struct stint_gpu_memory *total = &s_memory.totals[i];
        total->allocations = total->frees = 0;
        total->peak_bytes = total->current_bytes;
    }
}

void stint_memory_forget(void)
{
    if (s_memory.slots)
        stint_pages_zero(s_memory.slots, (s_memory.mask + 1) * sizeof *s_memory.slots);
    s_memory.live_count = s_memory.total_count = 0;
    for (size_t i = 0; i < TOTALS; i++)
        s_memory.totals[i] = (struct stint_gpu_memory){0};
}
