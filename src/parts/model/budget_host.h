/* The interface of what keeps STINT_BUDGET, in libstint_module.so: libstint loads it when a budget is asked for. */
#ifndef STINT_MODEL_BUDGET_HOST_H
#define STINT_MODEL_BUDGET_HOST_H

#include <stdint.h>

#include "stint/version.h"

struct stint_budget;
struct stint_entry;

/* What libstint gives. */
struct stint_budget_host {
    uint64_t version;              /* STINT_BUDGET_VERSION */
    double share;                  /* set by the module: of each thread's time that recording may cost */
    struct stint_entry ***entries; /* the statistics by id (record/registry.h) */
    uint64_t (*ticks)(void);
    double ticks_per_ns;
    int needs_all; /* 1: each activation is traced, passed on or has its CPU time read */
};

/* The function named STINT_BUDGET_SYMBOL returns NULL if the host has another version than the library: another layout
 * of nodes. */
#define STINT_BUDGET_SYMBOL "stint_budget_open"
#define STINT_BUDGET_VERSION                                                                                           \
    (((uint64_t)STINT_VERSION << 32) + ((uint64_t)sizeof(struct stint_i_thinning) << 16) + sizeof(struct stint_i_node))

/* `text` is STINT_BUDGET. On failure `reason` says why. */
typedef const struct stint_budget *stint_budget_fn(struct stint_budget_host *host, const char *text,
                                                   const char **reason);

#endif
