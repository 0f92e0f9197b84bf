/* Counts durations in logarithmic buckets. Counters exist where there are samples, a few neighbours at a time, and are
 * wide once they need to be, so that thousands of histograms fit into little memory. */
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

/* Advances `at` to where the piece with this number is, or is to be, and returns it, made if it is missing. Others may
 * read a pointer while it is set, and find zeroes behind it. */
static struct stint_histogram *find_piece(struct stint_histogram ***at, uint32_t number, struct stint_arena *arena)
{
    struct stint_histogram *piece, *made;
    while ((piece = **at) && piece->number < number)
        *at = &piece->next;
    if (piece && piece->number == number)
        return piece;
    made = arena ? stint_arena_alloc(arena, sizeof *made) : NULL;
    if (!made)
        return NULL;
    made->number = number;
    made->next = piece;
    __atomic_store_n(*at, made, __ATOMIC_RELEASE);
    return made;
}

static uint32_t *wide_at(const struct stint_histogram *piece)
{
    return __atomic_load_n(&piece->wide, __ATOMIC_ACQUIRE);
}

static int add_to_piece(struct stint_histogram ***at, uint32_t bucket, uint64_t samples, struct stint_arena *arena)
{
    struct stint_histogram *piece = find_piece(at, bucket / STINT_HISTOGRAM_PIECE, arena);
    uint32_t place = bucket % STINT_HISTOGRAM_PIECE;
    if (!piece)
        return -1;
    uint64_t sum = piece->counter[place] + samples;
    if (sum > UINT16_MAX) {
        if (!piece->wide && arena)
            __atomic_store_n(&piece->wide, stint_arena_alloc(arena, STINT_HISTOGRAM_PIECE * sizeof *piece->wide),
                             __ATOMIC_RELEASE);
        if (!piece->wide)
            return -1;
        STINT_I_ADD(&piece->wide[place], (uint32_t)(sum >> NARROW_BITS));
    }
    STINT_I_STORE(&piece->counter[place], (uint16_t)sum);
    return 0;
}

int stint_histogram_add(struct stint_histogram **histogram, uint32_t bucket, uint64_t samples,
                        struct stint_arena *arena)
{
    return add_to_piece(&histogram, bucket < STINT_I_BUCKETS ? bucket : STINT_I_BUCKETS - 1, samples, arena);
}

/* ----------------------------------------------------------------------------------------------------------- pieces */

static const struct stint_histogram *next_piece(const struct stint_histogram *piece)
{
    return __atomic_load_n(&piece->next, __ATOMIC_ACQUIRE);
}

static uint64_t samples_at(const struct stint_histogram *piece, uint32_t place)
{
    const uint32_t *wide = wide_at(piece);
    return STINT_I_LOAD(&piece->counter[place]) + (wide ? (uint64_t)STINT_I_LOAD(&wide[place]) << NARROW_BITS : 0);
}

uint64_t stint_histogram_samples(const struct stint_histogram *histogram, uint32_t bucket)
{
    uint32_t number = bucket / STINT_HISTOGRAM_PIECE;
    while (histogram && histogram->number < number)
        histogram = next_piece(histogram);
    return histogram && histogram->number == number ? samples_at(histogram, bucket % STINT_HISTOGRAM_PIECE) : 0;
}

uint64_t stint_histogram_merge(struct stint_histogram **into, const struct stint_histogram *from,
                               struct stint_arena *arena)
{
    uint64_t lost = 0;
    for (; from; from = next_piece(from))
        for (uint32_t place = 0; place < STINT_HISTOGRAM_PIECE; place++) {
            uint64_t samples = samples_at(from, place);
            if (samples && add_to_piece(&into, from->number * STINT_HISTOGRAM_PIECE + place, samples, arena))
                lost += samples;
        }
    return lost;
}

void stint_histogram_zero(struct stint_histogram *histogram)
{
    for (; histogram; histogram = histogram->next)
        for (uint32_t place = 0; place < STINT_HISTOGRAM_PIECE; place++) {
            STINT_I_STORE(&histogram->counter[place], (uint16_t)0);
            if (histogram->wide)
                STINT_I_STORE(&histogram->wide[place], 0u);
        }
}

size_t stint_histogram_bins(const struct stint_histogram *histogram, double ns_per_tick, struct stint_bin *bins)
{
    size_t count = 0;
    for (; histogram; histogram = next_piece(histogram))
        for (uint32_t place = 0; place < STINT_HISTOGRAM_PIECE; place++) {
            uint64_t samples = samples_at(histogram, place);
            if (!samples)
                continue;
            uint32_t bucket = histogram->number * STINT_HISTOGRAM_PIECE + place;
            uint64_t ns = (uint64_t)(stint_bucket_middle(bucket) * ns_per_tick + 0.5);
            if (count && bins[count - 1].ns == ns) /* buckets of less than 1 ns */
                bins[count - 1].count += samples;
            else
                bins[count++] = (struct stint_bin){ns, samples};
        }
    return count;
}
