/* The recording threads: each has a record while it lives; when it exits, its tree is folded into the exited threads'
 * and the record is used again. Also the guard that keeps signal handlers out of the slow path. */
#ifndef STINT_RECORD_THREAD_H
#define STINT_RECORD_THREAD_H

#include <stdint.h>

#include "base/process.h"
#include "record/registry.h"
#include "record/tree.h"

struct stint_thread_record;

/* What a thread is to the others, of which some help those that wait for them. */
enum stint_thread_role {
    STINT_THREAD_ORDINARY,
    STINT_THREAD_MAIN,   /* it has the process' id */
    STINT_THREAD_HELPER, /* its scopes are adopted */
};

/* Around a helper's scopes and calls: before it enters one, and after it has left one at `now`. Inside the guard. Calls
 * are frequent, and not counted as adopted: the node around one does not run. */
struct stint_helping {
    void (*begin)(struct stint_thread_record *record, int is_call);
    void (*end)(struct stint_thread_record *record, uint64_t now);
};

extern const struct stint_helping *stint_helping; /* set by the part that makes threads helpers */

struct stint_thread_record {
    struct stint_tree tree; /* first: stint_i_self points to its first member */
    int64_t tid;
    struct stint_thread_record *next, **link; /* and what points to this one */
    uint32_t (*names)[2];                     /* cache: the ids of names looked up, by hash; NULL until the first */
    struct stint_chunk *noted; /* where its activations are noted for a trace; NULL: nowhere. Under the lock */
    struct stint_jumps *jumps; /* what setjmp was called for, in the tree's arena; NULL: nothing yet */
    void *extension;           /* data of a part about the thread, in the tree's arena; NULL: none */
    enum stint_thread_role role;
    int launches;                 /* 1: it has launched work of a GPU within a scope */
    struct stint_i_node *adopted; /* what it entered last because another thread waits for it; NULL: nothing */
};

static inline void stint_thread_begin_helping(struct stint_thread_record *record, int is_call)
{
    if (record->role == STINT_THREAD_HELPER)
        STINT_I_LOAD(&stint_helping)->begin(record, is_call);
}

static inline void stint_thread_end_helping(struct stint_thread_record *record, uint64_t now)
{
    if (record->adopted)
        STINT_I_LOAD(&stint_helping)->end(record, now);
}

/* Begins a section that a signal handler on the same thread must not enter. Returns 1, or 0 if this is such a handler;
 * then there is nothing to end. */
int stint_guard_begin(void);
void stint_guard_end(void);

/* Whether the calling thread is in such a section. */
int stint_guard_is_held(void);

/* Returns 0, or -1 if the system gave no thread-specific key: trees of exiting threads are then kept as they are. */
int stint_thread_start(void);

/* `prepare` is to be called in every thread that begins to record. */
void stint_thread_on_first_scope(void (*prepare)(void));

/* Returns the calling thread's record, made if missing; NULL beyond a limit or without memory, which is counted. Inside
 * the guard. */
struct stint_thread_record *stint_thread_acquire(void);

/* What stint_i_self points to in a thread without record. */
extern struct stint_i_tree stint_no_tree;

/* Returns the calling thread's record, or NULL if it has none. */
static inline struct stint_thread_record *stint_thread_self(void)
{
    return stint_i_self == &stint_no_tree ? NULL : (struct stint_thread_record *)(void *)stint_i_self;
}

/* What threads that have exited add up to. Under the registry's lock. */
struct stint_thread_exits {
    uint64_t count;
    struct stint_thread_usage usage; /* only if CPU time is measured */
};

extern struct stint_thread_exits stint_thread_exits;

/* Returns the first of the live threads, linked by `next`; the exited threads' tree, NULL if none exited. Under the
 * registry's lock. */
struct stint_thread_record *stint_thread_first(void);
const struct stint_tree *stint_thread_exited(void);

/* In a forked child: only the calling thread lives on. Under the lock. */
void stint_thread_after_fork(void);

/* Two names of the same hash have room. With one, of twenty names in turn every second program would have two that
 * displace each other. */
enum { STINT_NAME_SLOTS = 512, STINT_NAME_WAYS = 2 };

/* Returns the id of `name` if the thread's cache has it, or 0. Id 0 has no name. */
static inline uint32_t stint_thread_cached_id(const struct stint_thread_record *record, const struct stint_name *name)
{
    if (STINT_I_UNLIKELY(!record->names))
        return 0;
    const uint32_t *ids = record->names[name->hash % STINT_NAME_SLOTS];
    for (int way = 0; way < STINT_NAME_WAYS; way++) {
        uint32_t id = STINT_I_LOAD(&ids[way]); /* loaded once: a signal handler may give the slot to another name */
        if (STINT_I_LIKELY(stint_registry_is(id, name)))
            return id;
    }
    return 0;
}

/* Returns the id of `name`, from the cache or the registry; 0 beyond a limit. Inside the guard. */
uint32_t stint_thread_id_of(struct stint_thread_record *record, const struct stint_name *name,
                            const struct stint_i_site *site);

/* CPU time of scopes, beside their time on the clock: what the scope's thread spent running, not waiting. Reading it is
 * a system call, so it is read only if it is asked for; then no scope takes the fast path. */
extern int stint_cpu_is_on;

/* Reads it from now on. To be called at start, before any scope. */
void stint_cpu_start(void);

void stint_cpu_begin_slow(struct stint_i_node *node);
void stint_cpu_end_slow(struct stint_i_node *node);

/* To be called before an activation of the node begins, and after its end was read from the clock. */
static inline void stint_cpu_begin(struct stint_i_node *node)
{
    if (STINT_I_UNLIKELY(stint_cpu_is_on))
        stint_cpu_begin_slow(node);
}

static inline void stint_cpu_end(struct stint_i_node *node)
{
    if (STINT_I_UNLIKELY(stint_cpu_is_on))
        stint_cpu_end_slow(node);
}

#endif
