/* Calls of CUDA, which CUPTI reports on the calling thread when they begin and when they end: they tell which scope
 * launched what (gpu/correlate.h), and, if API calls are collected, how long they took (record/api_call.h).
 *
 * Driver calls made by a runtime call have the runtime call's correlation id, and are not counted separately.
 */
#ifndef STINT_GPU_CALLBACK_H
#define STINT_GPU_CALLBACK_H

#include <stdint.h>

#include "gpu/cupti.h"

/* Other events that CUPTI reports. These hooks may be called on any thread, and must not call CUPTI. */
struct stint_callback_hooks {
    void (*on_context)(void);            /* a context has been created */
    void (*on_failure)(const char *why); /* CUPTI has finalized itself; `why` may be NULL */
};

/* A sum of what is wanted (gpu/call_table.h) and a bit above; 0: nothing is collected. */
extern uint32_t stint_callback_wanted;

/* The callback that CUPTI is subscribed with, and with &stint_callback_wanted as `context`. */
void stint_callback(void *context, uint32_t domain, uint32_t id, const void *data);

/* Enables the callbacks. Returns 0, or the result of the first function of CUPTI that fails; `failed` receives its
 * name. */
int stint_callback_start(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber, unsigned wanted,
                         const struct stint_callback_hooks *hooks, const char **failed);

/* Disables the callbacks. Calls that other threads are making at this moment stay without an end. */
void stint_callback_stop(const struct stint_cupti *cupti, struct stint_cupti_subscriber *subscriber);

/* From now on, callbacks do nothing. Does not use CUPTI, so a forked child may call it. */
void stint_callback_ignore(void);

#endif
