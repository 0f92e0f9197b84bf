/* Calls of CUDA, as CUPTI tells of them on the calling thread, when they begin and when they end: which scope launched
 * what (gpu/correlate.h), and, if API calls are collected, how long they took (record/api_call.h).
 *
 * The driver's calls that one of the runtime's makes have its correlation id, and are not counted apart.
 *
 * Launches of kernels and graphs are what programs do most. From CUPTI 13.0 on the driver's call is enough to know them
 * by, with either runtime (seen on an H200); to be told of the runtime's, too, would cost some 170 ns more per launch.
 * With older ones, and where API calls are collected, both are told. So it is with allocations. */
#ifndef STINT_GPU_CALLBACK_H
#define STINT_GPU_CALLBACK_H

#include <stdint.h>

#include "gpu/cupti.h"

/* What else CUPTI tells; on any thread, and CUPTI must not be called. */
struct stint_callback_hooks {
    void (*on_context)(void);            /* one has been made */
    void (*on_failure)(const char *why); /* CUPTI has ended itself; `why` may be NULL */
};

/* What is wanted of calls, as a sum. */
enum { STINT_CALLBACK_API = 1, STINT_CALLBACK_TRACE = 2, STINT_CALLBACK_MEMORY = 4 };

/* For subscribe. */
void stint_callback(void *context, uint32_t domain, uint32_t id, const void *data);

/* Has CUPTI call. Returns its result, which is the first failure, of the function that `failed` then names. */
int stint_callback_start(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                         const struct stint_callback_hooks *hooks, const char **failed);

/* Has CUPTI call no more. What other threads are calling at this moment remains without an end. */
void stint_callback_stop(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber);

/* What CUPTI calls does nothing from now on. Needs no CUPTI: also in a forked child. */
void stint_callback_ignore(void);

#endif
