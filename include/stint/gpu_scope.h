/* stint/gpu_scope.h - GPU timers without CUPTI: how long a stream worked on what a block gave it to do.
 *
 *     #include <stint/stint.h>
 *
 *     void step(cudaStream_t stream)
 *     {
 *         STINT_GPU_SCOPE("step", stream);        // to the end of this block
 *         forward<<<grid, block, 0, stream>>>(...);
 *         backward<<<grid, block, 0, stream>>>(...);
 *     }
 *
 * It is a scope of that name like any other: it has its row, its place in the tree, and the host's time, which is
 * short, as launches only queue work. In addition the time from when the stream came to the block's beginning until it
 * came to its end is in reports as GPU span (STINT_GPU_SPAN in snapshots), below the scope. Use it where CUPTI is taken
 * by another profiler or not allowed, for a whole phase instead of kernel by kernel, or in a release build: nothing but
 * CUDA's driver is needed, and stint_gpu_start need not be called.
 *
 * What it means. A span is the time between two events of CUDA (cuEventRecord) in one stream. It contains the kernels
 * and copies in between, the gaps between them, what else the stream was given meanwhile by other threads, and, if the
 * stream is idle, the time until the host has launched. It is resolved to about half a microsecond. Spans are not part
 * of a device's total, whose kernels may be in them; where no collector ran, the table's columns GPU show them.
 *
 * Nothing waits. Whether events have happened is asked at later scopes of the thread and when a snapshot or report is
 * made, and never by synchronising. What the device has not finished by then is not in that report; synchronise first
 * to have everything.
 *
 * stint links no CUDA library and loads none: the driver's functions are looked up in libcuda.so.1 if the program has
 * it loaded, as every program has that used CUDA. Without it there is only the host's scope, and nothing is lost or
 * counted. Otherwise a span that cannot be measured is counted (dropped.gpu_spans; the footer of reports says so), and
 * remains a scope of the host: if no context of CUDA is current on the thread, which its first call of the runtime
 * makes; if the stream is of another context; if 512 spans of this thread and context are on their way; while the
 * stream is being captured into a graph, whose events would be the graph's; if CUDA reports an error; if the context is
 * destroyed before the span is resolved. No error is left behind for the program's next cudaGetLastError.
 *
 * Cost: on, two cuEventRecord, which is most of it, and about 0.1 us; docs/gpu.md has numbers. No lock, no
 * allocation, no system call, but for the first span of a thread in a context. Its own calls of CUDA are in no
 * statistic of stint's. Switched off at run time: one load and one predictable branch. Compiled out
 * (STINT_WITH_TIMER=0): nothing; arguments are type-checked.
 *
 * Threads: any; a span ends on the thread that began it. The stream must live until the span ends. A thread that exits
 * leaves its spans to be resolved by others. After longjmp over a scope its pair of events is not used again by that
 * thread. Not in signal handlers, where CUDA does not work; there the GPU's part may be lost, and counted. A forked
 * child begins anew.
 */
#ifndef STINT_GPU_SCOPE_H
#define STINT_GPU_SCOPE_H

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/gpu_scope.h"
#include "stint/status.h"

/** STINT_GPU_SCOPE(name, stream) - times the rest of the enclosing block, on the host and on the stream. A declaration:
 *  it needs a block, and any number may stand in one.
 *
 *  name    const char *, as for STINT_SCOPE (timer.h).
 *  stream  a cudaStream_t or CUstream, or any pointer to be taken for one; evaluated once. 0 is the default stream: the
 *          legacy one, which waits for others, or the thread's own in a file compiled with nvcc's
 *          --default-stream per-thread or with CUDA_API_PER_THREAD_DEFAULT_STREAM. */
#define STINT_GPU_SCOPE(name, stream) STINT_I_GPU_SCOPE(name, stream)

STINT_EXTERN_C_BEGIN

/* ---------------------------------------------------------------------------------------------- for other control flow
 *
 *     struct stint_gpu_span span;
 *     stint_gpu_span_begin(&span, "copy in", stream);
 *     ...                                              // end it in another function, but on this thread
 *     stint_gpu_span_end(&span);
 *
 * What lies between is a scope, and nests like one: whatever scope begins in between ends before. These functions
 * record whatever STINT_WITH_TIMER says; wrap them in STINT_FOR_TIMING to compile them out. Here the stream 0 is always
 * the legacy one; the thread's own is cudaStreamPerThread. */

/** A span that runs. Plain data; not to be used by two threads. */
struct stint_gpu_span {
    struct stint_i_gpu_scope scope;
    const struct stint_i_tree *thread; /* that began it; NULL: not running */
};

#ifdef __cplusplus
#define STINT_GPU_SPAN_INIT stint_gpu_span()
#else
#define STINT_GPU_SPAN_INIT                                                                                            \
    {                                                                                                                  \
        {NULL, NULL}, NULL                                                                                             \
    }
#endif

/** Begins a span; `span` must not be running. The name may differ each time: it is looked up.
 *
 *  @return STINT_OK; also when recording is switched off, or the GPU's part cannot be measured.
 *          STINT_ERROR_INVALID_ARGUMENT: span is NULL.
 *          STINT_ERROR_LIMIT: beyond a limit of nodes, names or threads; counted as dropped. STINT_ERROR_NO_MEMORY,
 *          STINT_ERROR_BUSY: as for stint_timer_start. With these, the span is not running.
 *  Threads: any. Cost: as STINT_GPU_SCOPE, and a look-up in the thread's name cache. */
STINT_API enum stint_status stint_gpu_span_begin(struct stint_gpu_span *span, const char *name, void *stream);

/** Ends a span. Scopes begun after it that have not ended are popped, and counted as abandoned.
 *
 *  @return STINT_OK.
 *          STINT_ERROR_INVALID_ARGUMENT: span is NULL.
 *          STINT_ERROR_NOT_STARTED: it is not running, or was begun on another thread, whose scope goes on until the
 *          one around it ends, and whose GPU part is lost, and counted when that thread exits; counted as
 *          mismatched. */
STINT_API enum stint_status stint_gpu_span_end(struct stint_gpu_span *span);

STINT_EXTERN_C_END

#endif
