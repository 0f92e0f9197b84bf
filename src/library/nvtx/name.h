/* The names that a program gives to threads, CUDA's objects, categories and resources. */
#ifndef STINT_NVTX_NAME_H
#define STINT_NVTX_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/domain.h"
#include "stint/nvtx_stats.h"

/* Makes room. Returns 0, or -1 if there is no memory. Under the lock. */
int stint_nvtx_names_start(void);

/* Names it, or names it anew. `domain` is a category's or a resource's, or the default one. Returns something unique to
 * what was named, NULL beyond a limit, which is counted. */
const void *stint_nvtx_name_set(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle,
                                const char *text);

/* Returns the name, or NULL. Needs no lock. */
const char *stint_nvtx_name_of(enum stint_nvtx_named what, const struct stint_nvtx_domain *domain, uint64_t handle);

/* Fills a row from what is at the position, counted from 0. Returns 1; 0 if there is nothing to show; -1 behind the
 * last position. Needs no lock; the texts live until the process ends. */
int stint_nvtx_name_at(size_t position, struct stint_nvtx_name *row);

#endif
