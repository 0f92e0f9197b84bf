/* Spans on a driver that does what each test says, and a ledger that remembers what it was given. */
#include "gpu/span.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"
#include "gpu/fake_driver.h"
#include "memory.h"
#include "record/fixture.h"
#include "stint_test.h"

enum { PAIRS = 512, BATCH = 32, GIVEN = 1 << 14, OUT_OF_MEMORY = 2, CAPTURE_IMPLICIT = 906 };

/* ----------------------------------------------------------------------------------------------------------- ledger */

static struct {
    struct stint_activity given[GIVEN];
    size_t count;
    int started;
    size_t limit;
    int busy;
    int locked;
    pthread_mutex_t lock;
} s_ledger = {.lock = PTHREAD_MUTEX_INITIALIZER};

int __wrap_stint_ledger_start(size_t limit, size_t events)
{
    assert_int_equal(events, 0);
    s_ledger.limit = limit;
    ++s_ledger.started;
    return 0;
}

void __wrap_stint_ledger_lock(void);
void __wrap_stint_ledger_lock(void)
{
    pthread_mutex_lock(&s_ledger.lock);
    s_ledger.locked = 1;
}

int __wrap_stint_ledger_try_lock(void);
int __wrap_stint_ledger_try_lock(void)
{
    if (s_ledger.busy || pthread_mutex_trylock(&s_ledger.lock))
        return 0;
    s_ledger.locked = 1;
    return 1;
}

void __wrap_stint_ledger_unlock(void);
void __wrap_stint_ledger_unlock(void)
{
    s_ledger.locked = 0;
    pthread_mutex_unlock(&s_ledger.lock);
}

void __wrap_stint_ledger_add(const struct stint_activity *activity);
void __wrap_stint_ledger_add(const struct stint_activity *activity)
{
    assert_int_equal(s_ledger.locked, 1);
    assert_true(s_ledger.count < GIVEN);
    s_ledger.given[s_ledger.count++] = *activity;
}

/* How often, and how long in all, spans of this name were handed over. */
static size_t count_of(const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < s_ledger.count; ++i)
        count += !strcmp(s_ledger.given[i].name, name);
    return count;
}

static uint64_t ns_of(const char *name)
{
    uint64_t ns = 0;
    for (size_t i = 0; i < s_ledger.count; ++i)
        if (!strcmp(s_ledger.given[i].name, name))
            ns += s_ledger.given[i].end - s_ledger.given[i].start;
    return ns;
}

/* ------------------------------------------------------------------------------------------------------------ spans */

/* A scope with a span, as src/parts/gpu/gpu_calls.c makes them. */
struct timed {
    struct stint_i_node *node;
    struct stint_span *span;
};

static struct timed begin(const char *name, struct fake_stream *stream)
{
    struct timed timed = {NULL, stint_span_begin(stream)};
    timed.node = enter(name);
    assert_non_null(timed.node);
    if (timed.span)
        stint_span_enter(timed.span, timed.node->id, timed.node->start);
    return timed;
}

static void end(struct timed timed)
{
    stint_i_leave(timed.node);
    if (timed.span)
        stint_span_end(timed.span);
}

/* A span in which the stream is given `ns` of work. */
static void work(const char *name, struct fake_stream *stream, uint64_t ns)
{
    const struct timed timed = begin(name, stream);
    stream->ns += ns;
    end(timed);
}

static uint64_t lost(void)
{
    return stint_dropped.gpu_spans;
}

static int start(void **state)
{
    setenv("STINT_MAX_GPU", "777", 1);
    return fixture_start(state);
}

