/* One pool of pairs on a driver that does what the test says (fake_driver.h), and a ledger that only counts. */
#include <string.h>

#include "fake_driver.h"
#include "gpu/activity_table.h"
#include "gpu/span.h"
#include "record/fixture.h"
#include "record/registry.h"
#include "stint_test.h"

static struct stint_span_pool s_pool;
static struct stint_activity s_last;
static int s_activities, s_mode;

void __wrap_stint_ledger_add(const struct stint_activity *activity)
{
    s_last = *activity;
    s_activities++;
}

static int begin(void **state)
{
    fake_reset();
    memset(&s_pool, 0, sizeof s_pool);
    s_activities = 0;
    return 0;
}

static uint64_t lost(void)
{
    return __atomic_load_n(&stint_dropped.gpu_spans, __ATOMIC_RELAXED);
}

/* Around calls of the driver: they are stint's own, and in the way of no capture. */
static const struct stint_driver *begin_calls(void)
{
    const struct stint_driver *driver = stint_driver_find();
    stint_driver_own++;
    s_mode = stint_span_relax(driver);
    return driver;
}

static void end_calls(const struct stint_driver *driver)
{
    stint_span_restore(driver, s_mode);
    stint_driver_own--;
}

/* A span of `ns` on the stream, which has ended; whether it has happened is the driver's business. */
static void add_ended(uint32_t at, struct fake_stream *stream, uint64_t ns)
{
    struct stint_span *span = &s_pool.spans[at];
    struct stint_i_node *node = enter("span");
    (void)stint_i_leave(node);
    const struct stint_driver *driver = begin_calls();
    *span = (struct stint_span){.pool = &s_pool, .stream = stream, .path = 4, .id = node->id, .epoch = 1};
    assert_int_equal(driver->create(&span->begin, 0) + driver->create(&span->end, 0), 0);
    assert_int_equal(driver->record(span->begin, stream), 0);
    stream->ns += ns;
    assert_int_equal(driver->record(span->end, stream), 0);
    end_calls(driver);
    stint_span_set_state(&s_pool, at, STINT_SPAN_ENDED);
}

static void describe(struct fake_context *context)
{
    const struct stint_driver *driver = begin_calls();
    assert_int_equal(stint_span_pool_describe(&s_pool, driver, context, context->id), 0);
    end_calls(driver);
}

static void time_all(void)
{
    const struct stint_driver *driver = begin_calls();
    stint_span_pool_time(&s_pool, driver);
    end_calls(driver);
}

TEST_ONCE(fixture_start, NULL)
TEST_EACH(begin, NULL)

TEST(a_pool_knows_its_context)
{
    struct fake_context *context = fake_context_new(1);
    describe(context);
    assert_ptr_equal(s_pool.context, context);
    assert_int_equal(s_pool.context_id, context->id);
    assert_int_equal(s_pool.device, context->device);
    assert_true(s_pool.primary);
    fake.fails_device = 1;
    const struct stint_driver *driver = begin_calls();
    assert_int_equal(stint_span_pool_describe(&s_pool, driver, context, context->id), -1);
    end_calls(driver);
}

TEST(what_has_happened_is_timed_and_handed_over)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    describe(context);
    add_ended(0, stream, 5000000);
    time_all();
    assert_int_equal(stint_span_state(&s_pool, 0), STINT_SPAN_ENDED); /* the device has not come to it */
    fake_finish(stream);
    time_all();
    assert_int_equal(stint_span_state(&s_pool, 0), STINT_SPAN_TIMED);
    stint_span_pool_post(&s_pool, 1);
    assert_int_equal(s_activities, 1);
    assert_int_equal(s_last.kind, STINT_GPU_SPAN);
    assert_int_equal(s_last.end - s_last.start, 5000000);
    assert_int_equal(s_last.path, 4);
    assert_int_equal(stint_span_state(&s_pool, 0), STINT_SPAN_FREE);
}

TEST(a_span_from_before_a_reset_is_ignored)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    uint64_t before = lost();
    describe(context);
    add_ended(0, stream, 1000000);
    fake_finish(stream);
    time_all();
    stint_span_pool_post(&s_pool, 2);
    assert_int_equal(s_activities, 0);
    assert_int_equal(lost(), before);
}

TEST(what_is_given_up_is_counted)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    uint64_t before = lost();
    describe(context);
    add_ended(0, stream, 1000000);
    add_ended(1, stream, 1000000);
    stint_span_pool_give_up(&s_pool);
    assert_int_equal(lost(), before + 2);
    assert_int_equal(stint_span_state(&s_pool, 1), STINT_SPAN_FREE);
}

TEST(events_go_with_their_context)
{
    struct fake_context *context = fake_context_new(1);
    struct fake_stream *stream = fake_stream_new(context);
    uint64_t before = lost();
    describe(context);
    add_ended(0, stream, 1000000);
    stint_span_pool_abandon(&s_pool);
    assert_int_equal(lost(), before + 1);
    assert_null(s_pool.spans[0].begin);
    assert_null(s_pool.spans[0].end);
}
