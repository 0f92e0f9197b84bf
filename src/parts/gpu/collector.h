/* Starting and stopping CUPTI: the functions of gpu.h for a library that has been started. */
#ifndef STINT_GPU_COLLECTOR_H
#define STINT_GPU_COLLECTOR_H

#include "stat/builder.h"
#include "stint/gpu.h"

/* What the environment's STINT_GPU asks for. */
enum stint_collector_mode {
    STINT_COLLECTOR_UNSET,
    STINT_COLLECTOR_AUTO,
    STINT_COLLECTOR_ON,
    STINT_COLLECTOR_OFF,
    STINT_COLLECTOR_KERNELS,
    STINT_COLLECTOR_API,
    STINT_COLLECTOR_CALLS,
    STINT_COLLECTOR_ALL
};

enum stint_collector_mode stint_collector_mode(void);

/* Whether there is nothing to tell of if the system has nothing to collect from. */
int stint_collector_may_fail(void);

enum stint_status stint_collector_start(const struct stint_gpu_options *options);
enum stint_status stint_collector_stop(void);
enum stint_status stint_collector_flush(void);
enum stint_status stint_collector_status(void);
const char *stint_collector_reason(void);

/* Reads all records that CUPTI has, after waiting for the devices if CUDA is still usable: before the report at
 * exit. */
void stint_collector_finish(void);

/* As stint_collector_finish, but for a process that crashes, called in the signal's handler: another thread reads the
 * records of what the devices have finished, for at most a second, because the crash may have left CUPTI in any state.
 * Does not return if that other thread is the one that crashes. */
void stint_collector_rescue(void);

/* A child made by fork collects nothing. */
void stint_collector_after_fork(void);

/* Zeroes the numbers: stint_reset. */
void stint_collector_reset(void);

/* Adds info and the ledger to a snapshot (record/collect.h); flushes first unless `emergency`. */
void stint_collector_collect(struct stint_builder *builder, int emergency);

#endif
