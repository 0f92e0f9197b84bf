/* stint/detail/record.h - the fast path of recording, inlined into the call site.
 *
 * Implementation detail: nothing here is API, but all of it is ABI, because it is compiled into user programs. The slow
 * path is in src/core/record. docs/data-flow.md walks through one measurement. The rules that keep this file small:
 *
 *   - A tree is written by one thread alone. Other threads read it with relaxed loads, so every field they may see is
 *     stored through the __atomic builtins, which cost nothing on x86-64 and aarch64, or by one instruction that adds.
 *   - Whether recording is switched off is decided here, by one branch at each end of a scope: entering checks whether
 *     stint_i_state is 0, leaving whether there is no node. These checks are inline even where the rest is not.
 *   - One comparison with stint_i_state sends everything unusual elsewhere: the first scope of a thread, a reset, and a
 *     clock that cannot be read inline. On enter tree->complete is compared, on leave tree->quick, so that a trace, a
 *     budget and an unordered clock are not asked about one by one.
 *   - A signal handler may run a scope between any two instructions. That scope nests below tree->current, which is
 *     therefore stored before all numbers on enter and last on leave. Only the clock is read before, so that what finds
 *     and stores the node need not be done when it is read; if a handler ran a scope since, it is read again. */
#ifndef STINT_DETAIL_RECORD_H
#define STINT_DETAIL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "stint/detail/api.h"
#include "stint/detail/clock.h"
#include "stint/detail/histogram.h"
#include "stint/detail/noted.h"
#include "stint/version.h"

STINT_EXTERN_C_BEGIN

struct stint_statset;

/* A call site: static storage of the program, registered at its first use. */
struct stint_i_site {
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t id; /* of the statistic (set, name); 0 until registered */
};

/* Buckets of a histogram that the fast path counts in: eight octaves. */
#define STINT_I_WINDOW (8u * STINT_I_GROUP)

/* One calling context (parent, statistic) of one thread. The first cache line is what every scope touches. */
struct stint_i_node {
    struct stint_i_node *parent; /* fixed before the node is published, like all fields marked "fixed" */
    uint32_t key;                /* fixed; what a call site looks for: `id`, or ~id of a thinned node */
    uint32_t salt;               /* fixed; spreads this node's children over the slots */
    uint64_t start;              /* ticks at which the present activation began; 0: none */
    uint64_t child;              /* ticks spent in children during the present activation */
    uint64_t count;              /* activations that ended */
    uint64_t total;              /* ticks */
    uint64_t self;               /* ticks not spent in children */
    uint64_t min;                /* ticks; UINT64_MAX while count is 0 */
    uint64_t max;                /* ticks */
    double square;               /* sum of squared ticks, for the standard deviation */
    struct stint_i_node *next;   /* in order of creation: parents before children */
    uint32_t epoch;              /* the statistic's epoch when these numbers began; if it has changed, they are stale */
    uint32_t outer_salt;         /* fixed; the parent's salt */
    uint8_t recursive;           /* fixed; 1 if an ancestor has the same id */
    uint8_t base;                /* the first group of buckets that is in window[], or one of the values below */
    uint16_t newest;             /* where in window[] the newest sample is to be counted; STINT_I_WINDOW: none yet */
    uint32_t path;               /* its process-wide number (src/core/contexts/path.h); 0: not requested yet */
    uintptr_t place;             /* where the stack ended when the present activation began */
    uint64_t early;              /* ticks by which the activation with early_start began before it was entered */
    uint64_t early_start;        /* ticks */
    uint64_t cpu_start;          /* ns of CPU time at which the present activation began, with STINT_CPU=on */
    uint64_t cpu;                /* ns of CPU time in activations that ended */
    uint64_t passed;             /* calls of functions within its activations, not within others', that were left out */
    uint64_t added;              /* samples of stint_statset_add, likewise */
    uint32_t id;                 /* fixed; of the statistic */
    uint32_t index;              /* fixed; position in order of creation */
    struct stint_histogram *more;        /* samples that are not in window[]; NULL: none (src/core/stat/histogram.h) */
    uint16_t window[STINT_I_WINDOW + 1]; /* absent if base is STINT_I_NO_WINDOW */
};

