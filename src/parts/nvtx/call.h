/* The functions that NVTX calls: those of the core modules, and of the payload and counter extensions. Parameters and
 * results are NVTX's; handles are addresses of stint's objects. All functions preserve errno, and may be called from
 * any thread, at any time, and in signal handlers. */
#ifndef STINT_NVTX_CALL_H
#define STINT_NVTX_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "nvtx/abi.h"

#define STINT_NVTX_PROTOTYPE(module, callback, number, name, function, kind, result, parameters, arguments)            \
    result stint_nvtx_call_##function parameters;
STINT_NVTX_ENTRIES(STINT_NVTX_PROTOTYPE)
#undef STINT_NVTX_PROTOTYPE

enum { STINT_NVTX_CALLBACKS = 32 }; /* more than any callback's number */

/* Return the function of one module for a callback, or NULL: tables would cost a relocation for each function. */
typedef stint_nvtx_any_fn *stint_nvtx_calls_fn(unsigned callback);
stint_nvtx_calls_fn stint_nvtx_core_calls, stint_nvtx_core2_calls, stint_nvtx_cuda_calls, stint_nvtx_cudart_calls,
    stint_nvtx_payload_calls, stint_nvtx_counter_calls;

#endif
