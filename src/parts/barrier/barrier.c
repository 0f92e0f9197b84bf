/* Adds up, round by round, how far apart participants of a barrier were, and charges the gap to the slowest of them. */
#include "barrier/barrier.h"

#include "model/model.h"

void stint_barrier_begin(struct stint_barrier *barrier, enum stint_barrier_kind kind, uint32_t participants,
                         struct stint_barrier_part *parts)
{
    *barrier = (struct stint_barrier){.parts = parts};
    barrier->stat.kind = kind;
    barrier->stat.participants = participants;
    barrier->stat.slowest = parts;
    barrier->stat.slowest_count = participants;
}

/* Charges a finished round to the slowest participant and to the total. */
static void finish_round(struct stint_barrier *barrier, uint32_t slowest, struct stint_barrier_part round)
{
    if (barrier->stat.rounds++) {
        round.rounds = 1;
        round.min_gap_ns = round.max_gap_ns = round.gap_ns;
        stint_barrier_part_add(&barrier->stat.total, &round);
        round.participant = slowest;
        stint_barrier_part_add(&barrier->parts[slowest], &round);
    }
    barrier->stat.pending = 0;
}

static uint64_t gap_between(uint64_t earlier, uint64_t later, int *negative)
{
    if (later >= earlier)
        return later - earlier;
    *negative = 1;
    return 0;
}

static int arrive(struct stint_barrier *barrier, uint32_t id, uint64_t ns)
{
    uint32_t n = barrier->stat.participants;
    uint32_t position = barrier->stat.pending++;
    struct stint_barrier_part round = {0};
    int negative = 0;
    if (position == 0)
        barrier->first_ns = ns;
    if (position == 1)
        barrier->second_ns = ns;
    if (position == n / 2)
        barrier->middle_ns = ns;
    if (position == n - 2)
        barrier->last_but_one_ns = ns;
    if (position < n - 1)
        return 0;
    round.gap_ns = gap_between(barrier->first_ns, ns, &negative);
    round.second_gap_ns = gap_between(barrier->second_ns, ns, &negative);
    round.last_two_gap_ns = gap_between(barrier->last_but_one_ns, ns, &negative);
    round.middle_gap_ns = gap_between(barrier->middle_ns, ns, &negative);
    finish_round(barrier, id, round);
    return negative;
}

static void end_interval(struct stint_barrier *barrier, uint32_t id, uint64_t ns)
{
    int first = barrier->stat.pending++ == 0;
    if (first || ns < barrier->least_ns)
        barrier->least_ns = ns;
    if (first || ns > barrier->greatest_ns) {
        barrier->greatest_ns = ns;
        barrier->slowest = id;
    }
    if (barrier->stat.pending == barrier->stat.participants)
        finish_round(barrier, barrier->slowest,
                     (struct stint_barrier_part){.gap_ns = barrier->greatest_ns - barrier->least_ns});
}

int stint_barrier_add(struct stint_barrier *barrier, uint32_t id, uint64_t ns)
{
    if (barrier->stat.kind == STINT_BARRIER_END)
        return arrive(barrier, id, ns);
    end_interval(barrier, id, ns);
    return 0;
}

void stint_barrier_zero(struct stint_barrier *barrier, enum stint_reset how)
{
    barrier->stat.rounds = 0;
    barrier->stat.total = (struct stint_barrier_part){0};
    for (uint32_t i = 0; i < barrier->stat.participants; i++)
        if (barrier->parts[i].rounds) /* pages that were never written stay unmapped */
            barrier->parts[i] = (struct stint_barrier_part){0};
    if (how == STINT_RESET_ALL)
        barrier->stat.pending = 0;
}
