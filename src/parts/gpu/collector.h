/* Starting and stopping CUPTI: the functions of gpu.h for a library that has been started. */
#ifndef STINT_GPU_COLLECTOR_H
#define STINT_GPU_COLLECTOR_H

#include <stdint.h>

#include "gpu/cupti.h"
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
 * passed. Returns 0; -1 if they have not finished: some programs leave kernels running that never end; or the driver's
 * error if a device has failed. A separate thread does the waiting, and stays behind if they have not finished. */
int stint_wait_for_devices(uint64_t limit_ns);

/* Waits until another thread has set a flag: returns 0, or -1 if the limit has passed. May be called in a signal
 * handler. */
int stint_wait_for_flag(const int *flag, uint64_t limit_ns);

/* -------------------------------------------------------------------------------------------------- cupti_records.c */

/* Gets records out of CUPTI: which kinds it is to write, and the memory that it writes them to. That is a fixed number
 * of buffers of equal size, which CUPTI requests empty and returns full. No buffer is ever freed, because CUPTI may
 * write to those it holds until the process ends. The buffer that was returned last is lent first, so that few of them
 * use memory, however many there are. */

enum {
    STINT_BUFFER_SIZE = 128 << 10, /* about 600 kernels */
    STINT_BUFFER_COUNT = 512,      /* from 13.0 on CUPTI takes one for each thread that launches */
    STINT_BUFFER_COUNT_BEFORE_12_9 = 4096
};

/* Reserves the buffers, and stores which CUPTI they are for. Returns 0, or -1 without memory. Buffers are reserved
 * once; later calls only replace the CUPTI. */
int stint_buffer_start(const struct stint_cupti *cupti);

/* CUPTI's callbacks, for activity_register_callbacks. The first lends a buffer, or NULL if all are in use; CUPTI then
 * drops records and counts them. The second reads the records into the ledger, and also CUPTI's count of dropped
 * records. They may be called on any thread, also after collecting has stopped; they take no lock except the ledger's,
 * and preserve errno. */
void stint_buffer_request(uint8_t **buffer, size_t *size, size_t *records);
void stint_buffer_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used);

/* In a forked child: buffers are neither lent nor read from now on. */
void stint_buffer_after_fork(void);

/* Which kinds of records CUPTI is to write. */

/* Enables the kinds in `wanted`, a sum of enum stint_gpu_what. If records of kernels cannot be enabled, returns CUPTI's
 * result. Other kinds that cannot be enabled are left out: returns 0, and *enabled receives the kinds that are
 * enabled. */
int stint_enable_kinds(const struct stint_cupti *cupti, unsigned wanted, unsigned *enabled);

/* Disables those kinds in `which` that are enabled, and only these: to disable unified memory's records twice, or in a
 * program that has used no managed memory, takes CUPTI 13.0 two seconds (on an H100). */
void stint_disable_kinds(const struct stint_cupti *cupti, unsigned which);

/* --------------------------------------------------------------------------------------------------------- decode.c */

/* Converts CUPTI's records for the ledger. CUPTI's layouts change from version to version; what the ledger receives
 * does not. */

/* Sets the version of CUPTI that the records come from (struct stint_cupti). */
void stint_decode_start(uint32_t version);

/* Whether records of unified memory are added from now on. At first they are not. */
void stint_decode_count_moves(int counted);

/* Whether there has been one. */
int stint_decode_has_moves(void);

/* Adds one record to the ledger, under the ledger's lock. Returns 0, or -1 for a record that is not understood, which
 * is counted. */
int stint_decode(const struct stint_cupti_record *record);

#endif
