/* stint/barrier.h - who keeps the others waiting at a barrier.
 *
 *     void wait_for_all(int trainer)
 *     {
 *         REGISTER_BARRIER_TIMER_SERVER(NULL, "gradients", 10, trainer);     // trainer, 0 to 9, arrives
 *         ...
 *     }
 *     printBarrierTimerStatus();
 *
 * Each of n participants calls once per round. A statistic of arrivals (STINT_BARRIER_END) takes the time of the call:
 * when the n-th has come, the round's gap is the time from the first to the last, and the last is the slowest. One of
 * durations (STINT_BARRIER_DELTA) takes a duration that each reports: the gap is from the shortest to the longest, and
 * whoever had the longest is the slowest. The first round after the beginning or a reset is counted but otherwise
 * discarded. Per participant it is known how often it was the slowest, and by how much:
 *
 *     gradients
 *                                               trainerId      avgGap         avgSecondGap   avgLastTwoGap  ...
 *                                               totAbstract    90             80             10             ...
 *                                               9              90             80             10             ...
 *
 * A table is shown if some participant was the slowest in at least p = 1/n + (n/8)/(n+1) of the rounds, which for
 * equals would be a rare chance. STINT_BARRIER_SHOW=always|never|auto and STINT_BARRIER_LOWEST=5 in the environment, or
 * stint_barrier_set_display, change what is shown; everything is in snapshots (statset.h).
 *
 * Compiled out (STINT_WITH_TIMER=0) the macros leave nothing behind but those of REGISTER_SLOW_NODES_PROBE and
 * CHECK_BARRIER_TIMER, which always stay. Functions stay too.
 *
 * Cost: a look-up by name and a lock for some ten instructions. Bounds: 1024 barrier statistics, 65535 participants.
 * Threads: all of it may be called from any thread.
 */
#ifndef STINT_BARRIER_H
#define STINT_BARRIER_H

#include <stddef.h>
#include <stdint.h>

#include "stint/config.h"
#include "stint/detail/api.h"
#include "stint/detail/barrier.h"
#include "stint/sink.h"
#include "stint/statset.h"
#include "stint/status.h"

/* ------------------------------------------------------------------------------------------------------------ macros
 *
 * All are expressions of type enum stint_status, but void where compiled out. Common parameters, each evaluated once:
 *
 *   set           struct stint_statset *, NULL for the global set.
 *   name, tag     const char *: together, without separator, the statistic's name. `tag` may be left out. As for
 *                 scopes, an empty name is recorded as "(unnamed)" and more than 4095 bytes are cut, both counted.
 *   participants  how many calls make a round; any integer type. The call does nothing for 2 or less. The first call of
 *                 a name decides; another number later is refused.
 *   id            which of them calls: 0 to participants - 1.
 */

/** STINT_BARRIER_ARRIVE(set, name, participants, id[, tag]) - stint_barrier_arrive. */
#define STINT_BARRIER_ARRIVE(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_ARRIVE_, __VA_ARGS__)

/** STINT_BARRIER_ARRIVE_AT(set, name, participants, id, time[, tag]) - likewise at `time`, a struct timeval. */
#define STINT_BARRIER_ARRIVE_AT(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_AT_, __VA_ARGS__)

/** STINT_BARRIER_REPORT(set, name, participants, id, delta_us[, tag]) - stint_barrier_delta. */
#define STINT_BARRIER_REPORT(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_REPORT_, __VA_ARGS__)

/** STINT_BARRIER_PROBE(set, name, participants, id[, tag]) - as STINT_BARRIER_ARRIVE, but always compiled in. */
#define STINT_BARRIER_PROBE(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_PROBE_, __VA_ARGS__)

/** STINT_BARRIER_CHECK(set, name, participants[, tag]) - stint_barrier_check; always compiled in. */
#define STINT_BARRIER_CHECK(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_CHECK_, __VA_ARGS__)

#ifndef STINT_NO_SHORT_NAMES
#define REGISTER_BARRIER_TIMER_SERVER(...) STINT_BARRIER_ARRIVE(__VA_ARGS__)
#define REGISTER_BARRIER_TIMER_SERVER_SET(...) STINT_BARRIER_ARRIVE_AT(__VA_ARGS__)
#define REGISTER_BARRIER_DELTA_SERVER_SET(...) STINT_BARRIER_REPORT(__VA_ARGS__)
#define REGISTER_SLOW_NODES_PROBE(...) STINT_BARRIER_PROBE(__VA_ARGS__)
#define CHECK_BARRIER_TIMER(...) STINT_BARRIER_CHECK(__VA_ARGS__)
#endif