/* What stands in front of a thinned node, some of whose activations are left out (STINT_BUDGET, src/parts/budget). The
 * others are counted in the node as ever, and what those that are left out took is estimated from them. An activation
 * that is left out makes its node the current one, so that its children are found, but has no start. */
struct stint_i_thinning {
    double missed;         /* estimate of the self time of those that were left out, in ticks, but for the period */
    double missed_square;  /* variance of that */
    double sum, square;    /* of the self times that were sampled in this period, in which the share did not change */
    uint64_t sampled;      /* how many these are */
    uint64_t period;       /* `skipped` as the period began */
    uint64_t self;         /* of the node, when its last sample was taken in, */
    uint64_t counted;      /* and its count */
    uint64_t seen_counted; /* its count at the last decision, */
    uint64_t seen_skipped; /* and `skipped` */
    uint32_t gap;          /* mean number of activations that are left out between two samples */
    uint32_t version;      /* odd while numbers of a period are being changed */
    uint64_t spare[3];     /* so that a node's first line begins a line of the cache */
    uint64_t skipped;      /* activations that were left out */
    uint64_t limit;        /* what `skipped` is when one is sampled next */
};

/* Values of `base`. No bucket is in the window then. */
#define STINT_I_NO_WINDOW 255u
#define STINT_I_UNPLACED 254u

/* The part of a thread's calling-context tree that the fast path needs. */
struct stint_i_tree {
    uint32_t state; /* equal to stint_i_state while the thread may take the fast path */
    uint32_t mask;  /* for indexes of slots */
    struct stint_i_node *current;
    struct stint_i_node **table; /* hash table by (parent, id), never NULL; no id matches the node in free slots */
    struct stint_i_noted *noted; /* where the next activation to end is noted; noted_limit: there is no room */
    struct stint_i_noted *noted_limit; /* NULL: there is no trace */
    uint32_t noting;                   /* 1: an activation is being noted */
    uint32_t plain;                    /* fixed; 1: not unordered, and no node is thinned */
    uint32_t unordered;                /* fixed; 1: the counter is read without waiting for the work before it */
    uint32_t counting; /* equal to stint_i_state while activations may be left out, which need no clock */
    uint32_t salt;     /* that of `current`, so that a look-up need not wait for the node */
    uint32_t quick; /* as `state`, but only if the tree is plain and has no trace: then leaving asks for nothing else */
    uintptr_t entering; /* where the stack ended when an activation last began; 0: in the slow path */
    uint32_t complete;  /* as `state`, but only if no activation may be left out: then entering asks for nothing else */
};

/* 0: recording is off. Otherwise a generation number, which changes when threads must take the slow path once; with
 * STINT_I_SLOW, if they always must, because the clock cannot be read inline. */
#define STINT_I_SLOW 1u
extern STINT_API uint32_t stint_i_state;

/* The calling thread's tree. Before the thread's first scope, it is a shared dummy whose state never equals
 * stint_i_state. */
extern STINT_API STINT_I_THREAD_LOCAL struct stint_i_tree *stint_i_self STINT_I_OF_ABI(stint_i_self)
    __attribute__((__tls_model__("initial-exec")));

STINT_API struct stint_i_node *stint_i_enter_slow(struct stint_i_site *site, const char *name,
                                                  struct stint_statset *set);
/* `now` is what stint_i_end_ticks returned. */
STINT_API uint64_t stint_i_leave_slow(struct stint_i_node *node, uint64_t now);
STINT_API void stint_i_abandon(struct stint_i_node *node);

/* What libstint_functions tells libstint of functions that call hooks. A probe calls a function `repeats` times, around
 * work(), or around nothing if that is NULL. */
