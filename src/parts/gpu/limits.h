/* How many activities, and how many charges, the ledger has room for. */
#ifndef STINT_GPU_LIMITS_H
#define STINT_GPU_LIMITS_H

#include <stddef.h>

#include "base/env.h"

enum { STINT_GPU_ROWS = 1 << 14, STINT_GPU_MOST_ROWS = 1 << 24 };

static inline size_t stint_gpu_row_limit(void)
{
    return (size_t)stint_env_number("STINT_MAX_GPU", STINT_GPU_ROWS, 1, STINT_GPU_MOST_ROWS);
}

#endif
