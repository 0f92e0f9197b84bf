/* Declarations that the files of this stage share. */
#ifndef STINT_NVTX_STATE_H
#define STINT_NVTX_STATE_H

#include <errno.h>
#include <stdint.h>

#include "base/arena.h"
#include "record/registry.h"
#include "record/thread.h"
#include "stint/nvtx_stats.h"

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

#endif