typedef uint64_t stint_i_work_fn(uint64_t value);
typedef void stint_i_probe_fn(unsigned repeats, stint_i_work_fn *work);
STINT_I_UNSEEN static inline uint64_t stint_i_work(stint_i_work_fn *work, uint64_t value)
{
    return work != STINT_I_NULL ? work(value) : value;
}
struct stint_i_left_out {
    uint64_t excluded_calls; /* of functions that STINT_FUNCTIONS excludes by their names */
    uint64_t tiny_calls;     /* of functions that take less time than recording them would, */
    uint64_t tiny_functions; /* and how many functions these are */
};
struct stint_i_functions {
    stint_i_probe_fn *record;          /* as a function that is recorded */
    stint_i_probe_fn *alone;           /* the same without hooks */
    stint_i_probe_fn *leave_out;       /* as functions that are left out */
    stint_i_probe_fn *leave_out_alone; /* the same without hooks */
    void (*sum)(struct stint_i_left_out *left_out);
};
STINT_API void stint_i_add_functions(const struct stint_i_functions *functions);

/* Measures what recording one call of a function costs, in ticks. Returns 0, or -1 if that is impossible at present. */
struct stint_i_function_cost {
    double whole;
    double inside; /* the part of it that is in the function's own time */
    double ticks_per_ns;
};
STINT_API int stint_i_measure_function(struct stint_i_function_cost *cost);

/* Stores where the stack of the calling function ends. */
STINT_I_UNSEEN STINT_I_INLINE void stint_i_note_stack(uintptr_t *end)
{
#if defined(__x86_64__)
    __asm__ volatile("mov %%rsp, %0" : "=m"(*end));
#elif defined(__aarch64__)
    uintptr_t stack;

    __asm__ volatile("mov %0, sp" : "=r"(stack));
    STINT_I_STORE(end, stack);
#else
    STINT_I_STORE(end, STINT_I_ADDRESS(__builtin_frame_address(0)));
#endif
}

/* Returns whether that is another place now than when it was stored. */
STINT_I_UNSEEN STINT_I_INLINE int stint_i_has_other_stack(const uintptr_t *end)
{
#if defined(__x86_64__)
    int differs;

    __asm__ volatile("cmp %%rsp, %1" : "=@ccne"(differs) : "m"(*end));
    return differs;
#else
    uintptr_t now;

    stint_i_note_stack(&now);
    return STINT_I_LOAD(end) != now;
#endif
}

/* Notes where the stack of the calling function ends, which tells activations that longjmp left from recursion. */
STINT_I_UNSEEN STINT_I_INLINE void stint_i_note_place(struct stint_i_node *node)
{
    stint_i_note_stack(&node->place);
}

/* Makes `node` the running one. A signal handler between the two finds a salt that does not fit: the slow path then
 * finds the child. */
STINT_I_UNSEEN STINT_I_INLINE void stint_i_set_current(struct stint_i_tree *tree, struct stint_i_node *node)
{
    __atomic_store_n(&tree->current, node, __ATOMIC_RELEASE);
    STINT_I_STORE(&tree->salt, node->salt);
}

/* Makes the parent of `node`, the running one, the running one. */
STINT_I_UNSEEN STINT_I_INLINE void stint_i_set_parent(struct stint_i_tree *tree, const struct stint_i_node *node,
                                                      struct stint_i_node *parent)
{
    __atomic_store_n(&tree->current, parent, __ATOMIC_RELEASE);
    STINT_I_STORE(&tree->salt, node->outer_salt); /* which need not wait for the parent */
}

/* Begins an activation of `node`, a child of tree->current, and makes it the current one, in the slow path. */
STINT_I_UNSEEN static inline void stint_i_begin(struct stint_i_tree *tree, struct stint_i_node *node)
{
    uint64_t now;

    STINT_I_STORE(&tree->entering, STINT_I_CAST(uintptr_t, 0)); /* it may be in a handler that interrupted the other */
    stint_i_set_current(tree, node);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    now = stint_i_ticks();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    STINT_I_STORE(&node->child, UINT64_C(0));
    stint_i_note_place(node);
    STINT_I_STORE(&node->start, now);
}

/* Reads the clock at the end of an activation. */
STINT_I_UNSEEN static inline uint64_t stint_i_end_ticks(const struct stint_i_tree *tree)
{
    return STINT_I_LIKELY(tree->plain) || !tree->unordered ? stint_i_ordered_ticks() : stint_i_ticks();
}

