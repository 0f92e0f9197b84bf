/* The tables of what GPUs did: how many rows they have room for, and memory straight from the system, for tables that
 * are reserved at their full size but mostly stay empty. */
#ifndef STINT_GPU_PAGES_H
#define STINT_GPU_PAGES_H

#include <stddef.h>

#include "base/env.h"

/* Returns `size` zeroed bytes that stay until the process ends, or NULL if the system has no memory. */
void *stint_pages_map(size_t size);

/* Zeroes the table, and returns its memory to the system. NULL is ignored. */
void stint_pages_zero(void *pages, size_t size);

/* How many activities, and how many charges, the ledger has room for. */

enum { STINT_GPU_ROWS = 1 << 14, STINT_GPU_MOST_ROWS = 1 << 24 };

static inline size_t stint_gpu_row_limit(void)
{
    return (size_t)stint_env_number("STINT_MAX_GPU", STINT_GPU_ROWS, 1, STINT_GPU_MOST_ROWS);
}

#endif
