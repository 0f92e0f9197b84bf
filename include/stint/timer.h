/* stint/timer.h - scoped timers: one macro at the call site, for about the cost of two clock reads.
 *
 *     #include <stint/stint.h>
 *
 *     void forward(const float *image)
 *     {
 *         REGISTER_TIMER("forward");            // times the rest of this block
 *         for (int i = 0; i < 10; ++i) {
 *             REGISTER_TIMER_INFO("layer", "conv1");
 *             convolve(image);
 *         }
 *     }                                         // "forward" and "layer" below it are in the report at exit
 *
 * Every thread keeps a calling-context tree: a scope entered inside another becomes its child, so inclusive and self
 * time are both exact. Readers (reports, snapshots, reset) never stop the threads that record.
 *
 * Scopes end by __attribute__((cleanup)) in C and by a destructor in C++: on falling off the block, return, break,
 * continue, goto out of the block, and C++ exceptions; those that longjmp, pthread_exit or a cancellation leaves end at
 * that moment. Where the program calls another longjmp than the C library's, or is linked with libstint.a, a scope that
 * is left is not timed: it is popped when the enclosing scope ends, or when its function has been called so often again
 * from the same place that the earlier calls cannot all be running, and counted as abandoned. Do not co_await inside a
 * scope: it must end on the thread that began it.
 *
 * Cost (docs/overhead.md). A scope whose call site is registered takes two clock reads and about 25 plain instructions:
 * no lock, no allocation, no system call. The first use of a call site in a thread registers it, which takes a lock and
 * may map memory. Switched off at run time, a scope takes one load and one predictable branch, or a function call if
 * its name is dynamic or its start is given. Compiled out (STINT_WITH_TIMER=0, for a file, a target or the whole
 * library), it takes no instruction; its arguments are type-checked but not evaluated.
 *
 * Timers may be used at any time: before main, in exit handlers, in a forked child, in a thread's destructors, in
 * signal handlers, at any depth and from several shared objects. Names are copied, so they may later be overwritten,
 * freed or unloaded.
 *
 * STINT_NO_SHORT_NAMES, defined before the first include, hides every name that does not begin with stint_ or STINT_.
 */
#ifndef STINT_TIMER_H
#define STINT_TIMER_H

#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/scope.h"
#include "stint/status.h"

/* ---------------------------------------------------------------------------------------------------- scope macros
 *
 * All of them are declarations: they need a block, which may contain any number of them, and
 * `if (x) STINT_SCOPE("y");` without braces does not compile. Common parameters:
 *
 *   name          const char *, UTF-8, copied at the first use of the call site. The static forms keep the first name
 *                 that a call site was given; a different name later is counted, and logged once per statistic; to
 *                 notice that, a name that is not a literal is compared each time. NULL or "" is recorded as
 *                 "(unnamed)"; a name longer than 4095 bytes is cut, and counted.
 *   threshold_us  uint64_t, microseconds. A scope that took at least this long logs a line at its end:
 *                     Stat: [NAME] INFO [Span:12ms5us]
 *                 With (uint64_t)-1, the default, no line is ever logged; with 0, always.
 *   set           struct stint_statset *, NULL (the default) for the global set "GlobalStatInfo". See statset.h.
 *
 * Each argument is evaluated once per execution, or not at all where timers are compiled out.
 *
 * A scope ends on the thread that it began on. A C++20 coroutine must not suspend in one unless that thread resumes it;
 * use a struct stint_timer (below) around what another thread may resume.
 */

/** STINT_SCOPE(name[, threshold_us[, set]]) - times the rest of the enclosing block. */
#define STINT_SCOPE(...) STINT_I_SELECT(STINT_I_SCOPE_, __VA_ARGS__)

/** STINT_SCOPE_INFO(name, info) - STINT_SCOPE with a threshold of 10 s. `info`, a const char * such as a layer's name,
 *  must outlive the scope. It appears only in the line logged for a slow scope: scopes of one name share a statistic,
 *  whatever their info. NULL is taken for "". */
#define STINT_SCOPE_INFO(name, info) STINT_I_INFO(name, info)

/** STINT_SCOPE_SINCE(name, start_us[, threshold_us[, set]]), Paddle's REGISTER_TIMER_SET - STINT_SCOPE for an interval
 *  that began at `start_us`, an absolute time from stint_now_us() that may have been taken in another function or
 *  thread. The enclosing scope is charged only for the part after this line. A start in the future is taken for now;
 *  one before the last reset of the statistic, for the moment of that reset. */
#define STINT_SCOPE_SINCE(...) STINT_I_SELECT(STINT_I_SINCE_, __VA_ARGS__)

/** STINT_SCOPE_DYNAMIC(name[, threshold_us[, set]]) - STINT_SCOPE with a name that may differ at each execution. Each
 *  execution looks it up in a cache of the thread (cost: docs/overhead.md). */
#define STINT_SCOPE_DYNAMIC(...) STINT_I_SELECT(STINT_I_DYNAMIC_, __VA_ARGS__)

