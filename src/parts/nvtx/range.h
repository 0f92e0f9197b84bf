/* Ranges that a thread pushes and pops, as nodes of its calling-context tree.
 *
 * Every domain has a stack of its own on every thread, while a tree has only one running node. Where ranges of several
 * domains, or ranges and timers, nest properly, the two agree. Where they do not, nvtx/range.h keeps all times
 * correct. */
#ifndef STINT_NVTX_RANGE_H
#define STINT_NVTX_RANGE_H

#include <stdint.h>

#include "notes/note.h"
#include "nvtx/abi.h"
#include "nvtx/domain.h"
#include "record/scope.h"

/* What pop returns if nothing was pushed. */
enum { STINT_NVTX_MISMATCHED = -1 };

struct stint_nvtx_open {
    struct stint_i_node *node; /* NULL: not recorded, or not any more */
    const struct stint_nvtx_domain *domain;
    uint32_t id;    /* of the statistic; 0: not recorded */
    uint32_t state; /* 0, or what makes the slow path pop it: STINT_NVTX_ENDED, and how many bytes are kept of it */
    uint32_t kept;  /* where these are in what the thread keeps */
};

enum {
    STINT_NVTX_ENDED = 1, /* popped, but a scope below it is still running (nvtx/range.h) */
    STINT_NVTX_KEPT_SHIFT = 1
};

static inline uint32_t stint_nvtx_kept_length(const struct stint_nvtx_open *open)
{
    return open->state >> STINT_NVTX_KEPT_SHIFT;
}

/* One thread's open ranges, in all domains. Lives as long as the thread's tree. */
struct stint_nvtx_ranges {
    uint32_t depth;
    uint32_t capacity;
    uint32_t special; /* number of open ranges whose state is not 0 */
    uint32_t beyond;  /* number of innermost ranges without a place */
    struct stint_nvtx_open *open;
    char
        *kept; /* struct stint_note_more of open ranges, and their texts: one after the other, in the order of ranges */
    uint32_t kept_used;
    uint32_t kept_size;
    /* The outermost range that continued when the range around it ended, for snapshots: it is open as long as its node
     * is in the activation that began at that time. NULL: none yet. */
    const struct stint_i_node *outlived;
    uint64_t outlived_start;
    uint32_t level[STINT_NVTX_MAX_DOMAINS]; /* by domain: the number of open ranges that were not popped */
};

int stint_nvtx_range_push_slow(struct stint_nvtx_domain *domain, uint32_t id);

/* Does the same as stint_nvtx_range_push, and keeps what is to be noted until the range ends. */
int stint_nvtx_range_push_more(struct stint_nvtx_domain *domain, uint32_t id, const struct stint_note_more *more);

__attribute__((cold)) int stint_nvtx_range_pop_slow(struct stint_nvtx_domain *domain, uint32_t *id);

/* Pushes a range of the statistic (0: a range that is not recorded). Returns its level in the domain, counted from 0,
 * or STINT_NVTX_UNTRACKED.
 *
 * A signal handler may push and pop between any two instructions, so a place is taken before it is filled, and given
 * back last. */
static inline int stint_nvtx_range_push(struct stint_nvtx_domain *domain, uint32_t id)
{
    struct stint_i_tree *tree = stint_i_self;
    if (STINT_I_UNLIKELY(tree->state != STINT_I_LOAD(&stint_i_state)))
        return stint_nvtx_range_push_slow(domain, id);
    struct stint_nvtx_ranges *ranges = ((struct stint_thread_record *)(void *)tree)->extension;
    if (STINT_I_UNLIKELY(!ranges || (ranges->special | ranges->beyond) || ranges->depth == ranges->capacity))
        return stint_nvtx_range_push_slow(domain, id);
    struct stint_nvtx_open *open = &ranges->open[ranges->depth++];
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    open->domain = domain;
    open->id = id;
    open->state = 0;
    open->node = stint_i_begin_child(tree, id);
    if (STINT_I_LIKELY(open->node != NULL))
        return (int)ranges->level[domain->index]++;
    ranges->depth--;
    return stint_nvtx_range_push_slow(domain, id);
}

/* Pops the domain's innermost range. Returns its level; STINT_NVTX_MISMATCHED if there is none, which is counted; or
 * STINT_NVTX_UNTRACKED. `id` receives the range's statistic; 0: none. */
