#include "barrier/barrier.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "memory.h"
#include "stint_test.h"

/* Statistics outlive a test: each uses names of its own, and the last ones fill the table. */

static const int s_sets[2];

static struct stint_barrier_key key_of(int set, const char *name)
{
    return (struct stint_barrier_key){
        .set = &s_sets[set],
        .set_name = set ? "B" : "A",
        .name = name,
        .length = strlen(name),
        .hash = stint_hash(name, strlen(name), 0), /* of both sets, so that only a comparison tells them apart */
    };
}

static struct stint_barrier *add(int set, const char *name, enum stint_barrier_kind kind, int64_t participants)
{
    const struct stint_barrier_key key = key_of(set, name);
    struct stint_barrier *barrier = NULL;
    assert_int_equal(stint_barriers_add(&key, kind, participants, &barrier), STINT_OK);
    return barrier;
}

static struct stint_barrier *find(int set, const char *name)
{
    const struct stint_barrier_key key = key_of(set, name);
    return stint_barriers_find(&key);
}

static void round_of(struct stint_barrier *barrier, uint32_t slowest)
{
    for (uint32_t turn = 1; turn <= barrier->stat.participants; ++turn)
        stint_barrier_add(barrier, (slowest + turn) % barrier->stat.participants, turn);
}

static const struct stint_barrier_stat *row_of(const struct stint_snapshot *snapshot, const char *set, const char *name)
{
    for (size_t i = 0; i < snapshot->barrier_count; ++i)
        if (!strcmp(snapshot->barriers[i].set, set) && !strcmp(snapshot->barriers[i].name, name))
            return &snapshot->barriers[i];
    fail_msg("no barrier %s/%s", set, name);
    return NULL;
}

static struct stint_snapshot *collect(int emergency)
{
    const struct stint_process process = {.command = "", .host = "", .clock = ""};
    const struct stint_dropped dropped = {0};
    struct stint_builder builder;
    stint_builder_begin(&builder);
    stint_barriers_collect(&builder, emergency);
    struct stint_snapshot *snapshot = stint_builder_end(&builder, &process, &dropped);
    assert_non_null(snapshot);
    return snapshot;
}

TEST(a_statistic_is_found_by_set_and_name)
{
    struct stint_barrier *const a = add(0, "found", STINT_BARRIER_END, 3);
    struct stint_barrier *const b = add(1, "found", STINT_BARRIER_DELTA, 4);
    assert_ptr_equal(find(0, "found"), a);
    assert_ptr_equal(find(1, "found"), b);
    assert_null(find(0, "foun"));
    assert_string_equal(a->stat.set, "A");
    assert_string_equal(b->stat.name, "found");
    assert_int_equal(b->stat.kind, STINT_BARRIER_DELTA);
    assert_int_equal(b->stat.participants, 4);
}

TEST(the_name_is_copied)
{
    char name[] = "copied";
    add(0, name, STINT_BARRIER_END, 3);
    memset(name, 'x', strlen(name));
    assert_non_null(find(0, "copied"));
}

TEST(numbers_of_one_set_are_zeroed_or_of_all)
{
    struct stint_barrier *const a = add(0, "zeroed", STINT_BARRIER_END, 3);
    struct stint_barrier *const b = add(1, "zeroed", STINT_BARRIER_END, 3);
    round_of(a, 0);
    round_of(b, 0);
    stint_barriers_zero(&s_sets[0], STINT_RESET_ALL);
    assert_int_equal(a->stat.rounds, 0);
    assert_int_equal(b->stat.rounds, 1);
    stint_barriers_zero(NULL, STINT_RESET_ALL);
    assert_int_equal(b->stat.rounds, 0);
}

TEST(rounds_under_way_are_dropped_and_numbers_kept)
{
    struct stint_barrier *const barrier = add(0, "dropped", STINT_BARRIER_END, 3);
    round_of(barrier, 0);
    stint_barrier_add(barrier, 0, 1);
    stint_barriers_drop_rounds();
    assert_int_equal(barrier->stat.pending, 0);
    assert_int_equal(barrier->stat.rounds, 1);
}

