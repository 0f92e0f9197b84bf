/* stint/statset.h - named sets of statistics. Snapshots of them: snapshot.h, included here.
 *
 *     struct stint_statset *net = stint_statset_get("Network");
 *     { REGISTER_TIMER("send", (uint64_t)-1, net); send_all(); }
 *     stint_statset_print(net, NULL);                  // Paddle's lines, through the log
 *     stint_statset_reset(net, STINT_RESET_ALL);
 *
 * A statistic is a pair (set, name). Every scope of that name adds to it, whatever its call site, thread or calling
 * context; the global set, "GlobalStatInfo", is meant wherever a set is NULL. Sets and statistics live until the
 * process ends. Threads: every function here may be called from any thread, and never stops one that records.
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

/** Returns the set called `name`, created if there is none; never NULL. NULL, an empty name, or more sets than the
 *  limit of 256 (counted as dropped) give the global set. */
STINT_API struct stint_statset *stint_statset_get(const char *name);

/** Returns the set's name; "GlobalStatInfo" for NULL. The text lives until the process ends. */
STINT_API const char *stint_statset_name(const struct stint_statset *set);

/** Adds one sample of `ns` nanoseconds to the statistic `name` (NULL or "": "(unnamed)"), which is created if there is
 *  none: for intervals measured by other means.
 *
 *  @return STINT_OK; also when recording is switched off, and then nothing is added.
 *          STINT_ERROR_LIMIT, STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: not added, as for stint_timer_stop (timer.h). */
STINT_API enum stint_status stint_statset_add(struct stint_statset *set, const char *name, uint64_t ns);

/** Discards the statistic `name`: its numbers are gone and it is unknown until a scope of that name ends again.
 *
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: name is NULL or empty;
 *          STINT_ERROR_NOT_FOUND: the set has no such statistic (also a log line). */
STINT_API enum stint_status stint_statset_delete(struct stint_statset *set, const char *name);

enum stint_reset {
    STINT_RESET_ALL = 0,         /* a running scope counts from this moment on; a barrier's round begins anew */
    STINT_RESET_KEEP_RUNNING = 1 /* a running scope will count in full when it ends; a barrier's round goes on */
};

/** Zeroes every statistic of the set, of all threads, exited ones included, at one moment: a snapshot taken afterwards
 *  shows nothing that ended before. Threads notice at their next scope; none is stopped.
 *
 *  @return STINT_OK; STINT_ERROR_NO_MEMORY: the library could not start; STINT_ERROR_BUSY: in a signal handler that
 *          interrupted stint, and nothing was reset. */
STINT_API enum stint_status stint_statset_reset(struct stint_statset *set, enum stint_reset how);

/** As stint_statset_reset, for every set. */
STINT_API enum stint_status stint_reset(enum stint_reset how);

/** Chooses whether the statistic `name` (NULL: every one of the set, later ones too) is printed by thread in Paddle's
 *  format.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such statistic (also a log line). */
STINT_API enum stint_status stint_statset_set_thread_info(struct stint_statset *set, const char *name, int by_thread);

/** Prints in Paddle's format through the log sink (report.h): one statistic of the set, a line, or with `name` NULL all
 *  of it, a header and a line per statistic that has samples, by falling total.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such statistic (also a log line);
 *          STINT_ERROR_NO_MEMORY: no memory for the snapshot. */
STINT_API enum stint_status stint_statset_print(struct stint_statset *set, const char *name);

#ifndef STINT_NO_SHORT_NAMES
/** Prints one statistic of the global set: stint_statset_print(NULL, name). STINT_ERROR_INVALID_ARGUMENT: NULL. */
static inline enum stint_status printStatus(const char *name)
{
    return name ? stint_statset_print(STINT_I_NULL, name) : STINT_ERROR_INVALID_ARGUMENT;
}

/** Prints the global set's timers: stint_statset_print(NULL, NULL). */
static inline enum stint_status printSegTimerStatus(void)
{
    return stint_statset_print(STINT_I_NULL, STINT_I_NULL);
}

/** Chooses thread lines for one statistic of the global set, or for all (NULL): Paddle's setThreadInfo(name, flag) and,
 *  with NULL, setThreadInfo(flag). */
static inline enum stint_status setThreadInfo(const char *name, int by_thread)
{
    return stint_statset_set_thread_info(STINT_I_NULL, name, by_thread);
}
#endif

STINT_EXTERN_C_END

#endif
