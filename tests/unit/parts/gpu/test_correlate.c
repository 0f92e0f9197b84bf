#include "gpu/correlate.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contexts/contexts.h"
#include "memory.h"
#include "stint_test.h"

enum { SLOTS = 1 << 20 };

static int start(void **state)
{
    stint_correlate_forget();
    return stint_correlate_start(1);
}

static uint64_t ticks_of(uint32_t correlation)
{
    uint64_t ticks = 77;
    stint_correlate_get(correlation, &ticks);
    return ticks;
}

/* Must run first: the table is made once. */
TEST(nothing_is_known_before_the_start)
{
    stint_correlate_put(1, 5, 1);
    stint_correlate_forget();
    assert_int_equal(stint_correlate_get(1, NULL), STINT_PATH_NONE);
    assert_int_equal(ticks_of(1), 0);
}

TEST(without_memory_the_start_fails_and_can_be_repeated)
{
    memory_fail_after(0);
    assert_int_equal(stint_correlate_start(0), -1);
    assert_int_equal(memory_recover(), 1);
    stint_correlate_put(1, 5, 1);
    assert_int_equal(stint_correlate_get(1, NULL), STINT_PATH_NONE);
    assert_int_equal(stint_correlate_start(0), 0);
}

/* Follows the one above. */
TEST(times_can_be_added_later)
{
    const long calls = memory_calls();
    stint_correlate_put(3, 5, 1000);
    assert_int_equal(ticks_of(3), 0);
    assert_int_equal(stint_correlate_start(1), 0);
    assert_int_equal(memory_calls(), calls + 1);
    assert_int_equal(stint_correlate_get(3, NULL), 5);
    stint_correlate_put(3, 6, 2000);
    assert_int_equal(ticks_of(3), 2000);
    assert_int_equal(stint_correlate_start(1), 0);
    assert_int_equal(stint_correlate_start(0), 0);
    assert_int_equal(memory_calls(), calls + 1);
}

TEST_SETUP(a_launch_is_found_as_often_as_it_is_looked_up, start)
{
    stint_correlate_put(150, 9, 4000);
    for (int node = 0; node < 1000; ++node) {
        uint64_t ticks = 0;
        assert_int_equal(stint_correlate_get(150, &ticks), 9);
        assert_int_equal(ticks, 4000);
    }
}

TEST_SETUP(an_unknown_id_is_unattributed, start)
{
    stint_correlate_put(10, 9, 4000);
    assert_int_equal(stint_correlate_get(11, NULL), STINT_PATH_NONE);
    assert_int_equal(ticks_of(11), 0);
}

TEST_SETUP(id_0_is_none, start)
{
    stint_correlate_put(0, 9, 4000);
    assert_int_equal(stint_correlate_get(0, NULL), STINT_PATH_NONE);
    assert_int_equal(ticks_of(0), 0);
}

TEST_SETUP(a_launch_takes_the_slot_of_the_one_that_was_2_to_20_before, start)
{
    for (uint32_t id = 7; id < 7 + SLOTS; ++id)
        stint_correlate_put(id, id, id);
    assert_int_equal(stint_correlate_get(7, NULL), 7); /* the last moment */
    stint_correlate_put(7 + SLOTS, 99, 99);
    assert_int_equal(stint_correlate_get(7, NULL), STINT_PATH_NONE);
    assert_int_equal(ticks_of(7), 0);
    assert_int_equal(stint_correlate_get(7 + SLOTS, NULL), 99);
    assert_int_equal(stint_correlate_get(8, NULL), 8);
}

TEST_SETUP(of_an_id_used_again_the_last_launch_counts, start)
{
    stint_correlate_put(UINT32_MAX, 5, 1);
    stint_correlate_put(1, 6, 2);
    stint_correlate_put(UINT32_MAX, 7, 3); /* 2^32 launches later */
    assert_int_equal(stint_correlate_get(UINT32_MAX, NULL), 7);
    assert_int_equal(ticks_of(UINT32_MAX), 3);
    assert_int_equal(stint_correlate_get(1, NULL), 6);
}

