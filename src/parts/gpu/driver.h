/* The part of the driver API that timing with events needs. The functions are looked up in what the program has loaded;
 * the driver is never linked or loaded. Every program that uses CUDA has libcuda.so.1, whichever runtime it uses and
 * however it is linked to it, and the runtime's streams are the driver's. */
#ifndef STINT_GPU_DRIVER_H
#define STINT_GPU_DRIVER_H

#include <stddef.h>

#include "stint/detail/api.h"
#include "stint/gpu_stats.h"

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
