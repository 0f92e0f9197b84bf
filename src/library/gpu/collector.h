/* Starting and stopping CUPTI: the functions of gpu.h, for whom the library has been started. */
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
    STINT_COLLECTOR_API
};

enum stint_collector_mode stint_collector_mode(void);

enum stint_status stint_collector_start(const struct stint_gpu_options *options);
enum stint_status stint_collector_stop(void);
enum stint_status stint_collector_flush(void);
enum stint_status stint_collector_status(void);
const char *stint_collector_reason(void);

/* Brings in all there is, waiting for devices where CUDA still lives: before the report at exit. */
void stint_collector_finish(void);

/* As stint_collector_finish, for a process that crashes, in the signal's handler: what the devices have finished is
 * brought in, by another thread and for a second at most; the crash may have left CUPTI in any state. Does not return
 * in that other thread, if it is that one that crashes. */
void stint_collector_rescue(void);

/* A child made by fork collects nothing. */
void stint_collector_after_fork(void);

/* Zeroes the numbers: stint_reset. */
void stint_collector_reset(void);

/* Adds info and the ledger to a snapshot (record/collect.h); flushes first unless `emergency`. */
void stint_collector_collect(struct stint_builder *builder, int emergency);

#endif