TEST_SETUP(ids_and_paths_may_have_all_bits_set, start)
{
    stint_correlate_put(UINT32_MAX, STINT_CORRELATE_LAUNCH | STINT_PATH_HELD, UINT64_MAX);
    assert_int_equal(stint_correlate_get(UINT32_MAX, NULL), STINT_PATH_HELD);
    assert_true(ticks_of(UINT32_MAX) == UINT64_MAX);
    assert_int_equal(stint_correlate_get(UINT32_MAX % SLOTS, NULL), STINT_PATH_NONE);
}

TEST_SETUP(a_launch_without_path_is_unattributed, start)
{
    stint_correlate_put(5, STINT_PATH_NONE, 1);
    assert_int_equal(stint_correlate_get(5, NULL), STINT_PATH_NONE);
}

static uint32_t s_missing[8], s_missing_count;

static void note_missing(uint32_t path)
{
    assert_true(s_missing_count < TEST_COUNT(s_missing));
    s_missing[s_missing_count++] = path;
}

TEST_SETUP(launches_without_a_record_are_told_once, start)
{
    s_missing_count = 0;
    stint_correlate_put(3, STINT_CORRELATE_LAUNCH | 5, 1);
    stint_correlate_put(4, STINT_CORRELATE_LAUNCH | 6, 1);
    stint_correlate_put(5, STINT_CORRELATE_LAUNCH | STINT_PATH_NONE, 1);
    stint_correlate_put(6, 7, 1); /* a wait, or a copy of 0 bytes */
    assert_int_equal(stint_correlate_get(4, NULL), 6);
    assert_int_equal(stint_correlate_get(4, NULL), 6);
    stint_correlate_missing(note_missing);
    assert_int_equal(s_missing_count, 2);
    assert_int_equal(s_missing[0], 5);
    assert_int_equal(s_missing[1], STINT_PATH_NONE);
    stint_correlate_missing(note_missing);
    assert_int_equal(s_missing_count, 2);
    assert_int_equal(stint_correlate_get(3, NULL), 5); /* a record that comes late */
}

TEST_SETUP(forgetting_forgets_all, start)
{
    for (uint32_t id = 1; id < SLOTS; id += 1000)
        stint_correlate_put(id, 5, 1);
    stint_correlate_forget();
    for (uint32_t id = 1; id < SLOTS; id += 1000)
        assert_int_equal(stint_correlate_get(id, NULL), STINT_PATH_NONE);
    stint_correlate_put(9, 5, 1);
    assert_int_equal(stint_correlate_get(9, NULL), 5);
}