static int setup(void **state)
{
    fake_reset();
    stint_span_finish(); /* what other tests left behind */
    fake_reset();
    fixture_reset(state);
    s_ledger.count = 0;
    s_ledger.busy = 0;
    return 0;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

TEST_ONCE(start, NULL)
TEST_EACH(setup, NULL)

TEST(nothing_is_asked_of_cuda_before_the_first_span)
{
    fake_context_new(1);
    stint_span_resolve_all();
    stint_span_finish();
    assert_int_equal(fake.finds, 0);
    assert_int_equal(s_ledger.started, 0);
}

TEST(no_memory_for_the_pool_is_counted)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    run("before", 1); /* what the scope needs is there */
    memory_fail_after(0);
    assert_null(stint_span_begin(stream));
    memory_recover();
    assert_int_equal(lost(), 1);
    assert_int_equal(fake.records, 0);
}

TEST(a_span_takes_the_time_between_its_events)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    work("timed", stream, 1500);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("timed"), 1);
    assert_int_equal(ns_of("timed"), 1500);
    assert_int_equal(lost(), 0);
    assert_int_equal(now_of("timed").count, 1);
}

TEST(the_first_span_starts_the_ledger)
{
    assert_int_equal(s_ledger.started, 1); /* in the tests before */
    assert_int_equal(s_ledger.limit, 777);
}

TEST(a_span_says_where_it_was_and_in_which_scope)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    struct stint_i_node *outer = enter("outer");
    const struct timed timed = begin("where", stream);
    const uint32_t path = stint_path_current();
    const uint64_t entered = clock_now();
    const struct stint_activity *given = s_ledger.given;
    clock_advance(70);
    end(timed);
    stint_i_leave(outer);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 1);
    assert_int_equal(given->kind, STINT_GPU_SPAN);
    assert_int_equal(given->path, path);
    assert_int_not_equal(path, STINT_PATH_ROOT);
    assert_int_equal(given->correlation, 0);
    assert_int_equal(given->device, 3);
    assert_int_equal(given->context, context->id);
    assert_int_equal(given->stream, stream->id);
    assert_int_equal(given->start, stint_clock_start_unix_ns() + entered);
}

TEST(an_empty_span_takes_no_time_and_counts)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    work("empty", stream, 0);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("empty"), 1);
    assert_int_equal(ns_of("empty"), 0);
}

TEST(what_the_device_has_not_come_to_is_handed_over_later)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    work("late", stream, 10);
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 0);
    fake_finish(stream);
    stint_span_resolve_all();
    stint_span_resolve_all();
    assert_int_equal(count_of("late"), 1);
}

TEST(a_thread_looks_by_itself_now_and_then)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    for (int i = 0; i < BATCH - 1; ++i) {
        work("itself", stream, 10);
        fake_finish(stream);
    }
    assert_int_equal(fake.elapsed, 0);
    work("itself", stream, 10);
    assert_int_equal(count_of("itself"), BATCH - 1);
    assert_int_equal(fake.elapsed, BATCH);
}

TEST(one_stream_that_is_behind_is_asked_once_a_look)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    for (int i = 0; i < BATCH; ++i)
        work("behind", stream, 10);
    assert_int_equal(fake.elapsed, 1);
}

TEST(what_was_given_first_is_asked_first)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    for (int i = 0; i < PAIRS - 12; ++i)
        stint_span_cancel(stint_span_begin(stream));
    for (int i = 0; i < 20; ++i) { /* the last eight in the pairs that were first */
        work("in turn", stream, 10);
        if (i < 10)
            fake_finish(stream);
    }
    stint_span_resolve_all();
    assert_int_equal(count_of("in turn"), 10);
}

TEST(a_stream_does_not_wait_for_another)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *slow = fake_stream_new(context), *fast = fake_stream_new(context);
    work("slow", slow, 10);
    for (int i = 0; i < 5; ++i)
        work("fast", fast, 10);
    fake_finish(fast);
    stint_span_resolve_all();
    assert_int_equal(count_of("slow"), 0);
    assert_int_equal(count_of("fast"), 5);
}

