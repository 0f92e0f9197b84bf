/* stint/gpu.h - what GPUs did, in the same report: nvprof's summary from inside the program, charged to the scopes that
 * launched the work.
 *
 *     stint_gpu_start(NULL);                  // or STINT_GPU=on in the environment, and no call at all
 *     {
 *         REGISTER_TIMER_INFO("forward", NULL);
 *         forward<<<grid, block, 0, stream>>>(...);
 *     }                                       // at exit: the table has a column GPU
 *     stint_report_print(STINT_FORMAT_NVPROF);
 *
 * Collecting uses CUPTI, which is looked for when collecting starts, and is neither linked nor needed: without it,
 * without a GPU, without permission, or while another profiler has it, the program runs on, stint_gpu_status says why,
 * and reports show the host alone. stint opens, in this order: STINT_CUPTI_PATH (a file, or a folder that has it); a
 * libcupti that the program has loaded; libcupti.so.13, .12 and .11.8 to .11.0 as the dynamic linker finds them; and
 * the usual places of toolkits ($CUDA_HOME, $CUDA_PATH, /usr/local/cuda). It never closes it.
 *
 * Memory is bounded: records are added up as they arrive, and only a trace, if one is asked for, keeps events. What is
 * launched from a CUDA graph is charged to the scope that launched the graph. Calls of CUDA's API become statistics of
 * the set STINT_API_SET, below the scope that made them.
 *
 * Cost, per launch on an H200 (docs/overhead.md): kernels and scopes well below 1 us; API calls somewhat more. Nothing
 * where no collector was started: no library is opened, no thread made.
 *
 * Threads: every function may be called from any thread, none from a callback of CUPTI or a signal handler. After a
 * fork the child collects nothing, as CUDA does not work there either.
 */
#ifndef STINT_GPU_H
#define STINT_GPU_H

#include <stddef.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/gpu_stats.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** What is collected; values add up. */
enum stint_gpu_what {
    STINT_GPU_ACTIVITIES = 1, /* kernels, copies, sets, and which scope launched them; always collected */
    STINT_GPU_API = 2,        /* calls of the runtime's and driver's API */
    STINT_GPU_SYNCS = 4,      /* waits */
    STINT_GPU_MEMORY = 8,     /* allocations: current and peak bytes */
    STINT_GPU_UNIFIED_MEMORY = 16,
    STINT_GPU_OVERHEADS = 32, /* what collecting costs, as CUPTI states it */
    STINT_GPU_EVERYTHING = 63
};

/** How to collect. Zeroed means the defaults. */
struct stint_gpu_options {
    unsigned what; /* a sum of the above; 0: STINT_GPU_EVERYTHING */
    size_t
        trace_events; /* events to keep for a trace, the first ones; 0: none, or STINT_GPU_TRACE of the environment */
};

/** Starts collecting. Work launched before is not seen. Once is enough: to leave out parts, stop and start again.
 *
 *  The environment's STINT_GPU decides first: "off" keeps every start from doing anything; "on" starts by itself when
 *  the library is loaded, with everything; "kernels" likewise, with STINT_GPU_ACTIVITIES alone; "api" with these and
 *  STINT_GPU_API; "auto" is "on" without a warning where there is nothing to collect from. Unset, this function
 *  decides.
 *
 *  @param options  NULL: the defaults. Of an earlier start that has not been stopped, those stay.
 *  @return STINT_OK, also if already started.
 *          STINT_ERROR_UNAVAILABLE: no CUPTI, no driver, no device, STINT_GPU=off, or a forked child.
 *          STINT_ERROR_TAKEN: another profiler or debugger uses CUPTI in this process.
 *          STINT_ERROR_PERMISSION: the driver keeps profiling to administrators; the reason says how to change that.
 *          STINT_ERROR_CUDA: CUPTI failed otherwise. STINT_ERROR_NO_MEMORY. STINT_ERROR_INVALID_ARGUMENT: `what` has an
 *          unknown bit. STINT_ERROR_BUSY: in a signal handler that interrupted stint. */
STINT_API enum stint_status stint_gpu_start(const struct stint_gpu_options *options);

/** Stops collecting; what was launched before still arrives, and stays in reports. Frees CUPTI for others.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_STARTED; STINT_ERROR_CUDA, STINT_ERROR_BUSY as above. */
STINT_API enum stint_status stint_gpu_stop(void);

/** Brings in what has finished on the devices. Reports do it by themselves. It does not wait for devices: synchronise
 *  first to have everything.
 *
 *  @return as stint_gpu_stop. */
STINT_API enum stint_status stint_gpu_flush(void);

/** Returns STINT_OK while collecting, STINT_ERROR_NOT_STARTED before the first start and after a stop, or what kept the
 *  last start from working. */
STINT_API enum stint_status stint_gpu_status(void);

/** Returns why, as a sentence with what to do about it: "CUPTI is in use by another profiler: ...". "" if the status is
 *  STINT_OK. The text lives until the process ends. */
STINT_API const char *stint_gpu_reason(void);

STINT_EXTERN_C_END

#endif
