/* stint/gpu_scope.h - GPU timers without CUPTI: how long a stream took for the work that a block gave it.
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
 * It is a scope of that name like any other: it has its row, its place in the tree, and its host time, which is short,
 * since launches only queue work. In addition, reports show a GPU span below the scope (STINT_GPU_SPAN in snapshots):
 * the time from when the stream reached the beginning of the block until it reached its end. Use it where another
 * profiler has CUPTI or CUPTI is not allowed, to time a whole phase instead of single kernels, or in a release build:
 * it needs only CUDA's driver, and no call of stint_gpu_start.
 *
 * Meaning. A span is the time between two CUDA events (cuEventRecord) in one stream. It contains the kernels and copies
 * between the events, the gaps between these, work that other threads put into the stream meanwhile and, if the stream
 * was idle, the time until the host launched something. Its resolution is about half a microsecond. Spans are not part
 * of a device's total, since kernels in them are already part of it; if no collector ran, the GPU columns of the table
 * show the spans.
 *
 * Nothing waits. stint asks whether events have happened at later scopes of the thread and when a snapshot or report is
 * made; it never synchronizes. A report does not contain what the device has not finished by then: synchronize before,
 * to have everything.
 *
 * stint links no CUDA library and loads none: it looks up the driver's functions in libcuda.so.1 if the program has
 * loaded it, as has every program that uses CUDA. If it is not loaded, there is only the host's scope, and nothing is
 * lost or counted. Otherwise a span that cannot be measured remains a scope of the host, and is counted
 * (dropped.gpu_spans; the footer of reports shows it). That is so if the thread has no current CUDA context (the first
 * call of the runtime makes one); if the stream belongs to another context; if 512 spans of this thread and context are
 * not finished yet; while the stream is captured into a graph, since the events would become part of the graph; if CUDA
 * reports an error; and if the context is destroyed before the span is resolved. No error is left behind for the
 * program's next cudaGetLastError.
 *
 * Cost (docs/gpu.md): two calls of cuEventRecord, which are most of it, and about 0.1 us. No lock, no allocation and no
 * system call, except for the first span of a thread in a context. These calls of CUDA are in no statistic. Switched
 * off at run time: one load and one predictable branch. Compiled out (STINT_WITH_TIMER=0): nothing; the arguments are
 * type-checked but not evaluated.
 *
 * Threads: any, but a span must end on the thread that began it. The stream must live until the span ends. When a
 * thread exits, other threads resolve its spans. If longjmp leaves a scope, the thread does not use its pair of events
 * again. Do not use it in signal handlers, where CUDA does not work: the GPU part may be lost there, and is counted. A
 * forked child starts without spans.
 */
#ifndef STINT_GPU_SCOPE_H
#define STINT_GPU_SCOPE_H

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/gpu_scope.h"
#include "stint/status.h"

/** STINT_GPU_SCOPE(name, stream) - times the rest of the enclosing block, on the host and on the stream. A declaration:
 *  it needs a block, which may contain any number of them.
 *
 *  name    const char *, as for STINT_SCOPE (timer.h).
 *  stream  a cudaStream_t or CUstream, passed as a pointer of any type; evaluated once. 0 is the default stream: the
 *          legacy one, which synchronizes with others, or the thread's own in a file compiled with nvcc's
 *          --default-stream per-thread or with CUDA_API_PER_THREAD_DEFAULT_STREAM. */
#define STINT_GPU_SCOPE(name, stream) STINT_I_GPU_SCOPE(name, stream)

STINT_EXTERN_C_BEGIN

/* ---------------------------------------------------------------------------------------------- for other control flow
 *
 *     struct stint_gpu_span span;
 *     stint_gpu_span_begin(&span, "copy in", stream);
 *     ...                                              // it may end in another function, but on this thread
 *     stint_gpu_span_end(&span);
 *
 * A span is a scope and nests like one: scopes that begin after it must end before it. These functions record even
 * where STINT_WITH_TIMER is 0; wrap them in STINT_FOR_TIMING to compile them out. Here stream 0 is always the legacy
 * default stream; the thread's own is cudaStreamPerThread. */

/** A running span. Plain data, to be used only by the thread that began it. */
struct stint_gpu_span {
    struct stint_i_gpu_scope scope;
    const struct stint_i_tree *thread; /* the thread that began it; NULL: not running */
};

#ifdef __cplusplus
#define STINT_GPU_SPAN_INIT stint_gpu_span()
#else
#define STINT_GPU_SPAN_INIT                                                                                            \
    {                                                                                                                  \
        {NULL, NULL}, NULL                                                                                             \
    }
#endif

/** Begins a span; `span` must not be running. The name may differ each time.
 *
 *  @return STINT_OK, also when recording is switched off or the GPU part cannot be measured.
 *          STINT_ERROR_INVALID_ARGUMENT: span is NULL.
 *          STINT_ERROR_LIMIT: there are too many nodes, names or threads; counted as dropped.
 *          STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as for stint_timer_start.
 *          If the status is not STINT_OK, the span is not running.
 *  Threads: any. Cost: as for STINT_GPU_SCOPE, plus a look-up in the thread's name cache. */
STINT_API enum stint_status stint_gpu_span_begin(struct stint_gpu_span *span, const char *name, void *stream);

/** Ends a span. Scopes that began after it and have not ended are popped, and counted as abandoned.
 *
 *  @return STINT_OK.
 *          STINT_ERROR_INVALID_ARGUMENT: span is NULL.
 *          STINT_ERROR_NOT_STARTED: the span is not running, or another thread began it; counted as mismatched. In the
 *          second case, that thread's scope goes on until its enclosing scope ends; its GPU part is lost, and counted
 *          when the thread exits. */
STINT_API enum stint_status stint_gpu_span_end(struct stint_gpu_span *span);

STINT_EXTERN_C_END

#endif
