/* Calls of CUDA, which CUPTI reports on the calling thread when they begin and when they end: they tell which scope
 * launched what (gpu/correlate.h), and, if API calls are collected, how long they took (record/api_call.h).
 *
 * Driver calls made by a runtime call have the runtime call's correlation id, and are not counted separately.
 *
 * By default only calls that matter are reported (stat/call_names.h): a program may make ten queries for each launch,
 * and each would cost as much. Launches of kernels and graphs are the most frequent of them. From CUPTI 13.0 on, the
 * driver call is enough to identify a launch, with either runtime (seen on an H200); enabling the runtime call, too,
 * would cost about 170 ns more per launch. With older versions, and if every call is wanted, both calls are enabled.
 * The same applies to allocations. */
#ifndef STINT_GPU_CALLBACK_H
#define STINT_GPU_CALLBACK_H

#include <stdint.h>

#include "gpu/cupti.h"

/* Other events that CUPTI reports. These hooks may be called on any thread, and must not call CUPTI. */
struct stint_callback_hooks {
    void (*on_context)(void);            /* a context has been created */
    void (*on_failure)(const char *why); /* CUPTI has finalized itself; `why` may be NULL */
};

/* Which data of calls is wanted, as a sum. */
enum {
    STINT_CALLBACK_API = 1,
    STINT_CALLBACK_TRACE = 2,
    STINT_CALLBACK_MEMORY = 4,
    STINT_CALLBACK_EVERY_CALL = 8,
    STINT_CALLBACK_WAITS = 16
};

/* Such a sum and a bit above; 0: nothing is collected. */
extern uint32_t stint_callback_wanted;

/* The callback that CUPTI is subscribed with, and with &stint_callback_wanted as `context`. */
void stint_callback(void *context, uint32_t domain, uint32_t id, const void *data);

/* Enables the callbacks. Returns 0, or the result of the first function of CUPTI that fails; `failed` receives its
 * name. */
int stint_callback_start(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                         const struct stint_callback_hooks *hooks, const char **failed);

/* Disables the callbacks. Calls that other threads are making at this moment stay without an end. */
void stint_callback_stop(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber);

/* From now on, launches are passed on to be counted, or no longer. */
void stint_callback_count(int counted);

/* From now on, callbacks do nothing. Does not use CUPTI, so a forked child may call it. */
void stint_callback_ignore(void);

#endif