STINT_I_UNSEEN static inline int stint_i_has_buckets(const struct stint_i_node *node)
{
    return node->base != STINT_I_NO_WINDOW;
}

/* Returns the place for a sample of `span` ticks in a window that begins at group `base`; STINT_I_WINDOW or more: it is
 * not in there. */
STINT_I_UNSEEN static inline uint32_t stint_i_place(uint32_t base, uint64_t span)
{
    return stint_i_bucket(span) - base * STINT_I_GROUP;
}

/* Returns whether a sample of `span` ticks can be counted by the fast path. If not, its place is not in the window, as
 * that of a negative span never is, or the newest sample's counter is full. */
STINT_I_UNSEEN static inline int stint_i_fits(const struct stint_i_node *node, uint64_t span)
{
    return !stint_i_has_buckets(node) ||
           (stint_i_place(node->base, span) < STINT_I_WINDOW && node->window[node->newest] != UINT16_MAX);
}

/* Adds 1 to a counter. Returns 0, and has changed nothing, if it is full. */
STINT_I_UNSEEN static inline int stint_i_count_up(uint16_t *counter)
{
#if STINT_I_WHOLE
    int overflows;

    __asm__("addw $1, %0" : "+m"(*counter), "=@ccc"(overflows));
    if (STINT_I_LIKELY(!overflows))
        return 1;
    STINT_I_STORE(counter, STINT_I_CAST(uint16_t, UINT16_MAX));
    return 0;
#else
    const uint16_t samples = STINT_I_CAST(uint16_t, *counter + 1u);

    if (STINT_I_UNLIKELY(samples == 0))
        return 0;
    STINT_I_STORE(counter, samples);
    return 1;
#endif
}

/* Counts the newest sample in the window of a node that has buckets, and makes this one the newest. Returns 0, and has
 * changed nothing, if it does not fit. If a sample were counted at once, the address of its counter would depend on a
 * reading of the clock that is under way, and everything behind would wait for that. */
STINT_I_UNSEEN static inline int stint_i_count_newest(struct stint_i_node *node, uint32_t bucket)
{
    const uint32_t place = bucket - node->base * STINT_I_GROUP;

    if (STINT_I_UNLIKELY(place >= STINT_I_WINDOW) || STINT_I_UNLIKELY(!stint_i_count_up(&node->window[node->newest])))
        return 0;
    STINT_I_STORE(&node->newest, STINT_I_CAST(uint16_t, place));
    return 1;
}

/* Counts one activation of `node` that took `span` ticks, but not in the histogram. */
STINT_I_UNSEEN static inline void stint_i_count(struct stint_i_node *node, uint64_t span, double ticks)
{
    STINT_I_ADD(&node->count, 1u);
    STINT_I_ADD(&node->total, span);
#if STINT_I_WHOLE
    node->square += ticks * ticks;
#else
    {
        double square;

        __atomic_load(&node->square, &square, __ATOMIC_RELAXED);
        square += ticks * ticks;
        __atomic_store(&node->square, &square, __ATOMIC_RELAXED);
    }
#endif
    if (STINT_I_UNLIKELY(span < node->min))
        STINT_I_STORE(&node->min, span);
    if (STINT_I_UNLIKELY(span > node->max))
        STINT_I_STORE(&node->max, span);
}

/* Notes an activation for the trace, of a tree that has one. Returns 0, and has changed nothing, if the chunk is full
 * or a signal handler interrupted another note: the slow path then does it. With a trace, nodes have a path from the
 * beginning. Not inlined: most programs have no trace. */
STINT_I_UNSEEN STINT_I_RARE int stint_i_note(struct stint_i_tree *tree, const struct stint_i_node *node, uint64_t start,
                                             uint64_t span, uint32_t form)
{
    struct stint_i_noted *note;

    if (STINT_I_UNLIKELY(tree->noting))
        return 0;
    tree->noting = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    note = tree->noted;
    if (STINT_I_UNLIKELY(note == tree->noted_limit)) {
        tree->noting = 0;
        return 0;
    }
    STINT_I_STORE(&note->start, start);
    STINT_I_STORE(&note->span, span);
    STINT_I_STORE(&note->form, form);
    __atomic_store_n(&note->path, STINT_I_LOAD(&node->path), __ATOMIC_RELEASE);
    tree->noted = note + 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tree->noting = 0;
    return 1;
}