/** STINT_SCOPE_DYNAMIC_SINCE(name, start_us[, threshold_us[, set]]) - STINT_SCOPE_SINCE with a dynamic name. */
#define STINT_SCOPE_DYNAMIC_SINCE(...) STINT_I_SELECT(STINT_I_DYNAMIC_SINCE_, __VA_ARGS__)

/** STINT_FOR_TIMING(statement) - expands to the statement where timers are compiled in, and to nothing otherwise. */
#if STINT_WITH_TIMER
#define STINT_FOR_TIMING(...) __VA_ARGS__
#else
#define STINT_FOR_TIMING(...)
#endif

#ifndef STINT_NO_SHORT_NAMES
#define REGISTER_TIMER(...) STINT_SCOPE(__VA_ARGS__)
#define REGISTER_TIMER_INFO(name, info) STINT_SCOPE_INFO(name, info)
#define REGISTER_TIMER_SET(...) STINT_SCOPE_SINCE(__VA_ARGS__)
#define REGISTER_TIMER_DYNAMIC(...) STINT_SCOPE_DYNAMIC(__VA_ARGS__)
#define REGISTER_TIMER_DYNAMIC_SET(...) STINT_SCOPE_DYNAMIC_SINCE(__VA_ARGS__)
#define FOR_TIMING(...) STINT_FOR_TIMING(__VA_ARGS__)
#endif

STINT_EXTERN_C_BEGIN

/* ------------------------------------------------------------------------------------------------- non-scoped timers
 *
 *     struct stint_timer timer = STINT_TIMER_INIT;
 *     stint_timer_start(&timer, "request", NULL);
 *     ...                                             // hand the struct to any thread
 *     stint_timer_stop(&timer);
 *
 * For intervals that do not nest, because they end in another function than they began in, or on another thread. The
 * sample is added below the root of the stopping thread's tree, and is charged to no enclosing scope. These functions
 * record even where STINT_WITH_TIMER is 0; wrap them in STINT_FOR_TIMING to compile them out. */

/** One interval. Plain data: it may be copied, handed to another thread, or discarded. Two threads must not use one at
 *  the same time. */
struct stint_timer {
    uint64_t start;     /* ticks; 0: not running */
    uint32_t statistic; /* its id */
};

#ifdef __cplusplus
#define STINT_TIMER_INIT stint_timer()
#else
#define STINT_TIMER_INIT                                                                                               \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }
#endif

/** Starts, or restarts, `timer` for the statistic `name` of `set` (NULL: the global set).
 *
 *  @return STINT_OK, also when recording is switched off; stint_timer_stop then records nothing.
 *          STINT_ERROR_INVALID_ARGUMENT: timer is NULL.
 *          STINT_ERROR_LIMIT: there are too many names or threads; counted as dropped.
 *          STINT_ERROR_NO_MEMORY: the system has no memory for another name or thread; counted as dropped.
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted stint.
 *  Threads: any. Cost: a look-up in the thread's name cache and one clock read. */
STINT_API enum stint_status stint_timer_start(struct stint_timer *timer, const char *name, struct stint_statset *set);

/** Stops `timer` and adds its sample to the statistic. The timer is not running afterwards, whatever the status.
 *
 *  @return STINT_OK.
 *          STINT_ERROR_INVALID_ARGUMENT: timer is NULL.
 *          STINT_ERROR_NOT_STARTED: it was never started, or is stopped already; counted as mismatched.
 *          STINT_ERROR_LIMIT, STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as for stint_timer_start; the sample is lost,
 *          and counted.
 *  Threads: any, but only one at a time for the same timer. */
STINT_API enum stint_status stint_timer_stop(struct stint_timer *timer);

/* ---------------------------------------------------------------------------------------------------------- control */

/** Switches recording on or off, for the whole process. Scopes that are running when it is switched off still end and
 *  are counted; scopes entered while it is off are not. At start it is on unless STINT_ENABLE=off. Threads: any. */
STINT_API void stint_set_enabled(int enabled);

/** Returns 1 while recording is switched on, 0 otherwise. Threads: any. */
STINT_API int stint_enabled(void);

/** Switches histograms, and with them percentiles, on or off for calling contexts that are entered for the first time
 *  from now on; the others do not change. Without histograms a calling context takes 1.3 KiB less, and a scope a few
 *  instructions less. At start they are on unless STINT_PERCENTILES=off. Threads: any. */
STINT_API void stint_set_percentiles(int enabled);

/** Returns 1 if the library was configured to compile timers in (WITH_TIMER), 0 otherwise. That is the default for
 *  files that do not define STINT_WITH_TIMER themselves. Threads: any. */
STINT_API int stint_with_timer(void);

/** Returns the time, as STINT_SCOPE_SINCE expects it: microseconds since an arbitrary, fixed moment of this boot, by a
 *  clock that is monotonic, is never stepped and is the same for all threads. Threads: any. Cost: one read of the
 *  system's clock. */
STINT_API uint64_t stint_now_us(void);

STINT_EXTERN_C_END

#endif
