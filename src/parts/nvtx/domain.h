/* Domains, and the sets of statistics of their events. The handle of a domain is its address; NULL is the default
 * domain. Domains live until the process ends, because a handle may be used after its domain was destroyed. */
#ifndef STINT_NVTX_DOMAIN_H
#define STINT_NVTX_DOMAIN_H

#include <errno.h>
#include <stdint.h>

#include "base/arena.h"
#include "record/registry.h"
#include "record/thread.h"
#include "stint/nvtx_stats.h"

/* Declarations that the files of this stage share. */

/* Limits. Memory is used only as needed. */
enum {
    STINT_NVTX_MAX_DOMAINS = 256,
    STINT_NVTX_MAX_STRINGS = 1 << 16,
    STINT_NVTX_MAX_TEXT = 1 << 26, /* bytes, over all strings */
    STINT_NVTX_MAX_SCHEMAS = 1 << 10,
    STINT_NVTX_MAX_COUNTERS = 1 << 10,
    STINT_NVTX_MAX_NAMES = 1 << 14,
    STINT_NVTX_MAX_VALUES = 1 << 14,
    STINT_NVTX_MAX_OPEN = 1 << 16,     /* started ranges, at one time */
    STINT_NVTX_MAX_DEPTH = 1 << 16,    /* pushed ranges of one thread, at one time */
    STINT_NVTX_MAX_OPEN_TEXT = 1 << 20 /* bytes, over the texts with data of these ranges */
};

/* Changed with stint_nvtx_count; counts of dropped events and the like. `open` and `outlived` are not kept here. */
extern struct stint_nvtx_info stint_nvtx_counts;

static inline void stint_nvtx_count(uint64_t *counter, uint64_t by)
{
    __atomic_add_fetch(counter, by, __ATOMIC_RELAXED);
}

/* Memory that lives until the process ends. Under the registry's lock, which also guards this stage's tables, so that
 * only one lock has to be free when a process forks. */
extern struct stint_arena stint_nvtx_arena;

/* Begin and end a section that signal handlers on this thread must not enter, and restore errno at its end. The first
 * returns 1, or 0 in such a signal handler, which is counted; then there is nothing to end. */
static inline int stint_nvtx_begin(int *error)
{
    *error = errno;
    if (stint_guard_begin())
        return 1;
    stint_count_dropped(&stint_dropped.reentrant);
    return 0;
}

static inline void stint_nvtx_end(int error)
{
    stint_guard_end();
    errno = error;
}

/* --------------------------------------------------------------------------------------------------------- domain.c */

/* The kinds of statistics. Counters' statistics have no samples: they name values (nvtx/payload.h), and are reset like
 * all others. */
enum stint_nvtx_kind { STINT_NVTX_PUSHED, STINT_NVTX_STARTED, STINT_NVTX_MARKED, STINT_NVTX_COUNTED };

enum { STINT_NVTX_KINDS = STINT_NVTX_COUNTED + 1 };

struct stint_nvtx_domain {
    _Alignas(64) const char *name; /* NULL: the default domain; so all are zeros, which need no room in the file */
    uint32_t index;
    int ignored;                                  /* the events come from stint itself, so they are recorded already */
    struct stint_statset *sets[STINT_NVTX_KINDS]; /* NULL until the set is made */
};

/* [0] is the default domain. */
extern struct stint_nvtx_domain stint_nvtx_domains[STINT_NVTX_MAX_DOMAINS];

static inline const char *stint_nvtx_domain_name(const struct stint_nvtx_domain *domain)
{
    return domain->name ? domain->name : "";
}

/* Returns the domain, or NULL if the handle is not one of stint's domains or its events are ignored. */
static inline struct stint_nvtx_domain *stint_nvtx_domain_of(const void *handle)
{
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)stint_nvtx_domains;
    struct stint_nvtx_domain *domain = &stint_nvtx_domains[0];
    if (handle) {
        if (STINT_I_UNLIKELY(offset >= sizeof stint_nvtx_domains))
            return NULL;
        domain += offset / sizeof *domain;
    }
    return STINT_I_UNLIKELY(domain->ignored) ? NULL : domain;
}

/* Returns the set for that kind of event in the domain, which is created if it is missing; NULL in a signal handler
 * that interrupted stint. */
const struct stint_statset *stint_nvtx_domain_set(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind);

#endif
