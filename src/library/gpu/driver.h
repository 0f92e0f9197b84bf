/* The driver's API, as far as timing with events needs it: looked up in what the program has loaded, never linked or
 * loaded. Every program that uses CUDA has libcuda.so.1, whichever runtime it has and however it is linked to it, and
 * the runtime's streams are the driver's. */
#ifndef STINT_GPU_DRIVER_H
#define STINT_GPU_DRIVER_H

#include "stint/detail/api.h"

enum { STINT_DRIVER_OK = 0, STINT_DRIVER_NOT_READY = 600 }; /* of CUresult */

/* While capturing, what else a thread may call: CUstreamCaptureMode. */
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
    int (*elapsed)(float *ms, void *begin, void *end); /* also says whether both have happened */
    int (*is_capturing)(void *stream, int *status);
    /* NULL before CUDA 10.1, 12.0 and 12.0. */
    int (*exchange_capture_mode)(int *mode);
    int (*context_id)(void *context, unsigned long long *id);
    int (*stream_id)(void *stream, unsigned long long *id);
};

/* Returns the functions, or NULL if the program has not loaded the driver. Until it has, this asks the dynamic
 * linker whether anything was loaded since. */
const struct stint_driver *stint_driver_find(void);

/* Not 0 while the calling thread calls CUDA for stint: what watches calls of CUDA passes over these. */
extern STINT_I_THREAD_LOCAL int stint_driver_own __attribute__((tls_model("initial-exec")));

#endif
