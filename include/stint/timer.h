/* stint/timer.h - scoped timers: one macro at the call site, about the price of two clock reads.
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
 * continue, goto out of the block, and C++ exceptions. After longjmp over a scope the enclosing scope's end pops it;
 * it is counted as abandoned, not timed. Do not co_await inside a scope: it must end on the thread that began it.
 *
 * Cost (docs/overhead.md): on, a call site known: two clock reads and about 25 plain instructions, no lock, no
 * allocation, no system call. Switched off at run time: one load and one predictable branch
 * (a call, where the name is dynamic or a start is given). Compiled out
 * (STINT_WITH_TIMER=0, for a file, a target or the whole library): no instruction; arguments are still type-checked but
 * not evaluated. The first use of a site in a thread registers it, which takes a lock and may map memory.
 *
 * Legal at any time: before main, in exit handlers, in a forked child, in a thread's destructors, in signal handlers,
 * at any depth, from several shared objects, with names that are later overwritten, freed or unloaded (they are
 * copied).
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
 * All are declarations: they need a block, any number of them may stand in one, and `if (x) STINT_SCOPE("y");` without
 * braces does not compile. Common parameters:
 *
 *   name          const char *, UTF-8, copied at the site's first use. The static forms keep the first name seen at a
 *                 site; without NDEBUG a different later name is counted, and reported once per statistic through the
 *                 log. NULL or "" is recorded as "(unnamed)"; more than 4095 bytes are cut, and counted.
 *   threshold_us  uint64_t, microseconds. A scope that took at least this long logs a line at its end:
 *                     Stat: [NAME] INFO [Span:12ms5us]
 *                 (uint64_t)-1, the default, never does. 0 always does.
 *   set           struct stint_statset *, NULL (the default) for the global set "GlobalStatInfo". See statset.h.
 *
 * Each argument is evaluated once per execution while recording is compiled in.
 */

/** STINT_SCOPE(name[, threshold_us[, set]]) - times the rest of the enclosing block. */
#define STINT_SCOPE(...) STINT_I_SELECT(STINT_I_SCOPE_, __VA_ARGS__)

/** STINT_SCOPE_INFO(name, info) - STINT_SCOPE with a threshold of 10 s. `info`, a const char * such as a layer's name,
 *  must outlive the scope; it appears in the slow line only and is not part of the key: all infos share one statistic.
 *  NULL reads as "". */
#define STINT_SCOPE_INFO(name, info) STINT_I_INFO(name, info)

/** STINT_SCOPE_SINCE(name, start_us[, threshold_us[, set]]), Paddle's REGISTER_TIMER_SET - as STINT_SCOPE, but the
 *  interval began at `start_us`, an absolute time from stint_now_us(), perhaps taken in another function or thread. The
 *  parent is charged only for the part since this line. A start in the future counts as now, one before the
 *  statistic was last reset as that moment. */
#define STINT_SCOPE_SINCE(...) STINT_I_SELECT(STINT_I_SINCE_, __VA_ARGS__)

/** STINT_SCOPE_DYNAMIC(name[, threshold_us[, set]]) - as STINT_SCOPE, but the name may differ at each execution; it is
 *  looked up each time in a cache of the thread (cost: docs/overhead.md). */
#define STINT_SCOPE_DYNAMIC(...) STINT_I_SELECT(STINT_I_DYNAMIC_, __VA_ARGS__)

/** STINT_SCOPE_DYNAMIC_SINCE(name, start_us[, threshold_us[, set]]) - dynamic name and explicit start. */
#define STINT_SCOPE_DYNAMIC_SINCE(...) STINT_I_SELECT(STINT_I_DYNAMIC_SINCE_, __VA_ARGS__)

/** STINT_FOR_TIMING(statement) - the statement itself while timers are compiled in, nothing otherwise. */
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
 * For intervals that do not nest: begun in one function and ended in another, or on another thread. The sample is added
 * below the root of the stopping thread's tree; it charges no enclosing scope. These functions record whatever
 * STINT_WITH_TIMER says; wrap them in STINT_FOR_TIMING to compile them out. */

/** One interval. Plain data: copy it, send it, or forget it. Not to be used by two threads at once. */
struct stint_timer {
    uint64_t start;     /* ticks; 0: not running */
    uint32_t statistic; /* id */
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
 *  @return STINT_OK; also when recording is switched off, and then stop records nothing.
 *          STINT_ERROR_INVALID_ARGUMENT: timer is NULL.
 *          STINT_ERROR_LIMIT: too many names or threads; counted as dropped.
 *          STINT_ERROR_NO_MEMORY: the system gave no memory for one; likewise.
 *          STINT_ERROR_BUSY: in a signal handler that interrupted stint.
 *  Threads: any. Cost: a look-up in the thread's name cache and one clock read. */
STINT_API enum stint_status stint_timer_start(struct stint_timer *timer, const char *name, struct stint_statset *set);

/** Stops `timer` and adds its sample, from whichever thread.
 *
 *  @return STINT_OK.
 *          STINT_ERROR_INVALID_ARGUMENT: timer is NULL.
 *          STINT_ERROR_NOT_STARTED: it is not running (never started, or stopped already); counted as mismatched.
 *          STINT_ERROR_LIMIT, STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as for start; the sample is lost, and counted.
 *  Threads: any; not the same timer from two at once. */
STINT_API enum stint_status stint_timer_stop(struct stint_timer *timer);

/* ---------------------------------------------------------------------------------------------------------- control */

/** Switches recording on or off, for the whole process. Scopes that are running when it is switched off still end and
 *  count; scopes entered while it is off never do. At start it is on unless STINT_ENABLE=off. Threads: any. */
STINT_API void stint_set_enabled(int enabled);

/** Returns 1 while recording is switched on, 0 otherwise. Threads: any. */
STINT_API int stint_enabled(void);

/** Switches histograms, hence percentiles, on or off for calling contexts first entered from now on; those known keep
 *  what they have. Off saves 1.4 KiB and a few instructions per scope. At start: on unless STINT_PERCENTILES=off. */
STINT_API void stint_set_percentiles(int enabled);

/** Returns 1 if the library was configured to compile timers in (WITH_TIMER), 0 otherwise: what call sites do that do
 *  not define STINT_WITH_TIMER themselves. Threads: any. */
STINT_API int stint_with_timer(void);

/** Returns the time in microseconds since an arbitrary, fixed moment of this boot: monotonic, never stepped, the same
 *  for all threads. What STINT_SCOPE_SINCE expects. Threads: any. Cost: one clock read of the system. */
STINT_API uint64_t stint_now_us(void);

STINT_EXTERN_C_END

#endif
