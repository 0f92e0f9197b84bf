/* Counts durations one by one, each different one exactly, so that percentiles are exact, too. */
#ifndef STINT_REPLAY_DURATIONS_H
#define STINT_REPLAY_DURATIONS_H

#include <stdint.h>

#include "base/arena.h"
#include "stint/numbers.h"

/* Memory that all tables of a snapshot share: when it is used up, a table that would have to grow counts in the buckets
 * of histograms (stint/detail/histogram.h) from then on. Zero it to begin. */
struct stint_durations_budget {
    size_t slots;
};

/* A hash table. Zero it to begin. Durations wait until there are a few of them: the processor then fetches their slots,
 * which are seldom in its cache, at the same time. */
struct stint_durations {
    struct stint_bin *slots; /* free ones have count 0; NULL: none */
    size_t used;
    uint8_t shift; /* of a hash, to a slot */
    uint8_t is_rounded;
    uint16_t waiting;
    uint32_t waiting_ns[27];
};

/* Counts those that wait, and then one more. Returns 0, or -1 without memory. */
int stint_durations_settle(struct stint_durations *durations, struct stint_durations_budget *budget, uint64_t ns);

/* Returns 0, or -1 without memory. */
static inline int stint_durations_add(struct stint_durations *durations, struct stint_durations_budget *budget,
                                      uint64_t ns)
{
    if (durations->waiting == sizeof durations->waiting_ns / sizeof durations->waiting_ns[0] || ns > UINT32_MAX)
        return stint_durations_settle(durations, budget, ns);
    durations->waiting_ns[durations->waiting++] = (uint32_t)ns;
    return 0;
}

/* Puts tables together into few bins, in the arena: one for each bucket of a histogram, in the middle of its durations,
 * and one that ends with each percentile that reports show, which therefore is exact. Without memory there are none. */
void stint_durations_bins(const struct stint_durations *const *tables, size_t count, struct stint_arena *arena,
                          struct stint_numbers *numbers);

/* Whether it has counted nothing. */
static inline int stint_durations_empty(const struct stint_durations *durations)
{
    return !durations->used && !durations->waiting;
}

void stint_durations_free(struct stint_durations *durations);

#endif