TEST(spans_nest)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    const struct timed outer = begin("outer span", stream);
    stream->ns += 5;
    work("inner span", stream, 20);
    stream->ns += 100;
    work("inner span", stream, 30);
    end(outer);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("inner span"), 2);
    assert_int_equal(ns_of("inner span"), 50);
    assert_int_equal(ns_of("outer span"), 155);
    assert_int_equal(now_at("outer span/inner span").count, 2);
}

TEST(a_span_that_runs_is_not_handed_over)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    const struct timed timed = begin("runs", stream);
    fake_finish(stream);
    stint_span_resolve_all();
    stint_span_finish();
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 0);
    end(timed);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("runs"), 1);
}

TEST(beyond_all_pairs_spans_are_counted_until_some_have_happened)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    for (int i = 0; i < PAIRS + 7; ++i)
        work("many", stream, 10);
    assert_int_equal(lost(), 7);
    assert_int_equal(now_of("many").count, PAIRS + 7);
    assert_int_equal(context->events, 2 * PAIRS);
    fake_finish(stream);
    for (int i = 0; i < 100; ++i)
        work("many", stream, 10);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(lost(), 7);
    assert_int_equal(count_of("many"), PAIRS + 100);
    assert_int_equal(ns_of("many"), 10 * (PAIRS + 100));
    assert_int_equal(context->events, 2 * PAIRS);
}

TEST(without_the_driver_nothing_is_counted)
{
    fake.loaded = 0;
    assert_null(stint_span_begin(NULL));
    assert_int_equal(lost(), 0);
}

TEST(without_a_context_a_span_is_counted)
{
    assert_null(stint_span_begin(NULL));
    assert_int_equal(lost(), 1);
    assert_int_equal(fake.records, 0);
}

TEST(a_cancelled_span_is_not_counted_and_its_pair_used_again)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    for (int i = 0; i < 2 * PAIRS; ++i)
        stint_span_cancel(stint_span_begin(stream));
    assert_int_equal(lost(), 0);
    assert_int_equal(context->events, 2 * PAIRS);
}

TEST(an_error_at_the_beginning_is_counted)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    fake.fails_record = OUT_OF_MEMORY;
    assert_null(stint_span_begin(stream));
    assert_int_equal(lost(), 1);
    fake.fails_record = 0;
    fake.creates_left = 1;
    for (int i = 1; i < PAIRS; ++i) /* the first pair has its events */
        assert_null(stint_span_begin(stream));
    fake.creates_left = UINT_MAX;
    work("after errors", stream, 3);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(ns_of("after errors"), 3);
    for (int i = 0; i < PAIRS; ++i)
        stint_span_cancel(stint_span_begin(stream));
    assert_int_equal(context->events, 2 * PAIRS);
}

TEST(an_error_at_the_end_is_counted)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    const struct timed timed = begin("no end", stream);
    fake.fails_record = OUT_OF_MEMORY;
    end(timed);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 1);
}

TEST(an_error_while_asking_is_counted)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    work("asked", stream, 10);
    fake_finish(stream);
    fake.fails_elapsed = 700;
    stint_span_resolve_all();
    fake.fails_elapsed = 0;
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 1);
}

TEST(a_time_below_zero_is_counted)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    work("negative", stream, 10);
    fake_finish(stream);
    fake.ms = -1;
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 1);
}

TEST(a_stream_of_another_context_is_counted)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(0));
    fake_context_new(1);
    assert_null(stint_span_begin(stream));
    assert_int_equal(lost(), 1);
}

/* The fake driver fails the test if an event is recorded into a stream that is captured. */
TEST(a_captured_stream_is_left_alone)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    stream->capturing = 1;
    work("captured", stream, 10);
    assert_int_equal(fake.records, 0);
    assert_int_equal(lost(), 1);
}

TEST(a_capture_that_begins_inside_of_a_span_is_left_alone)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    const struct timed timed = begin("capture inside", stream);
    stream->capturing = 1;
    end(timed);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(fake.records, 1);
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 1);
}

