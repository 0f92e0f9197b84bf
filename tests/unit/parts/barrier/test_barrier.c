#include "barrier/barrier.h"

#include <string.h>

#include "stint_test.h"

enum { MS = 1000000, MOST = 16 };

/* Begins the statistic under test; there is one at a time. */
static struct stint_barrier *begin(enum stint_barrier_kind kind, uint32_t participants)
{
    static struct stint_barrier barrier;
    static struct stint_barrier_part parts[MOST];
    memset(parts, 0, sizeof parts);
    stint_barrier_begin(&barrier, kind, participants, parts);
    return &barrier;
}

/* One round in the order of ids, at these times or with these durations. Returns 1 if a gap was below zero. */
static int round_of(struct stint_barrier *barrier, const uint64_t *ns)
{
    int negative = 0;
    for (uint32_t id = 0; id < barrier->stat.participants; ++id)
        negative += stint_barrier_add(barrier, id, ns[id]);
    return negative;
}

static void check_part(const struct stint_barrier_part *part, struct stint_barrier_part expected)
{
    assert_int_equal(part->participant, expected.participant);
    assert_int_equal(part->rounds, expected.rounds);
    assert_int_equal(part->gap_ns, expected.gap_ns);
    assert_int_equal(part->min_gap_ns, expected.min_gap_ns);
    assert_int_equal(part->max_gap_ns, expected.max_gap_ns);
    assert_int_equal(part->second_gap_ns, expected.second_gap_ns);
    assert_int_equal(part->last_two_gap_ns, expected.last_two_gap_ns);
    assert_int_equal(part->middle_gap_ns, expected.middle_gap_ns);
}

/* Ten threads, ten rounds, thread i comes i times 10 ms late. */
TEST(ten_that_come_10_ms_apart_have_gaps_of_90_80_10_and_40_ms)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_END, 10);
    const struct stint_barrier_part all = {0, 9, 810 * MS, 90 * MS, 90 * MS, 720 * MS, 90 * MS, 360 * MS};
    struct stint_barrier_part nine = all;
    for (uint64_t round = 0; round < 10; ++round)
        for (uint32_t id = 0; id < 10; ++id)
            assert_int_equal(stint_barrier_add(barrier, id, 1000 * MS * round + 10 * MS * id), 0);
    assert_int_equal(barrier->stat.rounds, 10);
    assert_int_equal(barrier->stat.pending, 0);
    check_part(&barrier->stat.total, all);
    nine.participant = 9;
    check_part(&barrier->parts[9], nine);
    for (int id = 0; id < 9; ++id)
        assert_int_equal(barrier->parts[id].rounds, 0);
}

TEST(first_round_is_counted_and_discarded)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_END, 3);
    round_of(barrier, (uint64_t[]){0, 5, 100});
    assert_int_equal(barrier->stat.rounds, 1);
    check_part(&barrier->stat.total, (struct stint_barrier_part){0});
    check_part(&barrier->parts[2], (struct stint_barrier_part){0});
    round_of(barrier, (uint64_t[]){0, 5, 7});
    assert_int_equal(barrier->stat.rounds, 2);
    check_part(&barrier->stat.total, (struct stint_barrier_part){0, 1, 7, 7, 7, 2, 2, 2});
}

TEST(middle_is_number_n_half_counted_from_0)
{
    const uint64_t times[] = {0, 1, 10, 100, 1000, 10000};
    const uint64_t middle[] = {10 - 1, 100 - 10, 1000 - 10, 10000 - 100}; /* of 3, 4, 5 and 6 */
    for (uint32_t n = 3; n <= 6; ++n) {
        struct stint_barrier *barrier = begin(STINT_BARRIER_END, n);
        round_of(barrier, times);
        round_of(barrier, times);
        assert_int_equal(barrier->stat.total.middle_gap_ns, middle[n - 3]);
    }
}

TEST(last_to_arrive_is_blamed_whoever_it_is)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_END, 3);
    for (uint32_t round = 0; round < 8; ++round)
        for (uint32_t turn = 1; turn <= 3; ++turn)
            stint_barrier_add(barrier, (round + turn) % 3, 10 * round + turn * turn);
    assert_int_equal(barrier->parts[0].rounds, 2); /* rounds 3 and 6, of 1 to 7 */
    assert_int_equal(barrier->parts[1].rounds, 3);
    assert_int_equal(barrier->parts[2].rounds, 2);
    check_part(&barrier->parts[1], (struct stint_barrier_part){1, 3, 24, 8, 8, 15, 15, 15});
}

