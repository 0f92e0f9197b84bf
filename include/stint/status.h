/* stint/status.h - the status codes of stint's functions.
 *
 * stint is a guest in your program: no function aborts, exits or throws. Every function that can fail returns a status.
 * Unless its documentation says otherwise, a status other than STINT_OK means that the call changed nothing. */
#ifndef STINT_STATUS_H
#define STINT_STATUS_H

#include "stint/detail/api.h"

STINT_EXTERN_C_BEGIN

enum stint_status {
    STINT_OK = 0,
    STINT_ERROR_INVALID_ARGUMENT = 1, /* an argument is NULL, empty or out of its documented range */
    STINT_ERROR_NOT_FOUND = 2,        /* no set or statistic has that name */
    STINT_ERROR_NOT_STARTED = 3,      /* the timer, span, profiler or collector to be stopped is not running */
    STINT_ERROR_NO_MEMORY = 4,        /* the system has no memory left */
    STINT_ERROR_LIMIT = 5,            /* a limit is reached (stint(7), LIMITS); counted as dropped */
    STINT_ERROR_IO = 6,               /* a write, open or rename failed; errno says why */
    STINT_ERROR_BUSY = 7,             /* called from a signal handler that interrupted stint itself */
    STINT_ERROR_INCOMPLETE = 8,       /* a round of a barrier that should be finished is still under way */
    STINT_ERROR_UNAVAILABLE = 9,      /* there is no CUDA runtime, driver or CUPTI, or no device */
    STINT_ERROR_CUDA = 10,      /* a call of CUDA or CUPTI failed; stint_profiler_cuda_code(), stint_gpu_reason() */
    STINT_ERROR_TAKEN = 11,     /* another profiler or debugger uses CUPTI in this process */
    STINT_ERROR_PERMISSION = 12 /* the driver lets only administrators profile; stint_gpu_reason() */
};

/** Returns the name of the enumerator, such as "STINT_OK", or "STINT_ERROR_UNKNOWN" for a value not listed above. Never
 *  NULL. */
STINT_API const char *stint_status_name(enum stint_status status);

/** Returns an English sentence without a full stop, such as "no set or statistic has that name". Never NULL. */
STINT_API const char *stint_status_string(enum stint_status status);

STINT_EXTERN_C_END

#endif
