/* Calls of CUDA, which CUPTI reports on the calling thread when they begin and when they end: they tell which scope
 * launched what (gpu/correlate.h), and, if API calls are collected, how long they took (contexts/api_call.h).
 *
 * Driver calls made by a runtime call have the runtime call's correlation id, and are not counted separately.
 */
#ifndef STINT_GPU_CALLBACK_H
#define STINT_GPU_CALLBACK_H

#include <stdint.h>

#include "gpu/cupti.h"
#include "model/counting.h"
#include "stat/builder.h"

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

/* ---------------------------------------------------------------------------------------------------- noted_calls.c */

/* Allocations and waits, recorded from the calls that make them. CUPTI's own records of both are never enabled: with
 * CUPTI 13.0, a process that imports a memory pool or a pointer from another process fails while those of allocations
 * (MEMORY2) are on; and while those of waits (SYNCHRONIZATION) are, each launch of PyTorch's takes 2.7 us longer,
 * whether or not anything waits. */

/* Returns the number of the call with that name, as cuptiGetCallbackName spells it; 0 if the call neither allocates nor
 * frees memory. */
unsigned stint_allocation_call(const char *name);

/* Tells the ledger what the call with that number allocates, when the call ends, or frees, when the call begins:
 * between the two, another thread may get the same address. Takes the ledger's lock. */
void stint_allocation_note(unsigned number, const struct stint_cupti_call *call);

/* Whether the call with that name, as cuptiGetCallbackName spells it, makes a thread or a stream wait. */
int stint_wait_call(const char *name);

/* Tells the ledger of a wait when its call ends; has to be told when it begins, too. Takes the ledger's lock. */
void stint_wait_note(const struct stint_cupti *cupti, const struct stint_cupti_call *call);

/* ------------------------------------------------------------------------------------------------- counted_launch.c */

/* Hardware counters, if STINT_COUNTERS or the program asks for them: libstint_module.so reads them
 * (model/counting.h). */

/* Loads the module if counters are asked for, so no lock of the dynamic linker may be held. Returns whether they are
 * counted. */
int stint_counting_start(const struct stint_cupti *cupti);

/* The module, if it has been loaded. */
const struct stint_counting *stint_counting(void);

/* A call of the driver that launches a kernel or a graph; `path` is that of its scope. */
void stint_counting_call(const struct stint_cupti_call *call, uint32_t path, int is_captured);

void stint_counting_collect(struct stint_builder *builder);
void stint_counting_reset(void);

/* The child counts nothing. */
void stint_counting_after_fork(void);

#endif
