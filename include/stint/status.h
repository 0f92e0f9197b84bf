/* stint/status.h - what a stint function that can fail returns.
 *
 * stint is a guest in your program: no function aborts, exits or throws, and what cannot fail returns void. A status
 * other than STINT_OK means that the call changed nothing. */
#ifndef STINT_STATUS_H
#define STINT_STATUS_H

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

enum stint_status {
    STINT_OK = 0,
    STINT_ERROR_INVALID_ARGUMENT = 1, /* an argument is NULL, empty or out of its documented range */
    STINT_ERROR_NOT_FOUND = 2,        /* no set or statistic has that name */
    STINT_ERROR_NOT_STARTED = 3,      /* a timer was stopped that is not running */
    STINT_ERROR_NO_MEMORY = 4,        /* the system gave no memory */
    STINT_ERROR_LIMIT = 5,            /* a bound is reached (stint(7), LIMITS); counted as dropped */
    STINT_ERROR_IO = 6,               /* a write, open or rename failed; errno says why */
    STINT_ERROR_BUSY = 7,             /* called from a signal handler that interrupted stint itself */
    STINT_ERROR_INCOMPLETE = 8,       /* a round of a barrier is under way that should have been finished */
    STINT_ERROR_UNAVAILABLE = 9,      /* no CUDA runtime or driver is loaded, or it has no device */
    STINT_ERROR_CUDA = 10,      /* a call of CUDA or CUPTI failed; stint_profiler_cuda_code(), stint_gpu_reason() */
    STINT_ERROR_TAKEN = 11,     /* another profiler or debugger uses CUPTI in this process */
    STINT_ERROR_PERMISSION = 12 /* the driver keeps profiling to administrators; stint_gpu_reason() */
};

/** Returns the enumerator's name, "STINT_OK"; "STINT_ERROR_UNKNOWN" for a value not listed above. Never NULL. */
STINT_API const char *stint_status_name(enum stint_status status);

/** Returns one English sentence without a full stop, e.g. "no set or statistic has that name". Never NULL. */
STINT_API const char *stint_status_string(enum stint_status status);

STINT_EXTERN_C_END

#endif
