/* The books: activities, and charges to scopes, added up as they arrive; memory; devices; the trace. One lock guards
 * it. Records come in from CUPTI's thread or from a flush, never from a launching thread. */
#ifndef STINT_GPU_LEDGER_H
#define STINT_GPU_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/activity.h"
#include "stat/builder.h"

/* Makes the tables for `limit` activities and as many charges (STINT_MAX_GPU), and a trace of `events` (0: none).
 * Returns 0, or -1 without memory. Once; later calls can only add a trace. */
int stint_ledger_start(size_t limit, size_t events);

/* With the lock a thread is inside the guard (record/thread.h), too. */
void stint_ledger_lock(void);
void stint_ledger_unlock(void);
int stint_ledger_try_lock(void); /* 1: locked */

/* The following, down to the collecting, under the lock. */

/* Adds one activity: resolves its scope by the correlation, unless `path` says it, validates its times, adds it to its
 * activity and charge, and to the trace. */
void stint_ledger_add(const struct stint_activity *activity);

/* Notes an allocation, or its end; one that was not seen to begin is passed over. */
void stint_ledger_allocate(const struct stint_allocation *allocation);

/* Notes a device; fields that are 0 or "" leave what is known. */
void stint_ledger_device(const struct stint_gpu_device *device);

/* Counts `count` records that CUPTI says it dropped, or one that was not understood. */
void stint_ledger_count_dropped(uint64_t count);
void stint_ledger_count_unknown(void);

/* How times of CUPTI's clock relate to ticks of stint's (gpu/timeline.h keeps the pairs): for the trace. */
void stint_ledger_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after);

/* Zeroes everything but what is allocated and which devices there are: stint_reset. */
void stint_ledger_reset(void);

/* In a forked child: the parent's numbers are the parent's, and the lock may be held by a thread that is gone. */
void stint_ledger_after_fork(void);

/* An API call for the trace, by ticks of stint's clock; on the calling thread, without the lock: takes a slot of the
 * trace, or counts it as dropped. `name` must live until the process ends. */
void stint_ledger_trace_call(const char *name, uint64_t start, uint64_t end, uint32_t correlation, uint32_t path,
                             int64_t tid);

/* Adds everything to a snapshot that is being built. Takes the lock; `emergency`: waits a moment at most. */
void stint_ledger_collect(struct stint_builder *builder, int emergency);

#endif