TEST(a_snapshot_holds_who_was_the_slowest)
{
    struct stint_barrier *const barrier = add(0, "collected", STINT_BARRIER_END, 5);
    const uint32_t slowest[] = {4, 3, 1, 3, 1, 3}; /* the first does not count */
    for (size_t i = 0; i < TEST_COUNT(slowest); ++i)
        round_of(barrier, slowest[i]);
    stint_barrier_add(barrier, 2, 1);
    struct stint_snapshot *snapshot = collect(0);
    const struct stint_barrier_stat *row = row_of(snapshot, "A", "collected");
    assert_int_equal(row->rounds, 6);
    assert_int_equal(row->pending, 1);
    assert_int_equal(row->total.rounds, 5);
    assert_int_equal(row->total.gap_ns, 5 * 4);
    assert_int_equal(row->slowest_count, 2);
    assert_int_equal(row->slowest[0].participant, 3);
    assert_int_equal(row->slowest[0].rounds, 3);
    assert_int_equal(row->slowest[1].participant, 1);
    assert_int_equal(row->slowest[1].rounds, 2);
    stint_snapshot_free(snapshot);
}

TEST(in_an_emergency_the_lock_is_not_waited_for)
{
    add(0, "emergency", STINT_BARRIER_END, 3);
    stint_barriers_lock();
    struct stint_snapshot *snapshot = collect(1);
    stint_barriers_unlock();
    row_of(snapshot, "A", "emergency");
    stint_snapshot_free(snapshot);
}

TEST(too_few_and_too_many_participants_are_refused)
{
    const int64_t wrong[] = {INT64_MIN, -1, 0, 1, 2, STINT_MAX_PARTICIPANTS + 1, INT64_MAX};
    const struct stint_barrier_key key = key_of(0, "participants");
    struct stint_barrier *barrier = NULL;
    for (size_t i = 0; i < TEST_COUNT(wrong); ++i)
        assert_int_equal(stint_barriers_add(&key, STINT_BARRIER_END, wrong[i], &barrier), STINT_ERROR_LIMIT);
    assert_null(find(0, "participants"));
    barrier = add(0, "participants", STINT_BARRIER_END, STINT_MAX_PARTICIPANTS);
    round_of(barrier, STINT_MAX_PARTICIPANTS - 1);
    round_of(barrier, STINT_MAX_PARTICIPANTS - 1);
    assert_int_equal(barrier->parts[STINT_MAX_PARTICIPANTS - 1].rounds, 1);
}

TEST(without_memory_a_statistic_is_refused_and_may_come_later)
{
    const struct stint_barrier_key key = key_of(0, "memory");
    long refusals = 0;
    for (long calls = 0;; ++calls, ++refusals) {
        struct stint_barrier *barrier = NULL;
        memory_fail_after(calls);
        enum stint_status status = stint_barriers_add(&key, STINT_BARRIER_END, STINT_MAX_PARTICIPANTS, &barrier);
        if (!memory_recover()) {
            assert_int_equal(status, STINT_OK);
            assert_non_null(barrier->parts);
            break;
        }
        assert_int_equal(status, STINT_ERROR_NO_MEMORY);
        assert_null(find(0, "memory"));
    }
    assert_true(refusals > 0);
}

TEST(a_full_table_refuses)
{
    const struct stint_barrier_key key = key_of(0, "one more");
    struct stint_barrier *barrier = NULL;
    enum stint_status status = STINT_OK;
    for (int i = 0; !status && i <= STINT_MAX_BARRIERS; ++i) {
        char name[32];
        (void)snprintf(name, sizeof name, "fill %d", i);
        struct stint_barrier_key next = key_of(0, name);
        status = stint_barriers_add(&next, STINT_BARRIER_END, 3, &barrier);
    }
    assert_int_equal(status, STINT_ERROR_LIMIT);
    assert_int_equal(stint_barriers_add(&key, STINT_BARRIER_END, 3, &barrier), STINT_ERROR_LIMIT);
    struct stint_snapshot *snapshot = collect(0);
    assert_int_equal(snapshot->barrier_count, STINT_MAX_BARRIERS);
    stint_snapshot_free(snapshot);
}
