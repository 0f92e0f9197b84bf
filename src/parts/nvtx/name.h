/* The names that a program gives to threads, CUDA's objects, categories and resources. */
#ifndef STINT_NVTX_NAME_H
#define STINT_NVTX_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/domain.h"
#include "stint/nvtx_stats.h"

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_names_start(void);

/* Sets or replaces a name. `domain` is that of a category or a resource, else the default domain. Returns an address
 * that is unique to the named object, or NULL beyond a limit, which is counted. */
const void *stint_nvtx_name_set(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle,
                                const char *text);

/* Returns the name, or NULL. Needs no lock. */
const char *stint_nvtx_name_of(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle);

/* Fills a row with the name at a position, counted from 0. Returns 1; 0 if there is nothing to show; -1 after the last
 * position. Needs no lock; the texts live until the process ends. */
int stint_nvtx_name_at(size_t position, struct stint_nvtx_name *row);

#endif
