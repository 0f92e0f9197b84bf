/* Finding CUPTI, and saying in a sentence why it cannot be used. */
#ifndef STINT_GPU_LIBRARY_H
#define STINT_GPU_LIBRARY_H

#include <stddef.h>

#include "gpu/cupti.h"
#include "stint/status.h"

enum { STINT_REASON_SIZE = 512 };

/* Opens CUPTI, which is never closed, and looks up its functions: where, stint/gpu.h says. Calls none of them but
 * cuptiGetVersion. Loads files, so it is for callers without locks.
 *
 * Returns STINT_OK, or the status for the user with the reason, a sentence of at most `size` bytes:
 * STINT_ERROR_UNAVAILABLE: no driver, no CUPTI, or one that lacks a function or is older than 11.0. STINT_ERROR_TAKEN:
 * the environment says that another profiler runs the program; then nothing has been opened. */
enum stint_status stint_library_open(struct stint_cupti *cupti, char *reason, size_t size);

/* Says what a result other than STINT_CUPTI_SUCCESS means for the user. `function` is the one that returned it, by its
 * name in CUPTI; `other` is who has CUPTI, where that is known (subscribe_v2), else NULL or "". */
enum stint_status stint_library_failure(const struct stint_cupti *cupti, int result, const char *function,
                                        const char *other, char *reason, size_t size);

#endif
