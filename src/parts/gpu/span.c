/* GPU scopes without CUPTI: a CUDA event before and one behind the work, and the time between them, when the device has
 * got there. A span takes its events without a lock, and leaves looking for finished ones to later spans. */
#include "gpu/span.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/arena.h"
#include "contexts/contexts.h"
#include "gpu/activity_table.h"
#include "record/registry.h"

/* A thread looks for finished spans after this many have ended: looking more often would cost more than it gains. */
enum { BATCH = 32, MAX_POOLS = 1 << 12 };

/* The lock guards the list of pools and turns ended pairs into free ones. The fast path never takes it. A thread that
 * holds it has stint_driver_own set, so that neither a signal handler on that thread nor a callback of CUDA waits for
 * it. The ledger's lock is taken inside it, but not around calls of CUDA, because some versions of CUPTI hand over
 * records within such calls. */
static struct {
    pthread_mutex_t lock;
    struct stint_span_pool *pools; /* all pools, newest first; none is ever removed */
    uint32_t count;
    struct stint_arena arena;
    int started;
    pthread_key_t key;
    uint32_t epoch; /* incremented when all numbers are reset, and in a forked child */
} s_spans = {.lock = PTHREAD_MUTEX_INITIALIZER};

static STINT_I_THREAD_LOCAL struct stint_span_pool *tl_pools __attribute__((tls_model("initial-exec")));

/* Returns 0 in a signal handler or callback that interrupted a function of this file. */
static int begin_own(void)
{
    if (STINT_I_UNLIKELY(stint_driver_own))
        return 0;
    stint_driver_own = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return 1;
}

static void end_own(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    stint_driver_own = 0;
}

static uint32_t epoch(void)
{
    return __atomic_load_n(&s_spans.epoch, __ATOMIC_RELAXED);
}

static uint32_t position_of(const struct stint_span *span)
{
    return (uint32_t)(span - span->pool->spans);
}

void stint_span_cancel(struct stint_span *span)
{
    stint_span_set_state(span->pool, position_of(span), STINT_SPAN_FREE);
}

static void lose(struct stint_span *span)
{
    stint_count_dropped(&stint_dropped.gpu_spans);
    stint_span_cancel(span);
}

/* ---------------------------------------------------------------------------------------------------- coming, going */

/* The thread exits: its spans are still resolved, and another thread gets its events. A scope that is still running
 * never ends. */
static void retire(void *pools)
{
    struct stint_span_pool *next;
    tl_pools = NULL;
    for (struct stint_span_pool *pool = pools; pool; pool = next) {
        next = pool->sibling;
        for (uint32_t at = 0; at < STINT_SPANS; at++)
            if (stint_span_state(pool, at) == STINT_SPAN_TAKEN)
                lose(&pool->spans[at]);
        __atomic_store_n(&pool->owned, 0, __ATOMIC_RELEASE);
    }
}

/* The parent's spans belong to the parent, and CUDA does not work in the child unless the parent never used it. */
static void after_fork(void)
{
    pthread_mutex_init(&s_spans.lock, NULL);
    if (s_spans.started)
        (void)pthread_setspecific(s_spans.key, NULL);
    s_spans.pools = NULL;
    s_spans.count = 0;
    s_spans.arena = (struct stint_arena){0};
    s_spans.epoch++;
    tl_pools = NULL;
    stint_driver_own = 0;
}

/* At exit the driver shuts down in a handler of its own. It was registered earlier, so it runs after ours. */
static int start(void)
{
    if (s_spans.started)
        return 0;
    if (stint_ledger_start(stint_gpu_row_limit(), 0) || pthread_key_create(&s_spans.key, retire))
        return -1;
    __atomic_store_n(&s_spans.started, 1, __ATOMIC_RELEASE);
    (void)pthread_atfork(NULL, NULL, after_fork);
    (void)atexit(stint_span_resolve_all);
    return 0;
}

static struct stint_span_pool *adopt(const void *context, unsigned long long id)
{
    for (struct stint_span_pool *pool = s_spans.pools; pool; pool = pool->next)
        if (!__atomic_load_n(&pool->owned, __ATOMIC_ACQUIRE) && pool->context == context && pool->context_id == id)
            return pool;
    return NULL;
}

