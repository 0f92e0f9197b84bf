/* Ranges that a thread pushes and pops, as nodes of its calling-context tree.
 *
 * Every domain has a stack of its own on every thread, while a tree has one place that runs. Where ranges of several
 * domains, or ranges and timers, nest, the two agree. Where they do not, nvtx/overlap.h keeps every time whole. */
#ifndef STINT_NVTX_RANGE_H
#define STINT_NVTX_RANGE_H

#include <stdint.h>

#include "nvtx/abi.h"
#include "nvtx/domain.h"

/* What pop returns where nothing was pushed. */
enum { STINT_NVTX_MISMATCHED = -1 };

struct stint_nvtx_open {
    struct stint_i_node *node; /* NULL: not recorded, or no longer */
    const struct stint_nvtx_domain *domain;
    uint32_t id; /* of the statistic; 0: not recorded */
    int ended;   /* popped, but what runs below it has not ended yet (nvtx/overlap.h) */
};

/* One thread's open ranges, over all domains. Lives with the thread's tree. */
struct stint_nvtx_ranges {
    uint32_t depth;
    uint32_t capacity;
    uint32_t ended;  /* among the open ones */
    uint32_t beyond; /* innermost ones for which there was no place */
    struct stint_nvtx_open *open;
    /* The outermost range that went on when the one around it ended, for snapshots: it is open as long as its node's
     * activation is the one that began at that time. NULL: none yet. */
    const struct stint_i_node *outlived;
    uint64_t outlived_start;
    uint32_t level[STINT_NVTX_MAX_DOMAINS]; /* open ones that were not popped, by domain */
};

int stint_nvtx_range_push_slow(struct stint_nvtx_domain *domain, uint32_t id);
int stint_nvtx_range_pop_slow(struct stint_nvtx_domain *domain, uint32_t *id);

/* Pushes a range of the statistic (0: one that is not recorded). Returns its level in the domain, from 0 on, or
 * STINT_NVTX_UNTRACKED.
 *
 * A signal handler may push and pop between any two instructions: a place is taken before it is filled, and given back
 * last. */
static inline int stint_nvtx_range_push(struct stint_nvtx_domain *domain, uint32_t id)
{
    struct stint_i_tree *tree = stint_i_self;

    if (STINT_I_UNLIKELY(tree->state != STINT_I_LOAD(&stint_i_state)))
        return stint_nvtx_range_push_slow(domain, id);
    struct stint_nvtx_ranges *ranges = ((struct stint_thread_record *)(void *)tree)->extension;
    if (STINT_I_UNLIKELY(!ranges || (ranges->ended | ranges->beyond) || ranges->depth == ranges->capacity))
        return stint_nvtx_range_push_slow(domain, id);
    struct stint_nvtx_open *open = &ranges->open[ranges->depth++];
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    open->domain = domain;
    open->id = id;
    open->ended = 0;
    open->node = stint_i_begin_child(tree, id);
    if (STINT_I_LIKELY(open->node != NULL))
        return (int)ranges->level[domain->index]++;
    ranges->depth--;
    return stint_nvtx_range_push_slow(domain, id);
}

/* Pops the domain's innermost range. Returns its level, or STINT_NVTX_MISMATCHED if there is none, which is counted, or
 * STINT_NVTX_UNTRACKED. `id` receives its statistic; 0: none. */
static inline int stint_nvtx_range_pop(struct stint_nvtx_domain *domain, uint32_t *id)
{
    uint64_t now = stint_i_ticks();
    struct stint_i_tree *tree = stint_i_self;

    if (STINT_I_UNLIKELY(tree->state != STINT_I_LOAD(&stint_i_state)))
        return stint_nvtx_range_pop_slow(domain, id);
    struct stint_nvtx_ranges *ranges = ((struct stint_thread_record *)(void *)tree)->extension;
    if (STINT_I_UNLIKELY(!ranges || (ranges->ended | ranges->beyond) || !ranges->depth))
        return stint_nvtx_range_pop_slow(domain, id);
    struct stint_nvtx_open *open = &ranges->open[ranges->depth - 1];
    if (STINT_I_UNLIKELY(open->domain != domain || open->node != tree->current))
        return stint_nvtx_range_pop_slow(domain, id);
    uint64_t span = now - STINT_I_LOAD(&open->node->start);
    if (STINT_I_UNLIKELY(span > (uint64_t)INT64_MAX))
        return stint_nvtx_range_pop_slow(domain, id);
    *id = open->id;
    stint_i_end(tree, open->node, span);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ranges->depth--;
    return (int)--ranges->level[domain->index];
}

#endif
