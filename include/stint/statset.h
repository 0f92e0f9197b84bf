/* stint/statset.h - named sets of statistics. Snapshots of them: snapshot.h, included here.
 *
 *     struct stint_statset *net = stint_statset_get("Network");
 *     { REGISTER_TIMER("send", (uint64_t)-1, net); send_all(); }
 *     stint_statset_print(net, NULL);                  // Paddle's lines, through the log
 *     stint_statset_reset(net, STINT_RESET_ALL);
 *
 * A statistic is a pair (set, name). Every scope of that set and name adds to it, whatever its call site, thread or
 * calling context. Wherever a set is NULL, the global set, "GlobalStatInfo", is meant. Sets and statistics live until
 * the process ends. Threads: every function here may be called from any thread; none stops a thread that records.
 */
#ifndef STINT_STATSET_H
#define STINT_STATSET_H

#include <stddef.h>
#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/snapshot.h"
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

struct stint_statset;

/* ------------------------------------------------------------------------------------------------------------- sets */

/** Returns the global set, "GlobalStatInfo"; never NULL. */
STINT_API struct stint_statset *stint_statset_global(void);

/** Returns the set called `name`, and creates it if there is none; never NULL. If the name is NULL or empty, or the
 *  limit of 256 sets is reached (counted as dropped), returns the global set. */
STINT_API struct stint_statset *stint_statset_get(const char *name);

/** Returns the set's name; "GlobalStatInfo" for NULL. The text lives until the process ends. */
STINT_API const char *stint_statset_name(const struct stint_statset *set);

/** Adds one sample of `ns` nanoseconds, measured by other means, to the statistic `name` (NULL or "": "(unnamed)"). The
 *  statistic is created if there is none. More than INT64_MAX, as a negative difference is, counts as 0, and is counted
 *  as a negative time.
 *
 *  @return STINT_OK, also when recording is switched off; then nothing is added.
 *          STINT_ERROR_LIMIT, STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as for stint_timer_stop (timer.h); the sample is
 *          lost, and counted. */
STINT_API enum stint_status stint_statset_add(struct stint_statset *set, const char *name, uint64_t ns);

/** Deletes the statistic `name`: its numbers are discarded, and it is unknown until a scope of that name ends again.
 *
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: name is NULL or empty;
 *          STINT_ERROR_NOT_FOUND: the set has no such statistic (also logged);
 *          STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as for stint_statset_reset. */
STINT_API enum stint_status stint_statset_delete(struct stint_statset *set, const char *name);

enum stint_reset {
    STINT_RESET_ALL = 0,         /* running scopes count from this moment on; a barrier's round begins anew */
    STINT_RESET_KEEP_RUNNING = 1 /* running scopes count in full when they end; a barrier's round goes on */
};

/** Zeroes every statistic of the set at one moment, for all threads including those that have exited: a snapshot taken
 *  afterwards contains nothing that ended before. Threads notice at their next scope; none is stopped.
 *
 *  @return STINT_OK; STINT_ERROR_NO_MEMORY: the library could not start for want of memory;
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted stint; nothing was reset. */
STINT_API enum stint_status stint_statset_reset(struct stint_statset *set, enum stint_reset how);

/** Does the same for every set, and zeroes what was collected of GPUs (gpu.h). */
STINT_API enum stint_status stint_reset(enum stint_reset how);

/** Chooses whether Paddle's format has one line per thread for the statistic `name` (NULL: for every statistic of the
 *  set, including later ones).
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such statistic (also logged);
 *          STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as for stint_statset_reset. */
STINT_API enum stint_status stint_statset_set_thread_info(struct stint_statset *set, const char *name, int by_thread);

/** Prints the statistic `name` of the set through the log sink (sink.h), as a line of Paddle's format. With `name` NULL
 *  prints the whole set: a header, and a line for each statistic that has samples, by descending total.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such statistic (also logged);
 *          STINT_ERROR_NO_MEMORY: there is no memory for the snapshot;
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted stint. */
STINT_API enum stint_status stint_statset_print(struct stint_statset *set, const char *name);

#ifndef STINT_NO_SHORT_NAMES
/** Prints one statistic of the global set: stint_statset_print(NULL, name). Returns STINT_ERROR_INVALID_ARGUMENT if the
 *  name is NULL. */
static inline enum stint_status printStatus(const char *name)
{
    return name ? stint_statset_print(STINT_I_NULL, name) : STINT_ERROR_INVALID_ARGUMENT;
}

/** Prints the global set's timers: stint_statset_print(NULL, NULL). */
static inline enum stint_status printSegTimerStatus(void)
{
    return stint_statset_print(STINT_I_NULL, STINT_I_NULL);
}

/** Chooses whether one statistic of the global set, or all of them (NULL), are printed by thread: Paddle's
 *  setThreadInfo(name, flag) and, with NULL, setThreadInfo(flag). */
static inline enum stint_status setThreadInfo(const char *name, int by_thread)
{
    return stint_statset_set_thread_info(STINT_I_NULL, name, by_thread);
}
#endif

STINT_EXTERN_C_END

#endif
