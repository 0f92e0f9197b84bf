/* Finds CUPTI, and says in a sentence why it cannot be used. */
#ifndef STINT_GPU_LIBRARY_H
#define STINT_GPU_LIBRARY_H

#include <stddef.h>

#include "gpu/cupti.h"
#include "stint/status.h"

enum { STINT_REASON_SIZE = 512 };

/* Opens CUPTI, which is never closed, and looks up its functions; stint/gpu.h says where CUPTI is searched. Of its
 * functions only cuptiGetVersion is called. Loads files, so the caller must hold no locks.
 *
 * Returns STINT_OK, or the status for the user, with a reason of at most `size` bytes. STINT_ERROR_UNAVAILABLE: there
 * is no driver or no CUPTI, or CUPTI lacks a function or is older than 11.0. STINT_ERROR_TAKEN: the environment says
 * that another profiler runs the program; nothing has been opened then. */
enum stint_status stint_library_open(struct stint_cupti *cupti, char *reason, size_t size);

/* Says what a result other than STINT_CUPTI_SUCCESS means for the user. `function` is CUPTI's name of the function that
 * returned it; `other` is the name of CUPTI's current subscriber if it is known (subscribe_v2), else NULL or "". */
enum stint_status stint_library_failure(const struct stint_cupti *cupti, int result, const char *function,
                                        const char *other, char *reason, size_t size);

#endif
