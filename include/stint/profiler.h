/* stint/profiler.h - windows for a GPU profiler: cudaProfilerStart and cudaProfilerStop that are safe to leave in.
 *
 *     #include <stint/stint.h>
 *
 *     void train_step(int step)
 *     {
 *         REGISTER_GPU_PROFILER("train_step", "batch = 64");   // to the end of this block
 *         forward();                                           // may hold such scopes of its own
 *         backward();
 *     }
 *
 *     $ STINT_PROFILE_WINDOW=10:3 nsys profile -c cudaProfilerApi --capture-range-end=repeat ./train
 *     $ STINT_PROFILE_WINDOW=10:3 ncu --profile-from-start off ./train
 *
 * profiles the eleventh to the thirteenth step: ten warm up, three are looked at. Each window that opens logs
 *
 *     Enable GPU Profiler Stat: [train_step] "batch = 64"
 *
 * Nesting. Activations are counted over all threads. Only the outermost acts: the one that begins while there is no
 * other calls cudaProfilerStart, and the one that ends as the last calls cudaProfilerStop. Threads do not wait for each
 * other inside; one that comes while another calls CUDA waits for that call alone.
 *
 * Without CUDA. stint links no CUDA library and loads none. The functions it calls are looked up at each transition, in
 * this order: those of a runtime that a file compiled by nvcc handed over by including this header (so that a static
 * cudart works); cudaProfilerStart among the program's shared libraries; cuProfilerStart of libcuda.so.1 if the program
 * has loaded it, which wants a current context. A CPU build, no driver, no GPU, a driver in error: nothing is done, the
 * status says why (stint_profiler_status), one line per process is logged as a warning, and the program runs on. A
 * failure leaves no error behind for the program's next cudaGetLastError. stint does not warn where no profiler is
 * attached: CUDA does not tell.
 *
 * CUDA's start makes a context on the thread's current device, as any first CUDA call does: choose the device first.
 *
 * Iterations. Every outermost activation is an iteration, counted from 0; stint_profiler_step begins the next one
 * inside of an activation. With a window of `count` iterations from number `first` on, only these are profiled: what
 * precedes is warm-up. `count` 0 means to the end. The environment's STINT_PROFILE_WINDOW=first:count, first:0 or first
 * sets it; without, everything is profiled.
 *
 * Cost. Nested: one or two uncontended atomic operations at each end. The outermost: a lock, look-ups, the CUDA call,
 * and a log line. Compiled out (STINT_WITH_PROFILER=0, for a file, a target or the whole library): nothing; the name is
 * still type-checked. A library configured with WITH_PROFILER=OFF has these functions too; they do nothing and return
 * STINT_ERROR_UNAVAILABLE.
 *
 * Legal at any time and on any thread, as timers are. In a signal handler that interrupted stint's own call of CUDA, an
 * activation does not count. After longjmp over a scope it never ends. A forked child does not profile what its parent
 * began, and counts iterations anew. A window still open when the process ends is the profiler's to close.
 */
#ifndef STINT_PROFILER_H
#define STINT_PROFILER_H

#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/profiler.h"
#include "stint/status.h"

/** STINT_PROFILE(name[, info...]) - an activation from here to the end of the block, however it is left: falling off,
 *  return, break, continue, goto, a C++ exception. A declaration: it needs a block, and any number may stand in one.
 *
 *  name     const char *, evaluated once per execution; NULL or "" reads as "(unnamed)".
 *  info     anything; it is not evaluated, but logged as it is written, the quotes of a literal included. */
#define STINT_PROFILE(...) STINT_I_PROFILE(#__VA_ARGS__, STINT_I_FIRST(__VA_ARGS__))

#ifndef STINT_NO_SHORT_NAMES
#define REGISTER_GPU_PROFILER(...) STINT_I_PROFILE(#__VA_ARGS__, STINT_I_FIRST(__VA_ARGS__))
#endif

STINT_EXTERN_C_BEGIN

/** Begins an activation that stint_profiler_stop ends, perhaps in another function or on another thread.
 *
 *  @param name, info  for the log line; name NULL or "" reads as "(unnamed)", info NULL as "".
 *  @return STINT_OK: profiling, or nested, or this iteration is outside of the window.
 *          STINT_ERROR_UNAVAILABLE: no CUDA runtime or driver is loaded, or it has no device.
 *          STINT_ERROR_CUDA: cudaProfilerStart failed; stint_profiler_cuda_code has its code.
 *          With these two the activation counts all the same, so that stop is due whatever start returned.
 *          STINT_ERROR_BUSY: in a signal handler that interrupted a transition; this does not count.
 *  Threads: any. */
STINT_API enum stint_status stint_profiler_start(const char *name, const char *info);

/** Ends an activation that stint_profiler_start, or the first stint_profiler_step, began.
 *
 *  @return STINT_OK: profiling has stopped, or goes on for another activation, or was not on.
 *          STINT_ERROR_NOT_STARTED: there is none; counted as mismatched, and logged once per process.
 *          STINT_ERROR_UNAVAILABLE, STINT_ERROR_CUDA: cudaProfilerStop was not found any more, or failed. The
 *          activation is over.
 *          STINT_ERROR_BUSY: in a signal handler that interrupted a transition; the activation goes on.
 *  Threads: any. */
STINT_API enum stint_status stint_profiler_stop(void);

/** Begins the next iteration: for programs whose loop has no scope to count, at the top of its body.
 *
 *      for (int step = 0; step < steps; ++step) {
 *          stint_profiler_step();
 *          ...
 *      }
 *      stint_profiler_stop();                 // optional: what follows the last iteration is not of it
 *
 *  Outside of any activation it begins one, which stint_profiler_stop ends. Inside of one, profiling is switched on or
 *  off where the window begins or ends; iterations within the window are profiled in one go.
 *
 *  @return STINT_OK; STINT_ERROR_UNAVAILABLE, STINT_ERROR_CUDA, STINT_ERROR_BUSY as above. The iteration counts, but
 *          for STINT_ERROR_BUSY.
 *  Threads: any, but let one thread count. Cost: a lock, and the CUDA call where the window begins or ends. */
STINT_API enum stint_status stint_profiler_step(void);

/** Profiles `count` iterations, 0: all, beginning with number `first` of those that begin from now on. An iteration
 *  under way ends as it began. Replaces the window of STINT_PROFILE_WINDOW or of an earlier call.
 *  Threads: any. Not for signal handlers. */
STINT_API void stint_profiler_set_window(uint64_t first, uint64_t count);

/** Returns the status of the last transition, that is of the last call of CUDA or of the reason why there was none:
 *  STINT_OK, also before the first; STINT_ERROR_UNAVAILABLE, STINT_ERROR_CUDA or STINT_ERROR_NOT_STARTED. Scopes have
 *  no other way to tell. Threads: any. */
STINT_API enum stint_status stint_profiler_status(void);

/** Returns CUDA's own code of that transition: a cudaError_t, or a CUresult where the driver was called. 0 if it
 *  succeeded or CUDA was not called. Threads: any. */
STINT_API int stint_profiler_cuda_code(void);

STINT_EXTERN_C_END

#endif