/* Makes the parent of the running activation, which took `span` ticks and is counted, the running one. */
STINT_I_UNSEEN static inline void stint_i_finish(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span)
{
    struct stint_i_node *const parent = node->parent;

    STINT_I_ADD(&node->self, span - node->child);
    STINT_I_ADD(&parent->child, span);
    STINT_I_STORE(&node->start, UINT64_C(0));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    stint_i_set_parent(tree, node, parent);
}

/* Ends the running activation of tree->current, which took `span` ticks, where there is no trace. Returns 0, and has
 * changed nothing, if that is left to the slow path. */
STINT_I_UNSEEN STINT_I_INLINE int stint_i_end_unnoted(struct stint_i_tree *tree, struct stint_i_node *node,
                                                      uint64_t span)
{
    const double ticks = STINT_I_CAST(double, STINT_I_CAST(int64_t, span));

    if (STINT_I_LIKELY(stint_i_has_buckets(node)) &&
        STINT_I_UNLIKELY(!stint_i_count_newest(node, stint_i_bucket_of(span, ticks))))
        return 0;
    stint_i_count(node, span, ticks);
    stint_i_finish(tree, node, span);
    return 1;
}

/* The same where there may be a trace. */
STINT_I_UNSEEN static inline int stint_i_end(struct stint_i_tree *tree, struct stint_i_node *node, uint64_t span)
{
    if (STINT_I_UNLIKELY(tree->noted_limit != STINT_I_NULL) &&
        !(stint_i_fits(node, span) && stint_i_note(tree, node, STINT_I_LOAD(&node->start), span, 0)))
        return 0;
    return stint_i_end_unnoted(tree, node, span);
}

/* Returns what is in the slot where a child of tree->current with this id is looked for. */
STINT_I_UNSEEN static inline struct stint_i_node *stint_i_look_up(const struct stint_i_tree *tree, uint32_t id)
{
    const uint32_t slot = (STINT_I_LOAD(&tree->salt) + id) & STINT_I_LOAD(&tree->mask);

    __atomic_signal_fence(
        __ATOMIC_SEQ_CST); /* a signal handler may grow slots and mask; an old mask is valid for new slots */
    return STINT_I_LOAD(&tree->table)[slot];
}

/* Begins the running activation of `node` now, unless it has had a child. Not `inline`, of which gcc does not let one
 * say that it is not to be inlined. */
STINT_I_UNSEEN static __attribute__((__cold__, __noinline__, __unused__)) void
stint_i_restart(struct stint_i_node *node)
{
    if (STINT_I_LOAD(&node->child) == 0)
        STINT_I_STORE(&node->start, stint_i_ticks());
}

/* Begins the child of tree->current with this id if it is in the slot where the fast path looks; else returns NULL.
 *
 * The clock is read before the node is compared and stored, but after it has been asked for: the processor does the
 * rest while it reads the clock, and need not wait for the node then. A scope that a signal handler ran in between
 * leaves another end of the stack in tree->entering. Unless it is a child of this activation, it would count twice, as
 * part of it and as a child of its parent: therefore this activation then begins once more. Id and parent are compared
 * by one branch: that is less code, and no slower. */
STINT_I_UNSEEN static inline struct stint_i_node *stint_i_begin_child(struct stint_i_tree *tree, uint32_t id)
{
    struct stint_i_node *const current = tree->current;
    struct stint_i_node *node;
    uint64_t now;
    uintptr_t differs;

    stint_i_note_stack(&tree->entering);
    node = stint_i_look_up(tree, id);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    now = stint_i_ticks();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    differs = (node->key ^ id) | (STINT_I_ADDRESS(node->parent) ^ STINT_I_ADDRESS(current));
    if (STINT_I_LIKELY(differs == 0)) {
        STINT_I_STORE(&node->child, UINT64_C(0));
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        stint_i_set_current(tree, node);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        stint_i_note_place(node);
        STINT_I_STORE(&node->start, now);
        if (STINT_I_UNLIKELY(stint_i_has_other_stack(&tree->entering)))
            stint_i_restart(node);
        return node;
    }
    return STINT_I_NULL;
}

