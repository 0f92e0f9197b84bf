/* Starting and stopping CUPTI: the functions of gpu.h for a library that has been started. */
#ifndef STINT_GPU_COLLECTOR_H
#define STINT_GPU_COLLECTOR_H

#include <stdint.h>

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

/* ------------------------------------------------------------------------------------------------------- finisher.c */

/* The end: waiting for devices when the program ends without having done so, and a thread that then shuts CUPTI down.
 * */

/* Creates the thread, unless it exists. When asked, it calls `finish` once. Returns 0, or -1 if it cannot be
 * created. */
int stint_finisher_make(void (*finish)(void));

/* From now on, the thread calls `look` every tenth of a second. */
void stint_finisher_look(void (*look)(void));

/* Asks the thread to finish, or waits along with those who have asked already. Returns 0, or -1 if it has not finished
 * within the limit. May be called in a signal handler. */
int stint_finisher_ask(uint64_t limit_ns);

/* Whether the calling thread is this thread. */
int stint_finisher_is_self(void);

/* Called by the thread itself if it cannot continue: those who wait for it continue. Does not return. */
void stint_finisher_give_up(void);

/* Waiting for devices when the program ends without having done so. */

/* Waits until the devices have done all work launched in the contexts that the runtime uses, or until `limit_ns` has
 * passed. Returns 0, or -1 if they have not finished: some programs leave kernels running that never end. A separate
 * thread does the waiting, and stays behind if they have not finished. */
int stint_wait_for_devices(uint64_t limit_ns);

/* Waits until another thread has set a flag: returns 0, or -1 if the limit has passed. May be called in a signal
 * handler. */
int stint_wait_for_flag(const int *flag, uint64_t limit_ns);

#endif