static struct stint_span_pool *make(void)
{
    struct stint_span_pool *pool = NULL;
    if (s_spans.count < MAX_POOLS)
        pool = stint_arena_alloc(&s_spans.arena, sizeof *pool);
    if (!pool)
        return NULL;
    for (uint32_t at = 0; at < STINT_SPANS; at++)
        pool->spans[at].pool = pool;
    pool->next = s_spans.pools;
    s_spans.pools = pool;
    s_spans.count++;
    return pool;
}

static void own(struct stint_span_pool *pool)
{
    pool->sibling = tl_pools;
    tl_pools = pool;
    __atomic_store_n(&pool->owned, 1, __ATOMIC_RELAXED);
    (void)pthread_setspecific(s_spans.key, tl_pools);
}

/* If CUDA does not describe the context, the pool stays without a context, and is used for the next request. */
static struct stint_span_pool *make_for(const struct stint_driver *driver, void *context, unsigned long long id)
{
    struct stint_span_pool *pool = adopt(NULL, 0);
    if (!pool)
        pool = make();
    return pool && !stint_span_pool_describe(pool, driver, context, id) ? pool : NULL;
}

static struct stint_span_pool *add_locked(const struct stint_driver *driver, void *context, unsigned long long id)
{
    if (start())
        return NULL;
    struct stint_span_pool *pool = adopt(context, id);
    if (!pool)
        pool = make_for(driver, context, id);
    if (pool)
        own(pool);
    return pool;
}

static struct stint_span_pool *add(const struct stint_driver *driver, void *context, unsigned long long id)
{
    pthread_mutex_lock(&s_spans.lock);
    struct stint_span_pool *pool = add_locked(driver, context, id);
    pthread_mutex_unlock(&s_spans.lock);
    return pool;
}

/* The context was destroyed, and another one has its address. */
static void renew(struct stint_span_pool *pool, unsigned long long id)
{
    pthread_mutex_lock(&s_spans.lock);
    stint_span_pool_abandon(pool);
    pool->context_id = id;
    pthread_mutex_unlock(&s_spans.lock);
}

/* Returns the thread's pool for the current context; NULL if there is none. */
static struct stint_span_pool *current_pool(const struct stint_driver *driver)
{
    unsigned long long id = 0;
    void *context = NULL;
    if (driver->context(&context) || !context || (driver->context_id && driver->context_id(context, &id)))
        return NULL;
    for (struct stint_span_pool *pool = tl_pools; pool; pool = pool->sibling) {
        if (pool->context != context)
            continue;
        if (STINT_I_UNLIKELY(pool->context_id != id))
            renew(pool, id);
        return pool;
    }
    return add(driver, context, id);
}

/* ------------------------------------------------------------------------------------------------------------ pairs */

/* Looks which spans have finished, unless another thread is looking. If the ledger's lock is not free, the results are
 * handed over next time. */
static void resolve_some(struct stint_span_pool *pool, const struct stint_driver *driver)
{
    if (pthread_mutex_trylock(&s_spans.lock))
        return;
    stint_span_pool_time(pool, driver);
    if (stint_ledger_try_lock()) {
        stint_span_pool_post(pool, epoch());
        stint_ledger_unlock();
    }
    pthread_mutex_unlock(&s_spans.lock);
}

static struct stint_span *find_free(struct stint_span_pool *pool)
{
    for (uint32_t i = 0; i < STINT_SPANS; i++) {
        uint32_t at = (pool->cursor + i) % STINT_SPANS;
        if (stint_span_state(pool, at) == STINT_SPAN_FREE) {
            STINT_I_STORE(&pool->cursor, (at + 1) % STINT_SPANS);
            return &pool->spans[at];
        }
    }
    return NULL;
}

static int make_events(struct stint_span *span, const struct stint_driver *driver)
{
    if (STINT_I_LIKELY(span->end != NULL))
        return 0;
    int mode = stint_span_relax(driver);
    int failed = (!span->begin && driver->create(&span->begin, 0)) || driver->create(&span->end, 0);
    stint_span_restore(driver, mode);
    return failed ? -1 : 0;
}

