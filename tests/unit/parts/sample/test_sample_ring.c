/* Samples that wait to be written: src/parts/sample/sample_ring.c. */
#include <pthread.h>

#include "sample/call_tree.h"
#include "stint_test.h"

enum { THREADS = 4, EACH = 50000, AT_ONCE = 100 };

static struct stint_waiting_sample s_samples[STINT_SAMPLE_RING_MOST];

static int start(void **state)
{
    stint_sample_ring_after_fork(); /* forgets those of the test before */
    return stint_sample_ring_start();
}

static void add(int64_t tid, uint64_t number)
{
    stint_sample_ring_add(&(struct stint_waiting_sample){.ticks = number, .time_ns = 2 * number, .tid = tid});
}

TEST_EACH(start, NULL)

TEST(are_taken_in_their_order)
{
    uint64_t lost = 0;
    assert_int_equal(stint_sample_ring_take(s_samples, AT_ONCE, &lost), 0);
    for (uint64_t i = 0; i < 5; i++)
        add(1, i);
    assert_int_equal(stint_sample_ring_waiting(), 5);
    assert_int_equal(stint_sample_ring_take(s_samples, 3, &lost), 3);
    assert_int_equal(s_samples[2].ticks, 2);
    assert_int_equal(s_samples[2].time_ns, 4);
    assert_int_equal(stint_sample_ring_take(s_samples, 3, &lost), 2);
    assert_int_equal(s_samples[1].ticks, 4);
    assert_int_equal(stint_sample_ring_waiting() + lost, 0);
}

TEST(without_room_they_are_counted)
{
    uint64_t lost = 0;
    for (uint64_t round = 0; round < 3; round++) { /* the ring is used again */
        for (uint64_t i = 0; i < STINT_SAMPLE_RING_MOST + 7; i++)
            add(1, i);
        assert_int_equal(stint_sample_ring_take(s_samples, STINT_SAMPLE_RING_MOST, &lost), STINT_SAMPLE_RING_MOST);
        assert_int_equal(s_samples[STINT_SAMPLE_RING_MOST - 1].ticks, STINT_SAMPLE_RING_MOST - 1);
        assert_int_equal(lost, 7 * (round + 1));
    }
}

static void *add_many(void *tid)
{
    for (uint64_t i = 1; i <= EACH; i++)
        add(*(int64_t *)tid, i);
    return NULL;
}

/* Takes what there is. Those of a thread come in its order. Returns how many there were. */
static uint64_t take_some(uint64_t *last, uint64_t *lost)
{
    size_t count = stint_sample_ring_take(s_samples, AT_ONCE, lost);
    for (size_t i = 0; i < count; i++) {
        assert_true(s_samples[i].ticks > last[s_samples[i].tid]);
        assert_int_equal(s_samples[i].time_ns, 2 * s_samples[i].ticks);
        last[s_samples[i].tid] = s_samples[i].ticks;
    }
    return count;
}

TEST(threads_add_while_one_takes)
{
    pthread_t threads[THREADS];
    int64_t tids[THREADS];
    uint64_t last[THREADS] = {0}, lost = 0, taken = 0, some;
    for (int i = 0; i < THREADS; i++) {
        tids[i] = i;
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, &tids[i]), 0);
    }
    for (int i = 0; i < 1000; i++)
        taken += take_some(last, &lost);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    while ((some = take_some(last, &lost)) > 0)
        taken += some;
    assert_int_equal(taken + lost, THREADS * EACH);
    assert_true(taken >= STINT_SAMPLE_RING_MOST);
}

TEST(a_child_begins_without)
{
    uint64_t lost = 0;
    for (uint64_t i = 0; i < STINT_SAMPLE_RING_MOST + 1; i++)
        add(1, i);
    stint_sample_ring_after_fork();
    assert_int_equal(stint_sample_ring_waiting(), 0);
    assert_int_equal(stint_sample_ring_take(s_samples, AT_ONCE, &lost) + lost, 0);
    add(2, 9);
    assert_int_equal(stint_sample_ring_take(s_samples, AT_ONCE, &lost), 1);
    assert_int_equal(s_samples[0].ticks, 9);
}
