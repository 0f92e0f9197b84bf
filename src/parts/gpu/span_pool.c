/* The events of one thread in one context: asks the driver which of its spans are over, and turns these into activities
 * of the ledger. Contexts may be destroyed at any time, so each is checked to exist before its events are used. */
#include "gpu/span.h"

#include "base/clock.h"
#include "gpu/activity_table.h"
#include "record/registry.h"

static void lose(struct stint_span_pool *pool, uint32_t at)
{
    stint_count_dropped(&stint_dropped.gpu_spans);
    stint_span_set_state(pool, at, STINT_SPAN_FREE);
}

/* While a thread captures a stream into a graph, CUDA refuses some calls of all threads, and makes the capture fail.
 * Our calls do not concern captured streams, so this mode permits them. */
int stint_span_relax(const struct stint_driver *driver)
{
    int mode = STINT_DRIVER_CAPTURE_RELAXED;
    if (!driver->exchange_capture_mode || driver->exchange_capture_mode(&mode))
        return STINT_DRIVER_CAPTURE_RELAXED;
    return mode;
}

void stint_span_restore(const struct stint_driver *driver, int mode)
{
    if (mode != STINT_DRIVER_CAPTURE_RELAXED)
        (void)driver->exchange_capture_mode(&mode);
}

/* --------------------------------------------------------------------------------------------------------- contexts */

/* Queries the primary context only if it exists, because retaining it would create it. */
static int is_primary(const struct stint_driver *driver, void *context, int device)
{
    void *primary = NULL;
    unsigned flags;
    int active = 0;
    if (driver->primary_state(device, &flags, &active) || !active || driver->retain_primary(&primary, device))
        return 0;
    (void)driver->release_primary(device);
    return primary == context;
}

int stint_span_pool_describe(struct stint_span_pool *pool, const struct stint_driver *driver, void *context,
                             unsigned long long id)
{
    if (driver->device(&pool->device))
        return -1;
    pool->primary = is_primary(driver, context, pool->device);
    pool->context = context;
    pool->context_id = id;
    return 0;
}

void stint_span_pool_abandon(struct stint_span_pool *pool)
{
    for (uint32_t at = 0; at < STINT_SPANS; at++) {
        enum stint_span_state state = stint_span_state(pool, at);
        if (state == STINT_SPAN_ENDED)
            lose(pool, at);
        pool->spans[at].begin = NULL;
        pool->spans[at].end = NULL;
    }
    pool->stream_known = 0;
}

static int has_id(const struct stint_driver *driver, const struct stint_span_pool *pool)
{
    unsigned long long id = 0;
    return !driver->context_id || (!driver->context_id(pool->context, &id) && id == pool->context_id);
}

/* Events of a context that is gone must not be used. For a device's primary context CUDA tells whether it exists; for
 * another context, only the thread where it is current knows. */
static int primary_lives(const struct stint_driver *driver, const struct stint_span_pool *pool)
{
    unsigned flags;
    int active = 0;
    return !driver->primary_state(pool->device, &flags, &active) && active && has_id(driver, pool);
}

/* ----------------------------------------------------------------------------------------------------------- timing */

/* Streams that have not reached an event yet: events that were recorded into them later have not happened, either. */
struct waiting {
    const void *streams[4];
    uint32_t count;
};

static int is_waiting(const struct waiting *waiting, const void *stream)
{
    for (uint32_t i = 0; i < waiting->count; i++)
        if (waiting->streams[i] == stream)
            return 1;
    return 0;
}

static void note_waiting(struct waiting *waiting, const void *stream)
{
    waiting->streams[waiting->count++] = stream;
}

/* Returns 0, or -1 if the span has not finished. */
static int time_one(struct stint_span_pool *pool, uint32_t at, const struct stint_driver *driver)
{
    struct stint_span *span = &pool->spans[at];
    float ms = 0;
    int error = driver->elapsed(&ms, span->begin, span->end);
    if (error == STINT_DRIVER_NOT_READY)
        return -1;
    if (error || !(ms >= 0)) {
        lose(pool, at);
        return 0;
    }
    span->ns = (uint64_t)((double)ms * 1e6 + 0.5);
    stint_span_set_state(pool, at, STINT_SPAN_TIMED);
    return 0;
}