static inline int stint_nvtx_range_pop(struct stint_nvtx_domain *domain, uint32_t *id)
{
    struct stint_i_tree *tree = stint_i_self;
    uint64_t now = stint_i_end_ticks(tree);
    if (STINT_I_UNLIKELY(tree->state != STINT_I_LOAD(&stint_i_state)))
        return stint_nvtx_range_pop_slow(domain, id);
    struct stint_nvtx_ranges *ranges = ((struct stint_thread_record *)(void *)tree)->extension;
    if (STINT_I_UNLIKELY(!ranges || (ranges->special | ranges->beyond) || !ranges->depth))
        return stint_nvtx_range_pop_slow(domain, id);
    struct stint_nvtx_open *open = &ranges->open[ranges->depth - 1];
    if (STINT_I_UNLIKELY(open->domain != domain || open->node != tree->current))
        return stint_nvtx_range_pop_slow(domain, id);
    uint64_t span = now - STINT_I_LOAD(&open->node->start);
    if (STINT_I_UNLIKELY(span > (uint64_t)INT64_MAX))
        return stint_nvtx_range_pop_slow(domain, id);
    *id = open->id;
    stint_end(tree, open->node, span, 0);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ranges->depth--;
    return (int)--ranges->level[domain->index];
}

/* --------------------------------------------------------------------------------------------------------- sample.c */

/* Samples of what has a time but is no scope that runs on a thread: marks, and ranges that may start on one thread and
 * end on another. */

/* Returns the ticks from `start` to `now`; 0 if the clock stepped back, which is counted. */
uint64_t stint_nvtx_span(uint64_t start, uint64_t now);

/* Return what is noted of an event beside its times: nothing without a trace; of a text, which may be NULL, nothing if
 * it carries no data. Beyond STINT_NOTE_TEXT_MOST a text is cut, which is counted. */
struct stint_note_more stint_nvtx_more_of_text(const char *text);
struct stint_note_more stint_nvtx_more(const struct stint_nvtx_attributes *whole);

/* Adds a sample of length 0, now and not within a scope, to the statistic; id 0: does nothing. */
void stint_nvtx_mark(uint32_t id, struct stint_note_more more);

/* Ranges that may start on one thread and end on another. */

/* Makes room for STINT_NVTX_MAX_OPEN. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_spans_start(void);

/* Starts a range of the statistic; `more` is noted when it ends. Returns the number that ends it; 0 if too many ranges
 * are open, which is counted, or id is 0. */
uint64_t stint_nvtx_span_start(uint32_t id, struct stint_note_more more);

/* Ends the range: adds one sample, from its start to its end. Returns its statistic, or 0 if it is not open, which is
 * counted. Range 0, which stands for no range, is ignored. */
uint32_t stint_nvtx_span_end(uint64_t range);

/* Returns how many ranges are open. */
uint64_t stint_nvtx_spans_open(void);

/* -------------------------------------------------------------------------------------------------------- overlap.c */

/* The end of a range that is not the innermost.
 *
 * Push A in one domain and B in another, then pop A, then B. The tree's own rule, by which everything below a scope
 * ends with it, would cut B short. Instead A ends, and B goes on as a sibling of A: as one activation of its whole
 * length, which is counted where it ends, below A's parent. So time of B's children while A runs is charged to A/B,
 * later time to B alone; and every moment is in the self time of only one node.
 *
 * This is impossible for a timer of the program, because the timer holds a pointer to its node. If a timer runs below
 * A, A is counted now and stays in the tree as a shell, whose further time belongs to its parent, until the thread's
 * first call of NVTX after the timer has ended. In snapshots a shell is a running scope; another range of the same name
 * below it is recursive; and it is abandoned if a timer around it ends first. */

/* Ends the open range at that position, which has not ended, in the way that its place in the tree requires. Inside the
 * guard, after the tree has caught up. The caller updates levels. */
void stint_nvtx_end_range(struct stint_tree *tree, struct stint_nvtx_ranges *ranges, uint32_t at, uint64_t now);

/* Removes the shells below which nothing runs any more. Inside the guard. */
void stint_nvtx_settle(struct stint_tree *tree, struct stint_nvtx_ranges *ranges);

/* Returns whether a range is open although the range around it has ended. This may be intended, but if the range never
 * ends, everything that the thread does from then on is below it. Any thread may call this, under the lock. */
int stint_nvtx_has_outlived(const struct stint_nvtx_ranges *ranges);

#endif
