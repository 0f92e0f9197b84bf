/* From a launch's number to the scope that was running: written by the thread that launches, read later when the record
 * of the work comes. One word per slot, so that no lock is needed and no half-written entry is ever read. */
#include "gpu/correlate.h"

#include <stddef.h>

#include "gpu/pages.h"
#include "record/path.h"

enum { SLOTS = 1 << 20 };

/* A slot is one word, so that it is always read whole: the id in the upper half, the path in the lower, and
 * STINT_CORRELATE_LAUNCH until a record of the launch has come. */
static uint64_t *s_slots;
static uint64_t *s_ticks; /* by slot; NULL: not kept */

static int make(uint64_t **table)
{
    uint64_t *made;

    if (__atomic_load_n(table, __ATOMIC_RELAXED))
        return 0;
    made = stint_pages_map(SLOTS * sizeof *made);
    if (!made)
        return -1;
    __atomic_store_n(table, made, __ATOMIC_RELEASE);
    return 0;
}

int stint_correlate_start(int times)
{
    if (times && make(&s_ticks))
        return -1;
    return make(&s_slots);
}

/* Ticks are stored between two stores to the slot: a reader who finds the slot unchanged after reading the ticks has
 * read the ticks that belong to it. Only two launches that are 2^20 apart, and yet at this point at the same time,
 * could confuse it. */
void stint_correlate_put(uint32_t correlation, uint32_t path, uint64_t ticks)
{
    uint64_t *slots = __atomic_load_n(&s_slots, __ATOMIC_ACQUIRE);
    uint64_t *times = __atomic_load_n(&s_ticks, __ATOMIC_ACQUIRE);
    uint32_t at = correlation % SLOTS;

    if (!slots || !correlation)
        return;
    if (times) {
        __atomic_store_n(&slots[at], 0, __ATOMIC_RELAXED);
        __atomic_store_n(&times[at], ticks, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&slots[at], (uint64_t)correlation << 32 | path, __ATOMIC_RELEASE);
}

static uint64_t ticks_of(const uint64_t *slot, uint64_t word, uint32_t at)
{
    const uint64_t *times = __atomic_load_n(&s_ticks, __ATOMIC_ACQUIRE);
    uint64_t ticks = times ? __atomic_load_n(&times[at], __ATOMIC_ACQUIRE) : 0;

    return __atomic_load_n(slot, __ATOMIC_RELAXED) == word ? ticks : 0;
}

/* Another launch may be about to take the slot. */
static void take_launch(uint64_t *slot, uint64_t word)
{
    if (word & STINT_CORRELATE_LAUNCH)
        (void)__atomic_compare_exchange_n(slot, &word, word & ~(uint64_t)STINT_CORRELATE_LAUNCH, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED);
}

uint32_t stint_correlate_get(uint32_t correlation, uint64_t *ticks)
{
    uint64_t *slots = __atomic_load_n(&s_slots, __ATOMIC_ACQUIRE);
    uint32_t at = correlation % SLOTS;
    uint64_t word = slots && correlation ? __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE) : 0;
    int known = word && word >> 32 == correlation;

    if (ticks)
        *ticks = known ? ticks_of(&slots[at], word, at) : 0;
    if (!known)
        return STINT_PATH_NONE;
    take_launch(&slots[at], word);
    return (uint32_t)word & ~STINT_CORRELATE_LAUNCH;
}

void stint_correlate_missing(void (*visit)(uint32_t path))
{
    uint64_t *slots = __atomic_load_n(&s_slots, __ATOMIC_ACQUIRE);

    for (uint32_t at = 0; slots && at < SLOTS; at++) {
        uint64_t word = __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE);

        if (!(word & STINT_CORRELATE_LAUNCH))
            continue;
        take_launch(&slots[at], word);
        visit((uint32_t)word & ~STINT_CORRELATE_LAUNCH);
    }
}

void stint_correlate_forget(void)
{
    stint_pages_zero(__atomic_load_n(&s_slots, __ATOMIC_ACQUIRE), SLOTS * sizeof *s_slots);
    stint_pages_zero(__atomic_load_n(&s_ticks, __ATOMIC_ACQUIRE), SLOTS * sizeof *s_ticks);
}
