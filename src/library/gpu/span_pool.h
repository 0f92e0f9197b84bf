/* Pools of event pairs, of one thread and context each, and how ended ones become activities. */
#ifndef STINT_GPU_SPAN_POOL_H
#define STINT_GPU_SPAN_POOL_H

#include <stdint.h>

#include "gpu/driver.h"

/* CUDA lets the host run ahead of a device by about a thousand operations, so that more spans than this are hardly ever
 * on their way. */
enum { STINT_SPANS = 512 };

/* Who owns a pair: `free`, `taken` and `ended` come from the thread of the pool, the others from whoever holds the
 * lock, which turns ended pairs into free ones. */
enum stint_span_state { STINT_SPAN_FREE, STINT_SPAN_TAKEN, STINT_SPAN_ENDED, STINT_SPAN_TIMED };

struct stint_span {
    struct stint_span_pool *pool;
    void *begin; /* event; NULL until the pair's first use */
    void *end;
    void *stream;
    uint64_t ticks; /* when the scope was entered */
    uint64_t ns;    /* TIMED: how long it took */
    uint32_t stream_id;
    uint32_t path;
    uint32_t id; /* of the statistic */
    uint32_t epoch;
};

struct stint_span_pool {
    struct stint_span_pool *next;    /* of all pools */
    struct stint_span_pool *sibling; /* of the thread's */
    void *context;                   /* NULL: none yet */
    unsigned long long context_id;   /* 0 if the driver does not tell */
    int device;
    int primary; /* the device's primary context */
    int owned;   /* by a thread that lives */
    uint32_t cursor;
    uint32_t ended;   /* since the thread last looked */
    int stream_known; /* the last that was asked for its id */
    void *stream;
    uint32_t stream_id;
    uint8_t state[STINT_SPANS];
    struct stint_span spans[STINT_SPANS];
};

/* Fills in what the pool needs to know of the context, which is current. Returns -1 if CUDA does not tell. */
int stint_span_pool_describe(struct stint_span_pool *pool, const struct stint_driver *driver, void *context,
                             unsigned long long id);

/* The context is gone, and with it the events: counts what was on its way, and forgets them. */
void stint_span_pool_abandon(struct stint_span_pool *pool);

/* Times what has ended and happened. The first on a thread where the context is current, the second on any. Under the
 * lock. */
void stint_span_pool_time(struct stint_span_pool *pool, const struct stint_driver *driver);
void stint_span_pool_time_anywhere(struct stint_span_pool *pool, const struct stint_driver *driver);

/* Hands what was timed to the ledger; spans of another epoch are passed over. Under both locks. */
void stint_span_pool_post(struct stint_span_pool *pool, uint32_t epoch);

/* Counts what has ended and was not timed, and frees it. Under the lock. */
void stint_span_pool_give_up(struct stint_span_pool *pool);

/* Let the calling thread make and ask events whatever other threads capture into graphs, and back. */
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
