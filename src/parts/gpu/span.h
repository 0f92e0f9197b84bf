/* Spans: intervals on a stream between two CUDA events, as used by STINT_GPU_SCOPE. A span is timed once its events
 * have happened. This is found out by polling, never by waiting: its thread polls at later spans, and so does any
 * thread that reads the ledger. CUPTI is not used.
 *
 * Pairs of events belong to a context, and are kept per thread and context, so that a span takes one without a lock. */
#ifndef STINT_GPU_SPAN_H
#define STINT_GPU_SPAN_H

#include <stdint.h>

#include "gpu/callback.h"

struct stint_span;

/* Records the first event. Returns NULL if the span cannot be measured; that is counted, unless the program has not
 * loaded CUDA, so that there is nothing to measure. */
struct stint_span *stint_span_begin(void *stream);

/* Tells that the scope has been entered on this thread: the statistic's id, and when. The second function tells that it
 * could not be entered. */
void stint_span_enter(struct stint_span *span, uint32_t id, uint64_t ticks);
void stint_span_cancel(struct stint_span *span);

/* Records the second event. To be called on the same thread. */
void stint_span_end(struct stint_span *span);

/* Collects the spans of all threads that devices have finished. Does not wait for devices. Not to be called in a signal
 * handler that is about to end the process. Does nothing if no span has ever been measured. */
void stint_span_resolve_all(void);

/* As stint_span_resolve_all, and counts spans that devices have not finished as not measured: before the last
 * report. */
void stint_span_finish(void);

/* Spans that have begun before now will not be counted: stint_reset. */
void stint_span_forget(void);

/* ------------------------------------------------------------------------------------------------------ span_pool.c */

/* Pools of event pairs, one for each thread and context, and how finished spans become activities. */

/* CUDA lets the host run ahead of a device by about a thousand operations, so that more spans than this are hardly ever
 * unfinished. */
enum { STINT_SPANS = 512 };

/* Who sets the state of a pair: the pool's thread takes free pairs, and ends or frees them; the thread that holds the
 * lock times ended pairs, and frees them. */
enum stint_span_state { STINT_SPAN_FREE, STINT_SPAN_TAKEN, STINT_SPAN_ENDED, STINT_SPAN_TIMED };

struct stint_span {
    struct stint_span_pool *pool;
    void *begin; /* event; NULL until the pair's first use */
    void *end;
    void *stream;
    uint64_t ticks; /* when the scope was entered */
    uint64_t ns;    /* TIMED: the duration */
    uint32_t stream_id;
    uint32_t path;
    uint32_t id; /* the statistic's */
    uint32_t epoch;
};

struct stint_span_pool {
    struct stint_span_pool *next;    /* in the list of all pools */
    struct stint_span_pool *sibling; /* next pool of the same thread */
    void *context;                   /* NULL: none yet */
    unsigned long long context_id;   /* 0 if the driver does not tell */
    int device;
    int primary; /* the device's primary context */
    int owned;   /* by a live thread */
    uint32_t cursor;
    uint32_t ended;   /* since the thread last looked */
    int stream_known; /* `stream` is the last stream whose id was looked up */
    void *stream;
    uint32_t stream_id;
    uint8_t state[STINT_SPANS];
    struct stint_span spans[STINT_SPANS];
};

/* Stores what the pool needs to know about the context, which is current. Returns -1 if CUDA does not tell. */
int stint_span_pool_describe(struct stint_span_pool *pool, const struct stint_driver *driver, void *context,
                             unsigned long long id);

/* The context is gone, and its events with it: counts unfinished spans as lost, and forgets the events. */
void stint_span_pool_abandon(struct stint_span_pool *pool);

/* Time the spans that have ended and happened. The first must be called on a thread where the context is current, the
 * second on any thread. Under the lock. */
void stint_span_pool_time(struct stint_span_pool *pool, const struct stint_driver *driver);
void stint_span_pool_time_anywhere(struct stint_span_pool *pool, const struct stint_driver *driver);

/* Hands the timed spans to the ledger; spans of another epoch are ignored. Under both locks. */
void stint_span_pool_post(struct stint_span_pool *pool, uint32_t epoch);

/* Counts spans that have ended but were not timed as lost, and frees their pairs. Under the lock. */
void stint_span_pool_give_up(struct stint_span_pool *pool);

/* stint_span_relax lets the calling thread create and query events even while other threads capture graphs; the second
 * function restores the earlier mode. */
int stint_span_relax(const struct stint_driver *driver);
void stint_span_restore(const struct stint_driver *driver, int mode);

static inline enum stint_span_state stint_span_state(const struct stint_span_pool *pool, uint32_t at)
{
    return (enum stint_span_state)__atomic_load_n(&pool->state[at], __ATOMIC_ACQUIRE);
}

static inline void stint_span_set_state(struct stint_span_pool *pool, uint32_t at, enum stint_span_state state)
{
    __atomic_store_n(&pool->state[at], (uint8_t)state, __ATOMIC_RELEASE);
}

#endif
