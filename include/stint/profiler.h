/* stint/profiler.h - windows for a GPU profiler: cudaProfilerStart and cudaProfilerStop that are safe to leave in.
 *
 *     #include <stint/stint.h>
 *
 *     void train_step(int step)
 *     {
 *         REGISTER_GPU_PROFILER("train_step", "batch = 64");   // to the end of this block
 *         forward();                                           // may contain such scopes itself
 *         backward();
 *     }
 *
 *     $ STINT_PROFILE_WINDOW=10:3 nsys profile -c cudaProfilerApi --capture-range-end=repeat ./train
 *     $ STINT_PROFILE_WINDOW=10:3 ncu --profile-from-start off ./train
 *
 * profiles the eleventh to the thirteenth step: the first ten are warm-up. Each time profiling starts, a line is
 * logged:
 *
 *     Enable GPU Profiler Stat: [train_step] "batch = 64"
 *
 * Nesting. One execution of such a scope is an activation, and so is the time from stint_profiler_start to
 * stint_profiler_stop. Activations are counted over all threads, and only the outermost have an effect: one that begins
 * while there is no other calls cudaProfilerStart, and the last one to end calls cudaProfilerStop. Threads with
 * activations of their own do not wait for each other, except while one of them is calling CUDA.
 *
 * Without CUDA. stint links no CUDA library and loads none. Each time profiling starts or stops (a transition), it
 * looks for the function to call, in this order: in a runtime handed over by a file that nvcc compiled and that
 * includes this header (so that a static cudart works); cudaProfilerStart and cudaProfilerStop in the program's shared
 * libraries; cuProfilerStart and cuProfilerStop in libcuda.so.1 if the program has loaded it, which need a current
 * context. In a build without CUDA, and where there is no driver, no GPU or a driver in an error state, nothing is
 * done: stint_profiler_status says why, a warning is logged once per process, and the program runs on. A failure leaves
 * no error behind for the program's next cudaGetLastError. stint does not warn if no profiler is attached, because CUDA
 * does not tell.
 *
 * cudaProfilerStart makes a context on the thread's current device, as any first CUDA call does: choose the device
 * before.
 *
 * Iterations. Every outermost activation is an iteration, counted from 0; within an activation, stint_profiler_step
 * begins the next one. If a window is set, only its `count` iterations from number `first` on are profiled; those
 * before are warm-up. A count of 0 means all the following. STINT_PROFILE_WINDOW=first:count, first:0 or first in the
 * environment sets the window; without one, everything is profiled.
 *
 * Cost. Nested activations: one or two uncontended atomic operations at each end. The outermost: a lock, look-ups, the
 * CUDA call and a log line. Compiled out (STINT_WITH_PROFILER=0, for a file, a target or the whole library): nothing;
 * the name is type-checked but not evaluated. A library configured with WITH_PROFILER=OFF has these functions too; they
 * do nothing and return STINT_ERROR_UNAVAILABLE.
 *
 * All of this may be used at any time and on any thread, as timers may. In a signal handler that interrupted stint's
 * own call of CUDA, an activation does not count. A scope that longjmp leaves never ends. A forked child does not
 * profile what its parent began, and counts iterations from 0. If a window is still open when the process ends, closing
 * it is left to the profiler.
 */
#ifndef STINT_PROFILER_H
#define STINT_PROFILER_H

#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/profiler.h"
#include "stint/status.h"

/** STINT_PROFILE(name[, info...]) - an activation from here to the end of the block, however the block is left: by
 *  falling off its end, return, break, continue, goto, or a C++ exception. A declaration: it needs a block, which may
 *  contain any number of them.
 *
 *  name     const char *, evaluated once per execution; NULL or "" is logged as "(unnamed)".
 *  info     any text; it is not evaluated, but logged as it is written, including the quotes of a literal. */
#define STINT_PROFILE(...) STINT_I_PROFILE(#__VA_ARGS__, STINT_I_FIRST(__VA_ARGS__))

#ifndef STINT_NO_SHORT_NAMES
#define REGISTER_GPU_PROFILER(...) STINT_I_PROFILE(#__VA_ARGS__, STINT_I_FIRST(__VA_ARGS__))
#endif

STINT_EXTERN_C_BEGIN

/** Begins an activation that stint_profiler_stop ends, perhaps in another function or on another thread.
 *
 *  @param name  text for the log line; NULL or "" is logged as "(unnamed)".
 *  @param info  text for the log line; NULL is logged as "".
 *  @return STINT_OK: the GPU is profiled, or the activation is nested, or this iteration is outside the window.
 *          STINT_ERROR_UNAVAILABLE: no CUDA runtime or driver is loaded, or there is no device.
 *          STINT_ERROR_CUDA: cudaProfilerStart failed; stint_profiler_cuda_code returns its code.
 *          With these two the activation has begun all the same, and stint_profiler_stop must end it.
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted a transition; no activation has begun.
 *  Threads: any. */
STINT_API enum stint_status stint_profiler_start(const char *name, const char *info);

/** Ends an activation that stint_profiler_start, or the first stint_profiler_step, began.
 *
 *  @return STINT_OK: profiling has stopped, or goes on for another activation, or was not on.
 *          STINT_ERROR_NOT_STARTED: there is no activation; counted as mismatched, and logged once per process.
 *          STINT_ERROR_UNAVAILABLE, STINT_ERROR_CUDA: cudaProfilerStop is no longer there, or failed. The activation
 *          has ended all the same.
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted a transition; the activation goes on.
 *  Threads: any. */
STINT_API enum stint_status stint_profiler_stop(void);

/** Begins the next iteration. Call it at the top of a loop's body in programs that have no scope there to count.
 *
 *      for (int step = 0; step < steps; ++step) {
 *          stint_profiler_step();
 *          ...
 *      }
 *      stint_profiler_stop();                 // optional: keeps what follows out of the last iteration
 *
 *  If there is no activation, it begins one, which stint_profiler_stop ends. Within an activation, it starts or stops
 *  profiling where the window begins or ends; between the iterations of the window profiling does not stop.
 *
 *  @return STINT_OK; STINT_ERROR_UNAVAILABLE, STINT_ERROR_CUDA, STINT_ERROR_BUSY as above. The iteration is counted
 *          except with STINT_ERROR_BUSY.
 *  Threads: any, but only one thread should count. Cost: a lock, and the CUDA call where the window begins or ends. */
STINT_API enum stint_status stint_profiler_step(void);

/** Sets the window: of the iterations that begin from now on, `count` (0: all) are profiled, starting with number
 *  `first`, counted from 0. An iteration under way ends as it began. Replaces the window of STINT_PROFILE_WINDOW or of
 *  an earlier call. Threads: any. Must not be called in signal handlers. */
STINT_API void stint_profiler_set_window(uint64_t first, uint64_t count);

/** Returns the status of the last transition: STINT_OK, also before the first one; STINT_ERROR_UNAVAILABLE,
 *  STINT_ERROR_CUDA or STINT_ERROR_NOT_STARTED. The macros report a failure in no other way. Threads: any. */
STINT_API enum stint_status stint_profiler_status(void);

/** Returns CUDA's own code for that transition: a cudaError_t, or a CUresult if the driver was called. 0 if the call
 *  succeeded, or CUDA was not called. Threads: any. */
STINT_API int stint_profiler_cuda_code(void);

STINT_EXTERN_C_END

#endif
