/* Gets records out of CUPTI: which kinds it is to write, and the memory that it writes them to. That is a fixed number
 * of buffers of equal size, which CUPTI requests empty and returns full. No buffer is ever freed, because CUPTI may
 * write to those it holds until the process ends. The buffer that was returned last is lent first, so that few of them
 * use memory, however many there are. */
#ifndef STINT_GPU_CUPTI_RECORDS_H
#define STINT_GPU_CUPTI_RECORDS_H

#include <stdint.h>

#include "gpu/cupti.h"

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

/* Records before 11.0 have other layouts. */
enum { STINT_DECODE_OLDEST_VERSION = 13 };

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
