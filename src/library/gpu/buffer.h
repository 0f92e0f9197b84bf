/* The memory that CUPTI writes its records to: buffers of one size, of which there is a fixed number, lent to CUPTI
 * when it asks and taken back full. None is ever freed, because CUPTI may write to those it holds until the process
 * ends. The one that came back last goes out first, so that few of them take memory, however many there are. */
#ifndef STINT_GPU_BUFFER_H
#define STINT_GPU_BUFFER_H

#include "gpu/cupti.h"

enum {
    STINT_BUFFER_SIZE = 128 << 10, /* some 600 kernels */
    STINT_BUFFER_COUNT = 512,      /* from 13.0 on CUPTI takes one for each thread that launches */
    STINT_BUFFER_COUNT_BEFORE_12_9 = 4096
};

/* Reserves the buffers, and remembers which CUPTI they are for. Returns 0, or -1 without memory. Once; later calls only
 * change the CUPTI. */
int stint_buffer_start(const struct stint_cupti *cupti);

/* CUPTI's callbacks, for activity_register_callbacks. The one lends a buffer, or NULL if all are out, whereupon CUPTI
 * drops records and counts them. The other brings the records to the ledger, and with them that count. Any thread, also
 * after collecting has stopped; no locks but the ledger's; errno is left alone. */
void stint_buffer_request(uint8_t **buffer, size_t *size, size_t *records);
void stint_buffer_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t used);

/* In a forked child: lends no buffers, and reads none. */
void stint_buffer_after_fork(void);

#endif
