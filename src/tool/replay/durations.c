/* Counts how often each duration occurred, in hash tables that share a limit on memory; beyond it they count in
 * buckets. Percentiles of recordings are exact as long as they fit. */
#include "replay/counts.h"

#include <stdlib.h>
#include <string.h>

#include "stat/numbers.h"

/* 32 MiB: with the rest, a snapshot of any recording takes less than 100 MB. */
enum { MOST_SLOTS = 1 << 21, FIRST_SHIFT = 58 };

/* ----------------------------------------------------------------------------------------------------------- tables */

static uint64_t round_ns(uint64_t ns)
{
    return (uint64_t)stint_bucket_middle(stint_i_bucket(ns));
}

static size_t slots_of(const struct stint_durations *durations)
{
    return durations->slots ? (size_t)1 << (64 - durations->shift) : 0;
}

static size_t slot_of(const struct stint_durations *durations, uint64_t ns)
{
    return (size_t)(ns * UINT64_C(0x9E3779B97F4A7C15) >> durations->shift);
}

/* There has to be a free slot. */
static void put(struct stint_durations *durations, uint64_t ns, uint64_t count)
{
    size_t at = slot_of(durations, ns), mask = slots_of(durations) - 1;
    while (durations->slots[at].count && durations->slots[at].ns != ns)
        at = (at + 1) & mask;
    durations->used += !durations->slots[at].count;
    durations->slots[at].ns = ns;
    durations->slots[at].count += count;
}

/* Returns 0, or -1 without memory. */
static int grow(struct stint_durations *durations, struct stint_durations_budget *budget)
{
    struct stint_durations grown = *durations;
    grown.shift = durations->slots ? durations->shift - 1 : FIRST_SHIFT;
    grown.is_rounded |= budget->slots >= MOST_SLOTS;
    grown.used = 0;
    grown.slots = calloc((size_t)1 << (64 - grown.shift), sizeof *grown.slots);
    if (!grown.slots)
        return -1;
    for (size_t i = 0; i < slots_of(durations); i++) {
        const struct stint_bin *slot = &durations->slots[i];
        if (slot->count)
            put(&grown, grown.is_rounded ? round_ns(slot->ns) : slot->ns, slot->count);
    }
    budget->slots += slots_of(&grown) - slots_of(durations);
    free(durations->slots);
    *durations = grown;
    return 0;
}

static void count_waiting(struct stint_durations *durations)
{
    uint64_t ns[sizeof durations->waiting_ns / sizeof durations->waiting_ns[0]];
    for (size_t i = 0; i < durations->waiting; i++) {
        ns[i] = durations->is_rounded ? round_ns(durations->waiting_ns[i]) : durations->waiting_ns[i];
        __builtin_prefetch(&durations->slots[slot_of(durations, ns[i])], 1);
    }
    for (size_t i = 0; i < durations->waiting; i++)
        put(durations, ns[i], 1);
    durations->waiting = 0;
}

/* Three quarters of the slots may be used. */
int stint_durations_settle(struct stint_durations *durations, struct stint_durations_budget *budget, uint64_t ns)
{
    while (durations->used + durations->waiting >= slots_of(durations) / 4 * 3)
        if (grow(durations, budget))
            return -1;
    count_waiting(durations);
    put(durations, durations->is_rounded ? round_ns(ns) : ns, 1);
    return 0;
}

void stint_durations_free(struct stint_durations *durations)
{
    free(durations->slots);
    *durations = (struct stint_durations){0};
}

/* ------------------------------------------------------------------------------------------------------------- bins */

static int by_ns(const void *a, const void *b)
{
    const struct stint_bin *x = a, *y = b;
    return x->ns < y->ns ? -1 : x->ns > y->ns;
}

/* Whether one of the percentiles that reports show is among samples number `before` + 1 to `after`. */
static int has_percentile(uint64_t before, uint64_t after, uint64_t samples)
{
    static const double percentiles[] = {0.5, 0.9, 0.99};
    for (size_t i = 0; i < sizeof percentiles / sizeof percentiles[0]; i++) {
        double rank = percentiles[i] * (double)samples;
        if ((double)before < rank && (double)after >= rank)
            return 1;
    }
    return 0;
}

/* Makes bins of sorted durations, in their place. Returns how many. */
static size_t make_bins(struct stint_bin *all, size_t durations, uint64_t samples)
{
    uint64_t seen = 0, shortest = 0;
    uint32_t bucket = UINT32_MAX; /* of the last bin; UINT32_MAX: it is complete */
    size_t count = 0;
    for (size_t i = 0; i < durations;) {
        struct stint_bin same = all[i];
        for (i++; i < durations && all[i].ns == same.ns; i++)
            same.count += all[i].count;
        int is_percentile = has_percentile(seen, seen + same.count, samples);
        if (stint_i_bucket(same.ns) != bucket) {
            all[count++] = (struct stint_bin){0};
            shortest = same.ns;
        }
        all[count - 1].ns = is_percentile ? same.ns : shortest + (same.ns - shortest) / 2;
        all[count - 1].count += same.count;
        bucket = is_percentile ? UINT32_MAX : stint_i_bucket(same.ns);
        seen += same.count;
    }
    return count;
}

/* Appends what is in the table. */
static struct stint_bin *gather(const struct stint_durations *durations, struct stint_bin *to)
{
    for (size_t i = 0; i < slots_of(durations); i++)
        if (durations->slots[i].count)
            *to++ = durations->slots[i];
    for (size_t i = 0; i < durations->waiting; i++)
        *to++ = (struct stint_bin){
            durations->is_rounded ? round_ns(durations->waiting_ns[i]) : durations->waiting_ns[i], 1};
    return to;
}

void stint_durations_bins(const struct stint_durations *const *tables, size_t count, struct stint_arena *arena,
                          struct stint_numbers *numbers)
{
    size_t used = 0;
    uint64_t samples = 0;
    for (size_t i = 0; i < count; i++)
        used += tables[i]->used + tables[i]->waiting;
    struct stint_bin *all = used ? malloc(used * sizeof *all) : NULL, *end = all;
    if (!all) {
        stint_memory_lacked |= used != 0;
        return;
    }
    for (size_t i = 0; i < count; i++)
        end = gather(tables[i], end);
    for (size_t i = 0; i < used; i++)
        samples += all[i].count;
    qsort(all, used, sizeof *all, by_ns);
    used = make_bins(all, used, samples);
    struct stint_bin *bins = stint_arena_alloc(arena, used * sizeof *bins);
    if (bins) {
        memcpy(bins, all, used * sizeof *bins);
        numbers->bins = bins;
        numbers->bin_count = used;
    }
    free(all);
}