TEST(least_and_greatest_gap_are_kept)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_END, 3);
    round_of(barrier, (uint64_t[]){0, 0, 1});
    round_of(barrier, (uint64_t[]){0, 0, 50});
    round_of(barrier, (uint64_t[]){0, 0, 20});
    round_of(barrier, (uint64_t[]){0, 0, 70});
    assert_int_equal(barrier->stat.total.min_gap_ns, 20);
    assert_int_equal(barrier->stat.total.max_gap_ns, 70);
    assert_int_equal(barrier->parts[2].min_gap_ns, 20);
    assert_int_equal(barrier->parts[2].max_gap_ns, 70);
}

TEST(gaps_below_zero_count_as_0_and_are_told)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_END, 4);
    assert_int_equal(round_of(barrier, (uint64_t[]){1, 2, 3, 4}), 0);
    assert_int_equal(round_of(barrier, (uint64_t[]){100, 50, 120, 90}), 1);
    check_part(&barrier->stat.total, (struct stint_barrier_part){0, 1, 0, 0, 0, 40, 0, 0});
}

TEST(duration_gap_is_from_the_shortest_to_the_longest_whose_owner_is_blamed)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_DELTA, 4);
    round_of(barrier, (uint64_t[]){1, 2, 3, 4000});
    round_of(barrier, (uint64_t[]){300, 1000, 200, 400});
    round_of(barrier, (uint64_t[]){300, 700, 250, 400});
    assert_int_equal(barrier->stat.rounds, 3);
    check_part(&barrier->stat.total, (struct stint_barrier_part){0, 2, 1250, 450, 800, 0, 0, 0});
    check_part(&barrier->parts[1], (struct stint_barrier_part){1, 2, 1250, 450, 800, 0, 0, 0});
}

TEST(of_equal_durations_the_first_is_blamed_zeros_too)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_DELTA, 3);
    round_of(barrier, (uint64_t[]){0, 0, 9});
    for (int i = 0; i < 2; ++i)
        for (uint32_t turn = 0; turn < 3; ++turn)
            stint_barrier_add(barrier, 2 - turn, 0);
    assert_int_equal(barrier->parts[2].rounds, 2);
    check_part(&barrier->stat.total, (struct stint_barrier_part){0, 2, 0, 0, 0, 0, 0, 0});
}

TEST(reset_drops_the_round_under_way_if_told)
{
    struct stint_barrier *barrier = begin(STINT_BARRIER_END, 3);
    round_of(barrier, (uint64_t[]){0, 1, 2});
    round_of(barrier, (uint64_t[]){0, 1, 2});
    stint_barrier_add(barrier, 0, 10);
    stint_barrier_zero(barrier, STINT_RESET_ALL);
    assert_int_equal(barrier->stat.pending, 0);
    assert_int_equal(barrier->stat.rounds, 0);
    check_part(&barrier->stat.total, (struct stint_barrier_part){0});
    check_part(&barrier->parts[2], (struct stint_barrier_part){0});
    stint_barrier_add(barrier, 1, 20);
    stint_barrier_add(barrier, 2, 30);
    assert_int_equal(barrier->stat.rounds, 0);
}

TEST(reset_may_keep_the_round_under_way_which_then_is_the_first)
{
    for (enum stint_barrier_kind kind = STINT_BARRIER_END; kind <= STINT_BARRIER_DELTA; ++kind) {
        struct stint_barrier *barrier = begin(kind, 3);
        round_of(barrier, (uint64_t[]){0, 1, 2});
        stint_barrier_add(barrier, 0, 10);
        stint_barrier_zero(barrier, STINT_RESET_KEEP_RUNNING);
        assert_int_equal(barrier->stat.pending, 1);
        stint_barrier_add(barrier, 1, 20);
        stint_barrier_add(barrier, 2, 30);
        assert_int_equal(barrier->stat.rounds, 1);
        assert_int_equal(barrier->stat.total.rounds, 0);
        round_of(barrier, (uint64_t[]){0, 1, 2});
        assert_int_equal(barrier->stat.total.rounds, 1);
    }
}