TEST_SETUP(what_a_forked_child_forgets_its_parent_keeps, start)
{
    int status;
    stint_correlate_put(9, 5, 1);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        stint_correlate_forget();
        _exit(stint_correlate_get(9, NULL) == STINT_PATH_NONE ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(stint_correlate_get(9, NULL), 5);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

enum { LAUNCHES = TEST_UNDER_TSAN ? 100000 : 300000, THREADS = 3 }; /* fewer than slots, all together */

struct launcher {
    pthread_t thread;
    uint32_t first;
    uint32_t last; /* launched */
    uint32_t wrong;
};

/* Every id has one path and one time, so that a reader can tell a mixture. */
static void *launch(void *argument)
{
    struct launcher *launcher = argument;
    for (uint32_t i = 0; i < LAUNCHES; ++i) {
        const uint32_t id = launcher->first + i * THREADS;
        stint_correlate_put(id, id * 3, (uint64_t)id * 7);
        __atomic_store_n(&launcher->last, id, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void *look_up(void *argument)
{
    struct launcher *launcher = argument;
    uint32_t id;
    do {
        uint64_t ticks = 0;
        id = __atomic_load_n(&launcher->last, __ATOMIC_ACQUIRE);
        uint32_t path = stint_correlate_get(id, &ticks);
        if (id && (path != id * 3 || (ticks && ticks != (uint64_t)id * 7)))
            ++launcher->wrong;
    } while (id != launcher->first + (LAUNCHES - 1) * THREADS);
    return NULL;
}

TEST_SETUP(launches_of_several_threads_are_never_mixed_up, start)
{
    struct launcher launchers[THREADS] = {{.first = 1}, {.first = 2}, {.first = 3}};
    pthread_t readers[THREADS];
    for (size_t i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_create(&launchers[i].thread, NULL, launch, &launchers[i]), 0);
        assert_int_equal(pthread_create(&readers[i], NULL, look_up, &launchers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; ++i) {
        assert_int_equal(pthread_join(launchers[i].thread, NULL), 0);
        assert_int_equal(pthread_join(readers[i], NULL), 0);
    }
    for (size_t i = 0; i < THREADS; ++i)
        assert_int_equal(launchers[i].wrong, 0);
}

enum { ROUNDS = 100, SAME_SLOT = 4000 }; /* ids for one slot, of 4096 that there are */

/* No id comes twice in a round: 2^32 launches may not pass while one is looked up. */
static void *share_slot(void *argument)
{
    for (uint32_t i = 1; i <= SAME_SLOT; ++i) {
        stint_correlate_put(i * SLOTS, i * 3, i * 7);
        __atomic_store_n((uint32_t *)argument, i, __ATOMIC_RELEASE);
    }
    return NULL;
}

static int is_mixture(uint32_t i)
{
    uint64_t ticks = 0;
    const uint32_t path = stint_correlate_get(i * SLOTS, &ticks);
    return (path != STINT_PATH_NONE && path != i * 3) || (ticks && ticks != i * 7);
}

TEST_SETUP(ticks_are_never_those_of_another_launch_in_the_slot, start)
{
    int wrong = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        uint32_t last = 0, i;
        pthread_t writer;
        stint_correlate_forget();
        assert_int_equal(pthread_create(&writer, NULL, share_slot, &last), 0);
        do {
            i = __atomic_load_n(&last, __ATOMIC_ACQUIRE);
            wrong += is_mixture(i);
        } while (i < SAME_SLOT);
        assert_int_equal(pthread_join(writer, NULL), 0);
    }
    assert_int_equal(wrong, 0);
}

/* Two ticks are a nanosecond, and CUPTI's clock is 10 000 ns ahead. */
static uint64_t s_ticks;

uint64_t __wrap_stint_clock_ticks(void)
{
    return s_ticks;
}

double __wrap_stint_clock_ns_per_tick(void)
{
    return 0.5;
}

static void change(uint64_t ns, int held)
{
    s_ticks = 2 * ns;
    stint_pause_note(held);
}

static int is_held(uint64_t ns)
{
    return stint_pause_at(10000 + ns);
}

/* What happens in one after the other: the changes are the process'. */
TEST(test_times_between_changes_are_held_or_not)
{
    assert_false(is_held(5));
    change(10, 0);
    assert_false(is_held(5));
    change(100, 1);
    change(150, 1);
    stint_pause_align(2000, 11000);
    assert_false(is_held(5));
    assert_false(is_held(99));
    assert_true(is_held(100));
    assert_true(is_held(1000000));
    change(200, 0);
    assert_true(is_held(199));
    assert_false(is_held(200));
    assert_false(is_held(0));
}

TEST(test_changes_long_ago_are_forgotten)
{
    for (uint64_t i = 0; i < STINT_PAUSES; ++i)
        change(1000 + 10 * i, i % 2 == 0);
    assert_false(is_held(150));
    assert_false(is_held(999));
    assert_true(is_held(1005));
    assert_false(is_held(1015));
    assert_true(is_held(1000 + 10 * (STINT_PAUSES - 2)));
    assert_false(is_held(1000 + 10 * (STINT_PAUSES - 1)));
    change(1000000, 1);
    assert_true(is_held(1005));
    assert_true(is_held(5));
    assert_false(is_held(1015));
}
