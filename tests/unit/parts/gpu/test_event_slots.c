#include "gpu/timeline.h"

#include <pthread.h>
#include <string.h>

#include "memory.h"
#include "record/registry.h"
#include "stint_test.h"

enum { EVENTS = 1000 };

static int start(void **state)
{
    stint_dropped = (struct stint_dropped){0};
    stint_trace_forget();
    return stint_trace_start(EVENTS);
}

/* Traces an event all of whose fields say `value`. Returns whether there was room. */
static int trace(uint64_t value)
{
    uint64_t generation;
    struct stint_trace_event *slot = stint_trace_take(&generation);
    if (!slot)
        return 0;
    slot->launch = value;
    slot->event = (struct stint_gpu_event){
        .start_ns = value, .end_ns = value, .context = value, .bytes = value, .graph_node = value};
    stint_trace_publish(slot, generation);
    return 1;
}

/* Returns the value, or UINT64_MAX of a mixture. */
static uint64_t value_of(const struct stint_trace_event *traced)
{
    const uint64_t value = traced->launch;
    const struct stint_gpu_event *event = &traced->event;
    return event->start_ns == value && event->end_ns == value && event->context == value && event->bytes == value &&
                   event->graph_node == value
               ? value
               : UINT64_MAX;
}

static size_t readable(void)
{
    struct stint_trace_event event;
    size_t count = 0;
    for (size_t i = 0; i < stint_trace_slots(); ++i)
        count += (size_t)stint_trace_read(i, &event);
    return count;
}

/* Must run first: the trace is made once. */
TEST(without_a_trace_nothing_is_kept_or_counted)
{
    assert_int_equal(stint_trace_start(0), 0);
    assert_false(stint_trace_is_on());
    assert_false(trace(1));
    assert_int_equal(stint_trace_slots(), 0);
    assert_int_equal(stint_dropped.gpu_events, 0);
}

TEST(without_memory_the_start_fails_and_can_be_repeated)
{
    memory_fail_after(0);
    assert_int_equal(stint_trace_start(EVENTS), -1);
    memory_recover();
    assert_false(stint_trace_is_on());
    assert_int_equal(stint_trace_start(EVENTS), 0);
    assert_true(stint_trace_is_on());
}

TEST_SETUP(the_first_events_are_kept_and_the_others_counted, start)
{
    struct stint_trace_event event;
    for (uint64_t i = 0; i < EVENTS + 30; ++i)
        assert_int_equal(trace(i), i < EVENTS);
    assert_int_equal(stint_trace_slots(), EVENTS);
    assert_int_equal(stint_dropped.gpu_events, 30);
    for (size_t i = 0; i < EVENTS; ++i) {
        assert_true(stint_trace_read(i, &event));
        assert_int_equal(value_of(&event), i);
    }
}

TEST_SETUP(an_event_is_not_read_before_it_is_published, start)
{
    struct stint_trace_event *slot, event;
    uint64_t generation;
    trace(1);
    slot = stint_trace_take(&generation);
    trace(2);
    assert_int_equal(stint_trace_slots(), 3);
    assert_true(stint_trace_read(0, &event));
    assert_false(stint_trace_read(1, &event));
    assert_true(stint_trace_read(2, &event));
    stint_trace_publish(slot, generation);
    assert_true(stint_trace_read(1, &event));
}

TEST_SETUP(after_a_reset_there_is_room_again, start)
{
    struct stint_trace_event event;
    for (uint64_t i = 0; i < EVENTS + 1; ++i)
        trace(i);
    stint_trace_forget();
    assert_int_equal(stint_trace_slots(), 0);
    assert_true(trace(7));
    assert_int_equal(stint_trace_slots(), 1);
    assert_true(stint_trace_read(0, &event));
    assert_int_equal(value_of(&event), 7);
}

TEST_SETUP(an_event_begun_before_a_reset_does_not_appear_after_it, start)
{
    struct stint_trace_event *slot, event;
    uint64_t generation;
    slot = stint_trace_take(&generation);
    slot->event.bytes = 99;
    stint_trace_forget();
    assert_false(trace(1)); /* its slot is being written */
    assert_int_equal(stint_dropped.gpu_events, 1);
    stint_trace_publish(slot, generation);
    assert_false(stint_trace_read(0, &event));
    assert_true(trace(2));
    assert_int_equal(readable(), 1);
    stint_trace_forget();
    assert_true(trace(3));
    assert_true(stint_trace_read(0, &event));
    assert_int_equal(value_of(&event), 3);
}

/* ---------------------------------------------------------------------------------------------------------- threads */

enum { THREADS = 3, CALLS = TEST_UNDER_TSAN ? 20000 : 200000 };

static int s_stop;

static void *trace_calls(void *argument)
{
    for (uint64_t i = 0; i < CALLS; ++i)
        trace(*(uint64_t *)argument << 32 | i);
    return NULL;
}

static void *trace_until_stopped(void *argument)
{
    while (!__atomic_load_n(&s_stop, __ATOMIC_RELAXED))
        trace(*(uint64_t *)argument);
    return NULL;
}

static void start_threads(pthread_t *threads, uint64_t *values, void *(*run)(void *))
{
    for (uint64_t i = 0; i < THREADS; ++i) {
        values[i] = i + 1;
        assert_int_equal(pthread_create(&threads[i], NULL, run, &values[i]), 0);
    }
}

static void join(pthread_t *threads)
{
    for (size_t i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

TEST_SETUP(calls_of_several_threads_share_no_slot, start)
{
    pthread_t threads[THREADS];
    uint64_t values[THREADS], last[THREADS + 1] = {0};
    start_threads(threads, values, trace_calls);
    join(threads);
    assert_int_equal(readable(), EVENTS);
    assert_int_equal(stint_dropped.gpu_events, THREADS * CALLS - EVENTS);
    for (size_t i = 0; i < EVENTS; ++i) {
        struct stint_trace_event event;
        assert_true(stint_trace_read(i, &event));
        uint64_t value = value_of(&event);
        assert_in_range(value >> 32, 1, THREADS);
        assert_true(value >= last[value >> 32]);
        last[value >> 32] = value + 1;
    }
}

/* As when a report is written, and numbers are reset, while the program goes on. */
TEST_SETUP(no_event_is_ever_read_half_written, start)
{
    pthread_t threads[THREADS];
    uint64_t values[THREADS];
    size_t read = 0, wrong = 0;
    __atomic_store_n(&s_stop, 0, __ATOMIC_RELAXED);
    start_threads(threads, values, trace_until_stopped);
    for (int round = 0; round < 300 || !read; ++round) {
        for (size_t i = 0; i < stint_trace_slots(); ++i) {
            struct stint_trace_event event;
            if (!stint_trace_read(i, &event))
                continue;
            ++read;
            wrong += value_of(&event) < 1 || value_of(&event) > THREADS;
        }
        stint_trace_forget();
    }
    __atomic_store_n(&s_stop, 1, __ATOMIC_RELAXED);
    join(threads);
    assert_int_equal(wrong, 0);
}