/* Returns a free pair with both events; NULL if all are in use. */
static struct stint_span *take(struct stint_span_pool *pool, const struct stint_driver *driver)
{
    struct stint_span *span = find_free(pool);
    if (STINT_I_UNLIKELY(!span)) {
        resolve_some(pool, driver);
        span = find_free(pool);
    }
    return span && !make_events(span, driver) ? span : NULL;
}

/* Stream handles are reused, so an id may be that of a stream destroyed earlier. The id is only shown to the reader of
 * a report. */
static uint32_t stream_id(struct stint_span_pool *pool, void *stream, const struct stint_driver *driver)
{
    unsigned long long id = 0;
    if (!pool->stream_known || pool->stream != stream) {
        if (driver->stream_id && driver->stream_id(stream, &id))
            id = 0;
        pool->stream = stream;
        pool->stream_id = (uint32_t)id;
        pool->stream_known = 1;
    }
    return pool->stream_id;
}

/* An event that is recorded while the stream is captured becomes part of the graph: it happens when the graph is
 * launched, or never. */
static int record(const struct stint_driver *driver, void *event, void *stream)
{
    int capturing = 0;
    return driver->is_capturing(stream, &capturing) || capturing || driver->record(event, stream) ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------------ spans */

static struct stint_span *begin(const struct stint_driver *driver, void *stream)
{
    struct stint_span_pool *pool = current_pool(driver);
    struct stint_span *span = pool ? take(pool, driver) : NULL;
    if (!span || record(driver, span->begin, stream))
        return NULL;
    span->stream = stream;
    span->stream_id = stream_id(pool, stream, driver);
    span->epoch = epoch();
    stint_span_set_state(pool, position_of(span), STINT_SPAN_TAKEN);
    return span;
}

struct stint_span *stint_span_begin(void *stream)
{
    const struct stint_driver *driver = stint_driver_find();
    struct stint_span *span = NULL;
    if (!driver)
        return NULL;
    if (begin_own()) {
        span = begin(driver, stream);
        end_own();
    }
    if (!span)
        stint_count_dropped(&stint_dropped.gpu_spans);
    return span;
}

void stint_span_enter(struct stint_span *span, uint32_t id, uint64_t ticks)
{
    span->id = id;
    span->ticks = ticks;
    span->path = stint_path_current();
}

static void end(struct stint_span *span, const struct stint_driver *driver)
{
    struct stint_span_pool *pool = span->pool;
    if (!span->end || record(driver, span->end, span->stream)) { /* no event: the context is gone */
        lose(span);
        return;
    }
    stint_span_set_state(pool, position_of(span), STINT_SPAN_ENDED);
    if (++pool->ended >= BATCH) {
        pool->ended = 0;
        resolve_some(pool, driver);
    }
}

/* A span of the parent that ends in a forked child is lost; its pool has no owner there. */
void stint_span_end(struct stint_span *span)
{
    if (span->epoch == epoch() && begin_own()) {
        end(span, stint_driver_find());
        end_own();
    } else {
        lose(span);
    }
}

/* ---------------------------------------------------------------------------------------------------------- for all */

static void resolve_all(const struct stint_driver *driver, int last)
{
    for (struct stint_span_pool *pool = s_spans.pools; pool; pool = pool->next)
        stint_span_pool_time_anywhere(pool, driver);
    stint_ledger_lock();
    for (struct stint_span_pool *pool = s_spans.pools; pool; pool = pool->next)
        stint_span_pool_post(pool, epoch());
    stint_ledger_unlock();
    for (struct stint_span_pool *pool = last ? s_spans.pools : NULL; pool; pool = pool->next)
        stint_span_pool_give_up(pool);
}

static void resolve_if_any(int last)
{
    if (!__atomic_load_n(&s_spans.started, __ATOMIC_ACQUIRE) || !begin_own())
        return;
    pthread_mutex_lock(&s_spans.lock);
    if (s_spans.pools)
        resolve_all(stint_driver_find(), last);
    pthread_mutex_unlock(&s_spans.lock);
    end_own();
}

void stint_span_resolve_all(void)
{
    resolve_if_any(0);
}

void stint_span_finish(void)
{
    resolve_if_any(1);
}

void stint_span_forget(void)
{
    __atomic_add_fetch(&s_spans.epoch, 1, __ATOMIC_RELAXED);
}
