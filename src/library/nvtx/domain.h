/* Domains, and the sets of statistics that their events are in. The handle of a domain is its address; NULL is the
 * default one. They live until the process ends, because handles may be used after a domain was destroyed. */
#ifndef STINT_NVTX_DOMAIN_H
#define STINT_NVTX_DOMAIN_H

#include <stdint.h>

#include "nvtx/state.h"

/* What statistics are of. Those of counters have no samples: they name values (nvtx/value.h), and are reset as all
 * are. */
enum stint_nvtx_kind { STINT_NVTX_PUSHED, STINT_NVTX_STARTED, STINT_NVTX_MARKED, STINT_NVTX_COUNTED };

enum { STINT_NVTX_KINDS = STINT_NVTX_COUNTED + 1 };

struct stint_nvtx_domain {
    _Alignas(64) const char *name; /* NULL: the default one, so that all are zeros, which need no room in the file */
    uint32_t index;
    int ignored;                                  /* what stint itself produces: its events are recorded already */
    struct stint_statset *sets[STINT_NVTX_KINDS]; /* NULL until there is one */
};

/* [0] is the default domain. */
extern struct stint_nvtx_domain stint_nvtx_domains[STINT_NVTX_MAX_DOMAINS];

static inline const char *stint_nvtx_domain_name(const struct stint_nvtx_domain *domain)
{
    return domain->name ? domain->name : "";
}

/* Returns the domain, or NULL if the handle is none of ours, or its events are ignored. */
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

/* Returns the handle of the domain with that name, made if missing: NULL, the default one, for no name and beyond the
 * limit, which is counted.
 *
 * "stint" is the domain in which stint tells tools of its timers (nvtx/scope_ranges.h). It is NULL, so that stint finds
 * no tool and spares itself the telling; unless STINT_NVTX=on, with which it tells anyway, and then of a domain that is
 * ignored. */
const void *stint_nvtx_domain_create(const char *name);

/* Returns the set of the domain's events of that kind, made if missing; NULL in a signal handler that interrupted
 * stint. */
const struct stint_statset *stint_nvtx_domain_set(struct stint_nvtx_domain *domain, enum stint_nvtx_kind kind);

#endif