STINT_I_UNSEEN static inline struct stint_i_thinning *stint_i_thinning_of(struct stint_i_node *node)
{
    return STINT_I_CAST(struct stint_i_thinning *, STINT_I_CAST(void *, node)) - 1;
}

/* If the child of tree->current with this id is thinned, and this activation is to be left out, makes it the current
 * node; else returns NULL. */
STINT_I_UNSEEN static inline struct stint_i_node *stint_i_leave_out(struct stint_i_tree *tree, uint32_t id)
{
    struct stint_i_node *const current = tree->current;
    struct stint_i_node *const node = stint_i_look_up(tree, id);
    struct stint_i_thinning *const thinning = stint_i_thinning_of(node);

    if (node->key != ~id || node->parent != current ||
        STINT_I_LOAD(&thinning->skipped) >= STINT_I_LOAD(&thinning->limit))
        return STINT_I_NULL;
    stint_i_set_current(tree, node);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    STINT_I_STORE(&node->child, UINT64_C(0));
    STINT_I_ADD(&thinning->skipped, 1u);
    return node;
}

/* Begins the child of tree->current with this id, or leaves this activation out; else returns NULL. What is left out
 * needs no clock, and so is looked for first. */
STINT_I_UNSEEN static inline struct stint_i_node *stint_i_begin_or_leave_out(struct stint_i_tree *tree, uint32_t state,
                                                                             uint32_t id)
{
    struct stint_i_node *node = STINT_I_NULL;

    if (STINT_I_UNLIKELY(tree->complete != state) && STINT_I_LIKELY(tree->counting == state))
        node = stint_i_leave_out(tree, id);
    if (node == STINT_I_NULL && STINT_I_LIKELY(tree->state == state))
        node = stint_i_begin_child(tree, id);
    return node;
}

/* Ends the running activation of tree->current if it is one of `node` that was left out; else returns 0. What was
 * recorded in it is not part of the self time of what is around it. */
STINT_I_UNSEEN STINT_I_RARE int stint_i_end_left_out(struct stint_i_tree *tree, struct stint_i_node *node)
{
    struct stint_i_node *const parent = node->parent;

    if (STINT_I_LOAD(&node->start) != 0 || tree->current != node)
        return 0;
    STINT_I_ADD(&parent->child, STINT_I_LOAD(&node->child));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    stint_i_set_parent(tree, node, parent);
    return 1;
}

/* Reads the clock at the end of an activation. `*span` is how many ticks have passed since the node's start, unless
 * `*more` says how often 2^32 more have passed, or is other than 0 since the span is negative. */
STINT_I_UNSEEN STINT_I_INLINE void stint_i_read_span(const struct stint_i_node *node, uint64_t *span, uint64_t *more)
{
#if defined(__x86_64__)
    __asm__ volatile("rdtscp\n\tsub %c3(%2), %%eax\n\tsbb %c4(%2), %%edx"
                     : "=&a"(*span), "=&d"(*more)
                     : "r"(node), "i"(offsetof(struct stint_i_node, start)),
                       "i"(offsetof(struct stint_i_node, start) + 4)
                     : "rcx", "cc", "memory");
#else
    const uint64_t ticks = stint_i_ordered_ticks() - node->start;

    *span = ticks & UINT32_MAX;
    *more = ticks >> 32;
#endif
}

typedef struct stint_i_node *stint_i_enter_fn(struct stint_i_site *site, const char *name, struct stint_statset *set);

