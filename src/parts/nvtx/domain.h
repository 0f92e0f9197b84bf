/* Domains, and the sets of statistics of their events. The handle of a domain is its address; NULL is the default
 * domain. Domains live until the process ends, because a handle may be used after its domain was destroyed. */
#ifndef STINT_NVTX_DOMAIN_H
#define STINT_NVTX_DOMAIN_H

#include <stdint.h>

#include "nvtx/state.h"

/* The kinds of statistics. Counters' statistics have no samples: they name values (nvtx/value.h), and are reset like
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

/* Returns the handle of the domain with that name, which is created if it is missing. Returns NULL, the default domain,
 * for no name and beyond the limit, which is counted.
 *
 * "stint" is the domain in which stint passes its timers on to tools (nvtx/scope_ranges.h). Its handle is NULL, so that
 * stint sees that no other tool is there and passes nothing on; but with STINT_NVTX=on stint passes its timers on
 * anyway, and the handle is that of a domain whose events are ignored. */
const void *stint_nvtx_domain_create(const char *name);

/* Returns the set for that kind of event in the domain, which is created if it is missing; NULL in a signal handler
 * that interrupted stint. */
const struct stint_statset *stint_nvtx_domain_set(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind);

#endif
