/* stint/gpu.h - GPU activity in the same report: nvprof's summary from inside the program, with the work charged to the
 * scopes that launched it.
 *
 *     stint_gpu_start(NULL);                  // or no call, and STINT_GPU=on in the environment
 *     {
 *         REGISTER_TIMER_INFO("forward", NULL);
 *         forward<<<grid, block, 0, stream>>>(...);
 *     }                                       // at exit: the table has a column GPU
 *     stint_report_print(STINT_FORMAT_NVPROF);
 *
 * Collecting uses CUPTI, which is not linked: it is looked for when collecting starts. If there is no CUPTI, no GPU or
 * no permission, or another profiler uses CUPTI, the program runs on, stint_gpu_status says why, and reports show the
 * host alone. stint never closes CUPTI. It looks for it as follows:
 *
 *   - If STINT_CUPTI_PATH is set, to a file or to a folder that contains CUPTI, only that is tried.
 *   - Otherwise, if the program has loaded a libcupti, that one is used.
 *   - Otherwise stint searches beside the CUDA runtime in use, where the dynamic linker looks, and in $CUDA_HOME,
 *     $CUDA_PATH, /usr/local/cuda and /usr/local/cuda-VERSION. It first tries the version that fits the CUDA runtime or
 *     the driver, then the others from 13 to 11.
 *
 * Memory is bounded: records are added up as they arrive, and events are kept only for a trace, if one is asked for.
 * Work launched by a CUDA graph is charged to the scope that launched the graph. CUDA API calls become statistics
 * of the set STINT_API_SET, below the scope that made them.
 *
 * Cost, per launch on an H200 (docs/overhead.md): well below 1 us with kernels and scopes, somewhat more with API
 * calls. Nothing if no collector is started: no library is opened, and no thread is created.
 *
 * Threads: every function may be called from any thread, but not from a callback of CUPTI or a signal handler. A forked
 * child collects nothing, since CUDA does not work there either.
 */
#ifndef STINT_GPU_H
#define STINT_GPU_H

#include <stddef.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/gpu_stats.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

/** The parts of GPU activity that can be collected. Values are combined with |.
 *
 *  STINT_GPU_FEWER_QUERIES makes STINT_GPU_EVERY_CALL cheaper. In some programs, half of the calls that CUPTI reports
 *  are queries that the runtime makes of the driver within its own calls. With this flag, stint ignores a function of
 *  the driver that is not among those of STINT_GPU_API while only the runtime calls it, at least 256 times in a tenth
 *  of a second. Every two seconds it looks again, for a tenth of a second, whether others call the function, too. Calls
 *  that the program itself makes of it in between are missing. */
enum stint_gpu_what {
    STINT_GPU_ACTIVITIES = 1, /* kernels, copies, memsets, and the scopes that launched them; always collected */
    STINT_GPU_API = 2,        /* CUDA API calls that launch, copy, set, allocate, wait, load, or run graphs */
    STINT_GPU_SYNCS = 4,      /* synchronization: what threads waited for, and how long */
    STINT_GPU_MEMORY = 8,     /* allocations: current and peak bytes */
    STINT_GPU_UNIFIED_MEMORY = 16,
    STINT_GPU_OVERHEADS = 32,  /* the cost of collecting, as CUPTI reports it */
    STINT_GPU_DEFAULT = 63,    /* the above */
    STINT_GPU_EVERY_CALL = 64, /* all other CUDA API calls, such as queries; costs most */
    STINT_GPU_EVERYTHING = 127,
    STINT_GPU_FEWER_QUERIES = 128 /* see above; in struct stint_gpu_info: some have been left out */
};

/** How to collect. All members zero means the defaults. */
struct stint_gpu_options {
    size_t size;   /* sizeof(struct stint_gpu_options); 0: that of version 0.1 */
    unsigned what; /* of enum stint_gpu_what; 0: STINT_GPU_DEFAULT */
    size_t
        trace_events; /* events to keep for a trace, from the first on; 0: STINT_GPU_TRACE's number, by default none */
};

/** Starts collecting. Work launched before is not seen. To collect other parts, stop and start again.
 *
 *  STINT_GPU in the environment has precedence. With "off", this function does nothing. With the other values,
 *  collecting starts when the library is loaded: with "on", of STINT_GPU_DEFAULT; with "auto", the same, but without a
 *  warning if there is nothing to collect from; with "all", of STINT_GPU_EVERYTHING, without that warning, too; with
 *  "calls", the same and STINT_GPU_FEWER_QUERIES; with "kernels", of STINT_GPU_ACTIVITIES alone; with "api", of these
 *  and STINT_GPU_API. If it is unset, collecting starts with this call.
 *
 *  @param options  NULL: the defaults. Ignored if collecting has been started and not stopped.
 *  @return STINT_OK, also if collecting already.
 *          STINT_ERROR_UNAVAILABLE: there is no CUPTI, driver or device, STINT_GPU is "off", or this is a forked child.
 *          STINT_ERROR_TAKEN: another profiler or debugger uses CUPTI in this process.
 *          STINT_ERROR_PERMISSION: the driver lets only administrators profile; stint_gpu_reason says how to change
 *          that.
 *          STINT_ERROR_CUDA: CUPTI failed in another way.
 *          STINT_ERROR_INVALID_ARGUMENT: `what` has an unknown bit.
 *          STINT_ERROR_NO_MEMORY.
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted stint. */
STINT_API enum stint_status stint_gpu_start(const struct stint_gpu_options *options);

/** Stops collecting, and lets others use CUPTI. Reports keep what was collected, and work launched before is still
 *  added to it. Records of unified memory stay enabled in a program that has used no managed memory, because CUPTI
 *  takes two seconds to disable them then; they are not counted.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_STARTED: collecting is not started; STINT_ERROR_CUDA, STINT_ERROR_BUSY: as
 *          above. */
STINT_API enum stint_status stint_gpu_stop(void);

/** Collects what has finished on the devices, as every report does by itself. It does not wait for the devices:
 *  synchronize before, to have everything.
 *
 *  @return as stint_gpu_stop. */
STINT_API enum stint_status stint_gpu_flush(void);

/** Returns STINT_OK while collecting, STINT_ERROR_NOT_STARTED before the first start and after a stop, or the status
 *  with which the last start failed. */
STINT_API enum stint_status stint_gpu_status(void);

/** Returns the reason for that status as a sentence that also says what to do, such as "CUPTI is in use by another
 *  profiler or debugger: ...", or "" if the status is STINT_OK. The text lives until the process ends. */
STINT_API const char *stint_gpu_reason(void);

STINT_EXTERN_C_END

#endif