STINT_EXTERN_C_BEGIN

/* -------------------------------------------------------------------------------------------------------- functions */

/** Participant `id` of `participants` arrives now, at the barrier `name` of `set`. A statistic that is new is announced
 *  by a log line.
 *
 *  @return STINT_OK; also, and then nothing is counted, for 2 participants or less, or when recording is switched off.
 *          Refused calls are counted as dropped.barriers, and a statistic's first one is logged:
 *          STINT_ERROR_INVALID_ARGUMENT: id is not 0 to participants - 1, the statistic has another number of
 *          participants, or it takes durations.
 *          STINT_ERROR_LIMIT: more than 1024 statistics or 65535 participants. STINT_ERROR_NO_MEMORY.
 *          STINT_ERROR_BUSY: in a signal handler that interrupted stint. */
STINT_API enum stint_status stint_barrier_arrive(struct stint_statset *set, const char *name, int64_t participants,
                                                 int64_t id);

/** As stint_barrier_arrive, at a time in microseconds of any clock that all participants share. Times must rise from
 *  call to call within a round: gaps below zero count as 0, and their round as dropped.negative. */
STINT_API enum stint_status stint_barrier_arrive_at(struct stint_statset *set, const char *name, int64_t participants,
                                                    int64_t id, uint64_t time_us);

/** Participant `id` reports that it took `delta_us` microseconds; on equal terms the first to report is the slowest.
 *
 *  @return as stint_barrier_arrive; STINT_ERROR_INVALID_ARGUMENT also for a statistic that takes arrivals. */
STINT_API enum stint_status stint_barrier_delta(struct stint_statset *set, const char *name, int64_t participants,
                                                int64_t id, uint64_t delta_us);

/** Checks that no round is under way: that all participants have passed the barrier. A name that is not known passes.
 *
 *  @return STINT_OK; STINT_ERROR_INCOMPLETE: some have arrived and some have not (also a log line, "NAME: invalid
 *          barrier data"); STINT_ERROR_INVALID_ARGUMENT: the statistic has another number of participants;
 *          STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY as above. */
STINT_API enum stint_status stint_barrier_check(struct stint_statset *set, const char *name, int64_t participants);

/** Zeroes the barrier statistics of a set, or one of them; stint_statset_reset does so too. STINT_RESET_ALL also drops
 *  the round under way, STINT_RESET_KEEP_RUNNING lets it go on; either way it is the first again, and discarded.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such barrier statistic (also a log line);
 *          STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY as above. */
STINT_API enum stint_status stint_barrier_reset(struct stint_statset *set, const char *name, enum stint_reset how);

/** Prints the tables that are to be shown through the log sink: those of a set below a header or, with `name`, that of
 *  one statistic. stint_print_all_status prints those of all sets.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such barrier statistic (also a log line);
 *          otherwise as stint_statset_print. */
STINT_API enum stint_status stint_barrier_print(struct stint_statset *set, const char *name);

/** Writes a statistic's table, if it is to be shown, line by line, without header.
 *
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: an argument is NULL; STINT_ERROR_IO: write returned -1. */
STINT_API enum stint_status stint_barrier_write(const struct stint_barrier_stat *barrier, stint_write_fn *write,
                                                void *context);

enum stint_barrier_show {
    STINT_BARRIER_AUTO = 0,   /* where a participant was the slowest unusually often */
    STINT_BARRIER_ALWAYS = 1, /* whatever has had a round; Paddle's --log_barrier_show_log */
    STINT_BARRIER_NEVER = 2   /* none; Paddle's --log_barrier_abstract=false */
};

/** Chooses which tables are shown, and of how many participants at most (Paddle's --log_barrier_lowest_nodes). At start
 *  STINT_BARRIER_SHOW, default auto, and STINT_BARRIER_LOWEST, default 5. */
STINT_API void stint_barrier_set_display(enum stint_barrier_show show, unsigned lowest);

#ifndef STINT_NO_SHORT_NAMES
/** Prints the barrier tables of the global set: stint_barrier_print(NULL, NULL). */
static inline enum stint_status printBarrierTimerStatus(void)
{
    return stint_barrier_print(STINT_I_NULL, STINT_I_NULL);
}
#endif

STINT_EXTERN_C_END

#endif
