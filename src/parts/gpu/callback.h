/* Calls of CUDA, which CUPTI reports on the calling thread when they begin and when they end: they tell which scope
 * launched what (gpu/correlate.h), and, if API calls are collected, how long they took (contexts/contexts.h).
 *
 * Driver calls made by a runtime call have the runtime call's correlation id, and are not counted separately.
 */
#ifndef STINT_GPU_CALLBACK_H
#define STINT_GPU_CALLBACK_H

#include <stddef.h>
#include <stdint.h>

#include "gpu/cupti.h"
#include "model/counting.h"
#include "stat/builder.h"
#include "stint/detail/api.h"
#include "stint/gpu_stats.h"

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
__attribute__((cold)) int stint_callback_start(const struct stint_cupti *cupti,
                                               struct stint_cupti_subscriber *subscriber, unsigned wanted,
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

/* --------------------------------------------------------------------------------------------------------- driver.c */

/* The part of the driver API that timing with events needs. The functions are looked up in what the program has loaded;
 * the driver is never linked or loaded. Every program that uses CUDA has libcuda.so.1, whichever runtime it uses and
 * however it is linked to it, and the runtime's streams are the driver's. */

enum { STINT_DRIVER_OK = 0, STINT_DRIVER_NOT_READY = 600 }; /* values of CUresult */

/* A CUstreamCaptureMode: the calling thread may make any call while streams are captured. */
enum { STINT_DRIVER_CAPTURE_RELAXED = 2 };

/* CUresult and CUdevice are ints; contexts, events and streams are pointers. */
struct stint_driver {
    int (*context)(void **context);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*device)(int *device);
    int (*primary_state)(int device, unsigned *flags, int *active);
    int (*retain_primary)(void **context, int device);
    int (*release_primary)(int device);
    int (*create)(void **event, unsigned flags);
    int (*record)(void *event, void *stream);
    int (*elapsed)(float *ms, void *begin, void *end); /* also tells whether both events have happened */
    int (*is_capturing)(void *stream, int *status);
    /* NULL before CUDA 10.1, 12.0 and 12.0, respectively. */
    int (*exchange_capture_mode)(int *mode);
    int (*context_id)(void *context, unsigned long long *id);
    int (*stream_id)(void *stream, unsigned long long *id);
};

/* Returns the functions, or NULL if the program has not loaded the driver. Until it has, each call asks the dynamic
 * linker whether anything has been loaded since the last one. */
const struct stint_driver *stint_driver_find(void);

/* Not 0 while the calling thread calls CUDA on behalf of stint: such calls are not recorded. */
extern STINT_I_THREAD_LOCAL int stint_driver_own __attribute__((tls_model("initial-exec")));

/* -------------------------------------------------------------------------------------------------------- devices.c */

/* What is known of devices: under the ledger's lock, but for asking. */

/* Notes a device; members that are 0 or "" (or, for the name, NULL) leave what is already known. */
void stint_devices_note(const struct stint_gpu_device *said);

/* Returns the next device; NULL after the last. */
const struct stint_gpu_device *stint_devices_at(size_t position);

void stint_devices_forget(void);

/* Asks the driver and the system which devices there are: CUPTI tells this only if it was started before the driver. */

/* Tells the ledger about all devices once the driver has been started; does nothing after it has worked once. Not to be
 * called under the ledger's lock, or in a process that crashes. */
void stint_ask_for_devices(void);

/* Converts the system's description of a PCI link, "32.0 GT/s PCIe" and its width in lanes, to bytes per second in one
 * direction; 0 if the speed cannot be read. */
unsigned long long stint_ask_link_bytes_per_s(const char *speed, unsigned width);

#endif