TEST(the_default_stream_is_left_alone_while_another_is_captured)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    fake.fails_capturing = CAPTURE_IMPLICIT;
    assert_null(stint_span_begin(stream));
    assert_int_equal(fake.records, 0);
    assert_int_equal(lost(), 1);
}

/* The fake driver fails the test if events are made or asked in another mode. */
TEST(captures_of_other_threads_are_not_disturbed)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    work("undisturbed", stream, 10);
    assert_int_equal(fake_mode(), 0);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(fake_mode(), 0);
    assert_int_equal(count_of("undisturbed"), 1);
}

TEST(an_old_driver_knows_no_ids_and_no_modes)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    fake.knows_ids = fake.knows_modes = 0;
    work("old", stream, 10);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(ns_of("old"), 10);
    assert_int_equal(s_ledger.given[0].stream, 0);
    assert_int_equal(s_ledger.given[0].context, 0);
}

/* The fake driver fails the test if stint_driver_own is not set in a call. */
TEST(calls_of_cuda_are_marked_as_stints_own)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    const struct timed timed = begin("marked", stream);
    assert_int_equal(stint_driver_own, 0);
    end(timed);
    assert_int_equal(stint_driver_own, 0);
    stint_span_resolve_all();
    assert_int_equal(stint_driver_own, 0);
}

TEST(who_interrupts_a_call_of_stints_measures_nothing)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    const struct timed timed = begin("interrupted", stream);
    const unsigned records = fake.records;
    stint_driver_own = 1;
    assert_null(stint_span_begin(stream));
    stint_span_resolve_all();
    end(timed);
    stint_driver_own = 0;
    assert_int_equal(fake.records, records);
    assert_int_equal(lost(), 2);
}

TEST(a_stream_is_asked_for_its_id_once_in_a_row)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *first = fake_stream_new(context), *second = fake_stream_new(context);
    work("ids", first, 1);
    work("ids", first, 1);
    work("ids", second, 1);
    assert_int_equal(first->asked, 1);
    fake_finish(first);
    fake_finish(second);
    stint_span_resolve_all();
    assert_int_equal(s_ledger.given[1].stream, first->id);
    assert_int_equal(s_ledger.given[2].stream, second->id);
}

/* -------------------------------------------------------------------------------------------------------- contexts */

/* The fake driver fails the test if an event is used in another context than its own. */
TEST(each_context_has_its_own_events)
{
    struct fake_context *second = fake_context_new(1), *first = fake_context_new(0);
    struct fake_stream *of_first = fake_stream_new(first), *of_second = fake_stream_new(second);
    for (int i = 0; i < 3; ++i) {
        fake_set_current(first);
        work("first", of_first, 10);
        fake_set_current(second);
        work("second", of_second, 20);
    }
    fake_finish(of_first);
    fake_finish(of_second);
    stint_span_resolve_all();
    assert_int_equal(count_of("second"), 3);
    assert_int_equal(count_of("first"), 0); /* whether it still is there, only a thread knows where it is current */
    fake_set_current(first);
    stint_span_resolve_all();
    assert_int_equal(ns_of("first"), 30);
    assert_int_equal(first->events, 6);
    assert_int_equal(lost(), 0);
}

TEST(a_primary_context_is_made_current_for_a_moment)
{
    struct fake_context *primary = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(primary);
    work("elsewhere", stream, 10);
    fake_finish(stream);
    fake_set_current(NULL);
    stint_span_resolve_all();
    assert_int_equal(ns_of("elsewhere"), 10);
    assert_null(fake_current());
    assert_int_equal(fake.pushed, 0);
}

/* In these the fake driver fails the test if an event of a context that is gone is used. */
TEST(spans_of_a_context_that_is_gone_are_counted)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    work("gone", stream, 10);
    work("gone", stream, 10);
    fake_finish(stream);
    fake_set_current(NULL);
    context->dead = 1;
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 2);
}