/* In the order in which spans began, which is nearly the order in which they finish. */
static void time_all(struct stint_span_pool *pool, const struct stint_driver *driver)
{
    uint32_t oldest = STINT_I_LOAD(&pool->cursor);
    struct waiting waiting = {.count = 0};
    for (uint32_t i = 0; i < STINT_SPANS && waiting.count < 4; i++) {
        uint32_t at = (oldest + i) % STINT_SPANS;
        if (stint_span_state(pool, at) == STINT_SPAN_ENDED && !is_waiting(&waiting, pool->spans[at].stream) &&
            time_one(pool, at, driver))
            note_waiting(&waiting, pool->spans[at].stream);
    }
}

void stint_span_pool_time(struct stint_span_pool *pool, const struct stint_driver *driver)
{
    int mode = stint_span_relax(driver);
    time_all(pool, driver);
    stint_span_restore(driver, mode);
}

static int has_ended(const struct stint_span_pool *pool)
{
    for (uint32_t at = 0; at < STINT_SPANS; at++)
        if (stint_span_state(pool, at) == STINT_SPAN_ENDED)
            return 1;
    return 0;
}

static void time_elsewhere(struct stint_span_pool *pool, const struct stint_driver *driver)
{
    void *popped;
    if (driver->push(pool->context))
        return;
    stint_span_pool_time(pool, driver);
    (void)driver->pop(&popped);
}

void stint_span_pool_time_anywhere(struct stint_span_pool *pool, const struct stint_driver *driver)
{
    void *current = NULL;
    if (!has_ended(pool))
        return;
    if (driver->context(&current) || current != pool->context) {
        if (!pool->primary)
            return;
        if (primary_lives(driver, pool))
            time_elsewhere(pool, driver);
        else
            stint_span_pool_give_up(pool);
    } else if (has_id(driver, pool)) {
        stint_span_pool_time(pool, driver);
    } else {
        stint_span_pool_give_up(pool);
    }
}

void stint_span_pool_give_up(struct stint_span_pool *pool)
{
    for (uint32_t at = 0; at < STINT_SPANS; at++)
        if (stint_span_state(pool, at) == STINT_SPAN_ENDED)
            lose(pool, at);
}

/* ----------------------------------------------------------------------------------------------------------- ledger */

/* One moment, on both clocks. */
struct moment {
    uint64_t ticks;
    uint64_t unix_ns;
    double ns_per_tick;
};

static struct moment now(void)
{
    return (struct moment){stint_clock_ticks(), stint_clock_start_unix_ns() + stint_clock_wall_ns(),
                           stint_clock_ns_per_tick()};
}

/* CUPTI's clock is nearly the wall clock. A span is placed at the time when its scope was entered, because CUDA does
 * not tell when the device reached the first event. */
static uint64_t start_of(const struct stint_span *span, const struct moment *moment)
{
    uint64_t ticks = span->ticks < moment->ticks ? moment->ticks - span->ticks : 0;
    return moment->unix_ns - (uint64_t)((double)ticks * moment->ns_per_tick);
}

static void post_one(const struct stint_span_pool *pool, const struct stint_span *span, const struct moment *moment)
{
    uint64_t start = start_of(span, moment);
    struct stint_activity activity = {
        .kind = STINT_GPU_SPAN,
        .name = stint_registry_entry(span->id)->name,
        .start = start,
        .end = start + span->ns,
        .path = span->path,
        .device = (uint32_t)pool->device,
        .context = (uint32_t)pool->context_id,
        .stream = span->stream_id,
    };
    stint_ledger_add(&activity);
}

void stint_span_pool_post(struct stint_span_pool *pool, uint32_t epoch)
{
    struct moment moment = now();
    for (uint32_t at = 0; at < STINT_SPANS; at++) {
        if (stint_span_state(pool, at) != STINT_SPAN_TIMED)
            continue;
        if (pool->spans[at].epoch == epoch)
            post_one(pool, &pool->spans[at], &moment);
        stint_span_set_state(pool, at, STINT_SPAN_FREE);
    }
}
