/* The ledger: activities and charges to scopes, added up as they arrive; memory; devices; the trace. One lock guards
 * it. Records arrive on CUPTI's thread or during a flush, never on a launching thread. */
#ifndef STINT_GPU_LEDGER_H
#define STINT_GPU_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/activity.h"
#include "stat/builder.h"

/* Makes the tables for `limit` activities and as many charges (STINT_MAX_GPU), and a trace of `events` events (0:
 * none). Returns 0, or -1 without memory. The tables are made once; later calls can only add a trace. */
int stint_ledger_start(size_t limit, size_t events);

/* A thread that has the lock is also inside the guard (record/thread.h). */
void stint_ledger_lock(void);
void stint_ledger_unlock(void);
int stint_ledger_try_lock(void); /* 1: locked */

/* The functions from here to stint_ledger_reset need the lock. */

/* Adds one activity: finds its scope by the correlation, unless `path` is given; checks its times; and adds it to its
 * activity, its charge and the trace. */
void stint_ledger_add(const struct stint_activity *activity);

/* Adds the launches of which no record has come: when CUPTI has handed over all that it has. */
void stint_ledger_add_missing(void);

/* Notes an allocation or its end; the end of an unknown allocation is ignored. */
void stint_ledger_allocate(const struct stint_allocation *allocation);

/* Notes a device; members that are 0 or "" leave what is already known. */
void stint_ledger_device(const struct stint_gpu_device *device);

/* Counts `count` records that CUPTI says it dropped, or one that was not understood. */
void stint_ledger_count_dropped(uint64_t count);
void stint_ledger_count_unknown(void);

/* Adds to the CPU time in which records were read; returns all of it since the last reset. */
uint64_t stint_ledger_reading(uint64_t ns);

/* Tells how CUPTI's clock relates to stint's ticks (gpu/timeline.h keeps the pairs): for the trace. */
void stint_ledger_align(uint64_t ticks_before, uint64_t cupti_ns, uint64_t ticks_after);

/* Zeroes everything but the current allocations and the devices: stint_reset. */
void stint_ledger_reset(void);

/* In a forked child: drops the parent's numbers, and renews the lock, which may be held by a thread that is gone. */
void stint_ledger_after_fork(void);

/* Adds an API call to the trace, with ticks of stint's clock. Called on the thread that made the call, without the
 * lock: takes a slot of the trace, or counts the call as dropped. `name` must live until the process ends. */
void stint_ledger_trace_call(const char *name, uint64_t start, uint64_t end, uint32_t correlation, uint32_t path,
                             int64_t tid);

/* Adds everything to a snapshot that is being built. Takes the lock; with `emergency`, waits for it only a moment. */
void stint_ledger_collect(struct stint_builder *builder, int emergency);

/* What collecting calls: converts the ledger's tables to rows, and adds all. Under the lock, except in an emergency. */
void stint_ledger_add_rows(struct stint_builder *builder);

#endif