TEST(a_context_in_the_place_of_another_gets_new_events)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    work("before reset", stream, 10);
    work("before reset", stream, 10);
    fake_context_renew(context);
    stream->id += 77;
    for (int i = 0; i < PAIRS; ++i)
        work("after reset", stream, 30);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("before reset"), 0);
    assert_int_equal(ns_of("after reset"), 30 * PAIRS);
    assert_int_equal(lost(), 2);
    assert_int_equal(context->events, 2 * PAIRS);
    assert_int_equal(s_ledger.given[0].context, context->id);
    assert_int_equal(s_ledger.given[0].stream, stream->id);
}

TEST(whoever_looks_notices_a_context_in_the_place_of_another)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    work("current", stream, 10);
    fake_context_renew(context);
    stint_span_resolve_all();
    assert_int_equal(lost(), 1);
    work("not current", stream, 10);
    fake_context_renew(context);
    fake_set_current(NULL);
    stint_span_resolve_all();
    assert_int_equal(lost(), 2);
}

TEST(a_span_that_outlives_its_context_is_counted)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    const struct timed timed = begin("outlives", stream);
    fake_context_renew(context);
    work("new one", stream, 10);
    end(timed);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("new one"), 1);
    assert_int_equal(count_of("outlives"), 0);
    assert_int_equal(lost(), 1);
}

TEST(a_context_that_cuda_does_not_describe_is_counted)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    fake.fails_device = 201;
    assert_null(stint_span_begin(stream));
    fake.fails_device = 0;
    work("described", stream, 10);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(lost(), 1);
    assert_int_equal(count_of("described"), 1);
}

/* --------------------------------------------------------------------------------------------------------- threads */

static struct fake_context *s_context;
static struct fake_stream *s_stream;

static void *work_in_thread(void *name)
{
    fake_set_current(s_context);
    for (int i = 0; i < 5; ++i)
        work(name, s_stream, 10);
    return NULL;
}

TEST(spans_of_a_thread_that_exited_are_handed_over)
{
    s_context = fake_context_new(1);
    s_stream = fake_stream_new(s_context);
    in_thread(work_in_thread, "exited");
    fake_finish(s_stream);
    stint_span_resolve_all();
    assert_int_equal(ns_of("exited"), 50);
    assert_int_equal(lost(), 0);
}

TEST(the_next_thread_uses_the_events_of_one_that_exited)
{
    s_context = fake_context_new(1);
    s_stream = fake_stream_new(s_context);
    for (int i = 0; i < PAIRS / 5; ++i)
        in_thread(work_in_thread, "one after the other");
    assert_int_equal(s_context->events, 2 * (PAIRS / 5) * 5);
    fake_finish(s_stream);
    for (int i = 0; i < 10; ++i)
        in_thread(work_in_thread, "one after the other");
    assert_true(s_context->events <= 2 * PAIRS);
    fake_finish(s_stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("one after the other"), (PAIRS / 5 + 10) * 5);
}

TEST(events_of_a_context_that_is_gone_are_not_passed_on)
{
    s_context = fake_context_new(1);
    s_stream = fake_stream_new(s_context);
    in_thread(work_in_thread, "before reset");
    fake_context_renew(s_context);
    in_thread(work_in_thread, "after reset");
    fake_finish(s_stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("after reset"), 5);
    assert_int_equal(lost(), 5);
}

static void *exit_inside(void *name)
{
    fake_set_current(s_context);
    begin(name, s_stream);
    return NULL;
}

TEST(a_span_that_runs_when_its_thread_exits_is_counted)
{
    s_context = fake_context_new(1);
    s_stream = fake_stream_new(s_context);
    in_thread(exit_inside, "exits inside");
    fake_finish(s_stream);
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 0);
    assert_int_equal(lost(), 1);
}

static void *check_own_pool(void *unused)
{
    fake_set_current(s_context);
    for (int i = 0; i < PAIRS; ++i)
        work("of the thread", s_stream, 1);
    return NULL;
}

