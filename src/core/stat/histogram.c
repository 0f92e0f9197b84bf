/* Counts durations in logarithmic buckets. Counters of an octave exist once it has a sample, and are wide once they
 * need to be, so that thousands of histograms fit into little memory. */
#include "stat/numbers.h"

enum { NARROW_BITS = 16 };

double stint_bucket_middle(uint32_t bucket)
{
    unsigned shift = bucket < 2 * STINT_I_GROUP ? 0 : bucket / STINT_I_GROUP - 1;
    uint64_t low = (uint64_t)(bucket - shift * STINT_I_GROUP) << shift;
    uint64_t width = UINT64_C(1) << shift;
    return (double)low + (double)(width - 1) / 2;
}

/* --------------------------------------------------------------------------------------------------------- counters */

/* Others may read a pointer while it is set, and find zeroes behind it. */
static void *make(struct stint_arena *arena, size_t size, void *at)
{
    void **pointer = at;
    if (!*pointer && arena)
        __atomic_store_n(pointer, stint_arena_alloc(arena, size), __ATOMIC_RELEASE);
    return *pointer;
}

static uint32_t *wide_counter_of(struct stint_histogram *histogram, uint32_t bucket, struct stint_arena *arena)
{
    uint32_t **wide = make(arena, STINT_I_GROUPS * sizeof(uint32_t *), &histogram->wide);
    if (!wide)
        return NULL;
    uint32_t *group = make(arena, STINT_I_GROUP * sizeof(uint32_t), &wide[bucket / STINT_I_GROUP]);
    return group ? &group[bucket % STINT_I_GROUP] : NULL;
}

int stint_histogram_add(struct stint_histogram *histogram, uint32_t bucket, uint64_t samples, struct stint_arena *arena)
{
    if (bucket >= STINT_I_BUCKETS)
        bucket = STINT_I_BUCKETS - 1;
    uint16_t *group = make(arena, STINT_I_GROUP * sizeof *group, &histogram->group[bucket / STINT_I_GROUP]);
    if (!group)
        return -1;
    uint16_t *counter = &group[bucket % STINT_I_GROUP];
    uint64_t sum = *counter + samples;
    if (sum > UINT16_MAX) {
        uint32_t *wide = wide_counter_of(histogram, bucket, arena);
        if (!wide)
            return -1;
        STINT_I_ADD(wide, (uint32_t)(sum >> NARROW_BITS));
    }
    STINT_I_STORE(counter, (uint16_t)sum);
    return 0;
}

/* ----------------------------------------------------------------------------------------------------------- groups */

static const uint16_t *group_at(const struct stint_histogram *histogram, uint32_t group)
{
    return __atomic_load_n(&histogram->group[group], __ATOMIC_ACQUIRE);
}

static uint32_t *wide_at(const struct stint_histogram *histogram, uint32_t group)
{
    uint32_t **wide = __atomic_load_n(&histogram->wide, __ATOMIC_ACQUIRE);
    return wide ? __atomic_load_n(&wide[group], __ATOMIC_ACQUIRE) : NULL;
}

uint64_t stint_histogram_samples(const struct stint_histogram *histogram, uint32_t bucket)
{
    const uint16_t *group = group_at(histogram, bucket / STINT_I_GROUP);
    const uint32_t *wide = wide_at(histogram, bucket / STINT_I_GROUP);
    uint32_t at = bucket % STINT_I_GROUP;
    if (!group)
        return 0;
    return STINT_I_LOAD(&group[at]) + (wide ? (uint64_t)STINT_I_LOAD(&wide[at]) << NARROW_BITS : 0);
}

/* Returns the first bucket from `bucket` on that has samples, and their number; STINT_I_BUCKETS: there is none. */
static uint32_t next_bucket(const struct stint_histogram *histogram, uint32_t bucket, uint64_t *samples)
{
    while (bucket < STINT_I_BUCKETS) {
        if (bucket % STINT_I_GROUP == 0 && !group_at(histogram, bucket / STINT_I_GROUP)) {
            bucket += STINT_I_GROUP;
            continue;
        }
        *samples = stint_histogram_samples(histogram, bucket);
        if (*samples)
            break;
        bucket++;
    }
    return bucket;
}

uint64_t stint_histogram_merge(struct stint_histogram *into, const struct stint_histogram *from,
                               struct stint_arena *arena)
{
    uint64_t samples, lost = 0;
    for (uint32_t at = 0; (at = next_bucket(from, at, &samples)) < STINT_I_BUCKETS; at++)
        if (!into || stint_histogram_add(into, at, samples, arena))
            lost += samples;
    return lost;
}

void stint_histogram_zero(struct stint_histogram *histogram)
{
    for (uint32_t i = 0; i < STINT_I_BUCKETS; i++) {
        uint16_t *group = histogram->group[i / STINT_I_GROUP];
        uint32_t *wide = wide_at(histogram, i / STINT_I_GROUP);
        if (group)
            STINT_I_STORE(&group[i % STINT_I_GROUP], (uint16_t)0);
        if (wide)
            STINT_I_STORE(&wide[i % STINT_I_GROUP], 0u);
    }
}

size_t stint_histogram_bins(const struct stint_histogram *histogram, double ns_per_tick, struct stint_bin *bins)
{
    size_t count = 0;
    uint64_t samples;
    for (uint32_t at = 0; (at = next_bucket(histogram, at, &samples)) < STINT_I_BUCKETS; at++) {
        uint64_t ns = (uint64_t)(stint_bucket_middle(at) * ns_per_tick + 0.5);
        if (count && bins[count - 1].ns == ns) /* buckets of less than 1 ns */
            bins[count - 1].count += samples;
        else
            bins[count++] = (struct stint_bin){ns, samples};
    }
    return count;
}