/* Enters a scope by the fast path if `required`, of this tree, is what stint_i_state is, or else by `otherwise`. */
STINT_I_UNSEEN STINT_I_INLINE struct stint_i_node *stint_i_enter_or(struct stint_i_site *site, const char *name,
                                                                    struct stint_statset *set,
                                                                    struct stint_i_tree *tree, uint32_t required,
                                                                    stint_i_enter_fn *otherwise)
{
    const uint32_t state = STINT_I_LOAD(&stint_i_state);

    if (STINT_I_LIKELY(required == state)) {
        struct stint_i_node *const node = stint_i_begin_child(tree, __atomic_load_n(&site->id, __ATOMIC_ACQUIRE));

        if (STINT_I_LIKELY(node != STINT_I_NULL))
            return node;
    } else if (state == 0) {
        return STINT_I_NULL;
    }
    return otherwise(site, name, set);
}

/* Enters a scope. Returns its node, or NULL if recording is off or a limit is reached. Leaving NULL does nothing. */
STINT_I_UNSEEN static inline struct stint_i_node *stint_i_enter(struct stint_i_site *site, const char *name,
                                                                struct stint_statset *set)
{
    struct stint_i_tree *const tree = stint_i_self;

    return stint_i_enter_or(site, name, set, tree, tree->state, stint_i_enter_slow);
}

/* What stint_i_enter_thinned does if the fast path does not. */
STINT_I_UNSEEN STINT_I_RARE struct stint_i_node *stint_i_enter_rarely(struct stint_i_site *site, const char *name,
                                                                      struct stint_statset *set)
{
    struct stint_i_node *const node = stint_i_begin_or_leave_out(stint_i_self, STINT_I_LOAD(&stint_i_state),
                                                                 __atomic_load_n(&site->id, __ATOMIC_ACQUIRE));

    return STINT_I_LIKELY(node != STINT_I_NULL) ? node : stint_i_enter_slow(site, name, set);
}

/* As stint_i_enter, but this activation may be left out. */
STINT_I_UNSEEN STINT_I_INLINE struct stint_i_node *stint_i_enter_thinned(struct stint_i_site *site, const char *name,
                                                                         struct stint_statset *set)
{
    struct stint_i_tree *const tree = stint_i_self;

    return stint_i_enter_or(site, name, set, tree, tree->complete, stint_i_enter_rarely);
}

/* Leaves a scope of a tree that is not quick, or whose state has changed. */
STINT_I_UNSEEN STINT_I_LARGE uint64_t stint_i_leave_rarely(struct stint_i_tree *tree, struct stint_i_node *node)
{
    uint64_t now, span;

    if (STINT_I_UNLIKELY(!tree->plain) && stint_i_end_left_out(tree, node))
        return 0;
    now = stint_i_end_ticks(tree);
    span = now - STINT_I_LOAD(&node->start);
    if (STINT_I_LIKELY(tree->current == node && tree->state == STINT_I_LOAD(&stint_i_state)) &&
        STINT_I_LIKELY(span < UINT64_C(1) << 53 && stint_i_end(tree, node, span)))
        return span;
    return stint_i_leave_slow(node, now);
}

/* Leaves the scope of `node`. Returns the duration of the activation in ticks, or 0 if nothing was recorded. */
STINT_I_UNSEEN STINT_I_LARGE uint64_t stint_i_leave_node(struct stint_i_node *node)
{
    struct stint_i_tree *const tree = stint_i_self;
    uint64_t span, more;

    if (STINT_I_UNLIKELY(tree->quick != STINT_I_LOAD(&stint_i_state)))
        return stint_i_leave_rarely(tree, node);
    if (STINT_I_UNLIKELY(tree->current != node))
        return stint_i_leave_slow(node, stint_i_ordered_ticks());
    stint_i_read_span(node, &span, &more);
    if (STINT_I_LIKELY(more == 0) && STINT_I_LIKELY(stint_i_end_unnoted(tree, node, span)))
        return span;
    return stint_i_leave_slow(node, STINT_I_LOAD(&node->start) + (more << 32) + span);
}

/* Leaves a scope, unless `node` is NULL. Returns the same as stint_i_leave_node. */
STINT_I_UNSEEN STINT_I_INLINE uint64_t stint_i_leave(struct stint_i_node *node)
{
    STINT_I_FORGET(node);
    return node ? stint_i_leave_node(node) : 0;
}

STINT_EXTERN_C_END

#endif