TEST(a_thread_has_pairs_of_its_own)
{
    s_context = fake_context_new(1);
    s_stream = fake_stream_new(s_context);
    for (int i = 0; i < PAIRS; ++i)
        work("of main", s_stream, 1);
    in_thread(check_own_pool, NULL);
    assert_int_equal(lost(), 0);
}

static unsigned s_beside;

enum { THREADS = 4, ROUNDS = 3000 };

static void *work_beside_others(void *unused)
{
    struct fake_stream *stream = fake_stream_new(s_context);
    fake_set_current(s_context);
    for (int i = 0; i < ROUNDS; ++i) {
        work("beside", stream, 10);
        __atomic_add_fetch(&s_beside, 1, __ATOMIC_RELAXED);
        fake_finish(stream);
    }
    return NULL;
}

/* What ThreadSanitizer is to see. Each span is handed over or counted: who looks may be in the way of a thread that has
 * run out of pairs. */
TEST(threads_measure_while_another_looks)
{
    pthread_t threads[THREADS];
    s_context = fake_context_new(1);
    s_beside = 0;
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, work_beside_others, NULL), 0);
    while (STINT_I_LOAD(&s_beside) < THREADS * ROUNDS)
        stint_span_resolve_all();
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    stint_span_resolve_all();
    assert_int_equal(count_of("beside") + lost(), THREADS * ROUNDS);
    assert_int_equal(ns_of("beside"), 10 * count_of("beside"));
}

/* ---------------------------------------------------------------------------------------------- ledger, reset, fork */

TEST(a_ledger_that_is_busy_gets_it_next_time)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    s_ledger.busy = 1;
    for (int i = 0; i < BATCH; ++i) {
        work("busy", stream, 10);
        fake_finish(stream);
    }
    assert_int_equal(s_ledger.count, 0);
    s_ledger.busy = 0;
    for (int i = 0; i < BATCH; ++i)
        work("busy", stream, 10);
    fake_finish(stream);
    assert_int_equal(count_of("busy"), BATCH);
    stint_span_resolve_all();
    assert_int_equal(ns_of("busy"), 2 * BATCH * 10);
}

TEST(spans_from_before_a_reset_are_in_no_number)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    work("before", stream, 10);
    stint_span_forget();
    work("after", stream, 10);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(count_of("before"), 0);
    assert_int_equal(count_of("after"), 1);
    assert_int_equal(lost(), 0);
}

TEST(at_the_end_what_has_not_happened_is_counted)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *done = fake_stream_new(context), *behind = fake_stream_new(context);
    work("in time", done, 10);
    work("too late", behind, 10);
    fake_finish(done);
    stint_span_finish();
    assert_int_equal(count_of("in time"), 1);
    assert_int_equal(lost(), 1);
    fake_finish(behind);
    stint_span_finish();
    assert_int_equal(count_of("too late"), 0);
    assert_int_equal(lost(), 1);
}

static int in_child(struct timed running, struct fake_stream *stream)
{
    const unsigned events = stream->context->events;
    const unsigned calls = fake.records + fake.elapsed;
    fake_finish(stream);
    stint_span_resolve_all();
    end(running);
    if (s_ledger.count || fake.records + fake.elapsed != calls || lost() != 1)
        return 1;
    work("of the child", stream, 10);
    fake_finish(stream);
    stint_span_resolve_all();
    return s_ledger.count != 1 || count_of("of the child") != 1 || stream->context->events != events + 2;
}

TEST(a_child_leaves_the_parents_spans_alone)
{
    struct fake_stream *stream = fake_stream_new(fake_context_new(1));
    int status = 0;
    work("of the parent", stream, 10);
    struct timed running = begin("over the fork", stream);
    pid_t child = fork();
    if (child == 0)
        _exit(in_child(running, stream));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    end(running);
    fake_finish(stream);
    stint_span_resolve_all();
    assert_int_equal(s_ledger.count, 2);
}
