/* Ranges that a thread pushes and pops, as nodes of its calling-context tree.
 *
 * Every domain has a stack of its own on every thread, while a tree has only one running node. Where ranges of several
 * domains, or ranges and timers, nest properly, the two agree. Where they do not, nvtx/overlap.h keeps all times
 * correct. */
#ifndef STINT_NVTX_RANGE_H
#define STINT_NVTX_RANGE_H

#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"
#include "record/count.h"
#include "record/note.h"

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
    STINT_NVTX_ENDED = 1, /* popped, but a scope below it is still running (nvtx/overlap.h) */
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

int stint_nvtx_range_pop_slow(struct stint_nvtx_domain *domain, uint32_t *id);

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

#endif
