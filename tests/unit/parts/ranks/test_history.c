/* Since when a statistic is slower than it was. */
#include "ranks/ranks.h"
#include "stint_test.h"

enum { MS = 1000000 };

/* A run of iterations of which each takes some time; notes are taken as the history asks for them. */
struct run {
    struct stint_history history;
    struct stint_stat stat;
    uint64_t now_ns;
    uint64_t next_ns;
    size_t notes;
};

static void note(struct run *run)
{
    const struct stint_snapshot snapshot = {.process.wall_ns = run->now_ns, .stats = &run->stat, .stat_count = 1};
    stint_history_note(&run->history, &snapshot);
    run->next_ns = run->now_ns + run->history.interval_ns;
    run->notes++;
}

static void iterate(struct run *run, size_t count, uint64_t ns, uint64_t noise_ns, uint64_t *seed)
{
    run->stat.set = "GlobalStatInfo";
    run->stat.name = "compute";
    for (size_t i = 0; i < count; i++) {
        uint64_t took = ns + (noise_ns ? test_random(seed) % noise_ns : 0);
        run->stat.numbers.count++;
        run->stat.numbers.self_ns += took;
        run->now_ns += took + MS;
        if (run->now_ns >= run->next_ns)
            note(run);
    }
}

static int find(const struct run *run, struct stint_drift *drift)
{
    return stint_history_drift(&run->history, "GlobalStatInfo", "compute", drift);
}

TEST(a_change_has_its_time)
{
    struct run run = {.now_ns = 0};
    struct stint_drift drift;
    uint64_t seed = 1;
    iterate(&run, 50, 10 * MS, 2 * MS, &seed);
    uint64_t change_ns = run.now_ns;
    iterate(&run, 50, 20 * MS, 2 * MS, &seed);
    assert_int_equal(find(&run, &drift), 0);
    assert_true(drift.since_ns > change_ns - 100 * MS && drift.since_ns < change_ns + 100 * MS);
    assert_true(drift.before_ns > 10 * MS && drift.before_ns < 12 * MS);
    assert_true(drift.after_ns > 20 * MS && drift.after_ns < 22 * MS);
    assert_true(drift.lost_ns > 450 * (uint64_t)MS && drift.lost_ns < 550 * (uint64_t)MS);
    stint_history_free(&run.history);
}

TEST(a_long_run_takes_few_notes)
{
    struct run run = {.now_ns = 0};
    struct stint_drift drift;
    uint64_t seed = 1;
    iterate(&run, 600000, 10 * MS, 2 * MS, &seed); /* two hours */
    uint64_t change_ns = run.now_ns;
    iterate(&run, 300000, 13 * MS, 2 * MS, &seed);
    assert_true(run.notes < 1000);
    assert_int_equal(find(&run, &drift), 0);
    assert_true(drift.since_ns > change_ns - run.now_ns / 16 && drift.since_ns < change_ns + run.now_ns / 16);
    stint_history_free(&run.history);
}

TEST(noise_is_no_change)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < 300; i++) {
        struct run run = {.now_ns = 0};
        struct stint_drift drift;
        iterate(&run, 200, 5 * MS, 10 * MS, &seed);
        assert_int_equal(find(&run, &drift), -1);
        stint_history_free(&run.history);
    }
}

TEST(what_passes_is_no_change)
{
    struct run run = {.now_ns = 0};
    struct stint_drift drift;
    uint64_t seed = 1;
    iterate(&run, 50, 10 * MS, 2 * MS, &seed);
    iterate(&run, 3, 200 * MS, 0, &seed);
    iterate(&run, 50, 10 * MS, 2 * MS, &seed);
    assert_int_equal(find(&run, &drift), -1);
    stint_history_free(&run.history);
}

TEST(becoming_faster_is_not_slow)
{
    struct run run = {.now_ns = 0};
    struct stint_drift drift;
    uint64_t seed = 1;
    iterate(&run, 50, 20 * MS, 2 * MS, &seed);
    iterate(&run, 50, 10 * MS, 2 * MS, &seed);
    assert_int_equal(find(&run, &drift), -1);
    assert_int_equal(stint_history_drift(&run.history, "GlobalStatInfo", "unknown", &drift), -1);
    stint_history_free(&run.history);
}

/* What is taken off for recording is an estimate, which differs from note to note. */
TEST(a_self_time_that_falls_is_no_reset)
{
    struct run run = {.now_ns = 0};
    struct stint_drift drift;
    uint64_t seed = 1;
    for (size_t i = 0; i < 100; i++) {
        iterate(&run, 1, i < 50 ? 10 * MS : 20 * MS, 2 * MS, &seed);
        run.stat.numbers.self_ns -= 3;
        run.now_ns += 10 * MS;
        note(&run);
    }
    assert_int_equal(find(&run, &drift), 0);
    stint_history_free(&run.history);
}

TEST(a_reset_begins_anew)
{
    struct run run = {.now_ns = 0};
    struct stint_drift drift;
    uint64_t seed = 1;
    iterate(&run, 50, 10 * MS, 2 * MS, &seed);
    run.stat.numbers.count = run.stat.numbers.self_ns = 0;
    iterate(&run, 50, 20 * MS, 2 * MS, &seed);
    assert_int_equal(find(&run, &drift), -1);
    stint_history_free(&run.history);
}
