/* stint/barrier.h - finds the participants that keep the others waiting at a barrier.
 *
 *     void wait_for_all(int trainer)
 *     {
 *         REGISTER_BARRIER_TIMER_SERVER(NULL, "gradients", 10, trainer);     // trainer 0 to 9 arrives
 *         ...
 *     }
 *     printBarrierTimerStatus();
 *
 * Each of n participants calls once per round. A statistic of arrivals (STINT_BARRIER_END) takes the time of each call:
 * when the n-th participant has arrived, the gap of the round is the time from the first arrival to the last, and the
 * last to arrive is the slowest. A statistic of durations (STINT_BARRIER_DELTA) takes a duration that each participant
 * reports: the gap is the difference between the longest and the shortest, and the participant with the longest is the
 * slowest. The first round, and the first after a reset, is counted but otherwise discarded. The statistic has, for
 * each participant, how often it was the slowest, and by how much:
 *
 *     gradients
 *                                               trainerId      avgGap         avgSecondGap   avgLastTwoGap  ...
 *                                               totAbstract    90             80             10             ...
 *                                               9              90             80             10             ...
 *
 * A table is printed if some participant was the slowest in at least a fraction p = 1/n + (n/8)/(n+1) of the rounds,
 * which would rarely happen by chance if all were equally fast. STINT_BARRIER_SHOW=always|never|auto and
 * STINT_BARRIER_LOWEST=5 in the environment, or stint_barrier_set_display, change what is printed. Snapshots always
 * contain everything (snapshot.h).
 *
 * With STINT_WITH_TIMER=0 the macros are compiled out, except REGISTER_SLOW_NODES_PROBE and CHECK_BARRIER_TIMER. The
 * functions are always there.
 *
 * Cost: a look-up by name, and a lock that is held for about ten instructions. Limits: 1024 barrier statistics, 65535
 * participants. Threads: every macro and function may be used on any thread.
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
 * All of them are expressions of type enum stint_status, or void where compiled out. Common parameters, each evaluated
 * once, or not at all where compiled out:
 *
 *   set           struct stint_statset *, NULL for the global set.
 *   name, tag     const char *: joined without a separator, they are the statistic's name. `tag` may be left out. As
 *                 for scopes, an empty name is recorded as "(unnamed)" and a name longer than 4095 bytes is cut; both
 *                 are counted.
 *   participants  the number of calls in a round; any integer type. With 2 or fewer the call does nothing. The first
 *                 call for a name fixes the number; calls with another one are refused.
 *   id            the participant that calls: 0 to participants - 1.
 */

/** STINT_BARRIER_ARRIVE(set, name, participants, id[, tag]) - the participant arrives now: stint_barrier_arrive. */
#define STINT_BARRIER_ARRIVE(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_ARRIVE_, __VA_ARGS__)

/** STINT_BARRIER_ARRIVE_AT(set, name, participants, id, time[, tag]) - the participant arrived at `time`, a struct
 *  timeval: stint_barrier_arrive_at. */
#define STINT_BARRIER_ARRIVE_AT(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_AT_, __VA_ARGS__)

/** STINT_BARRIER_REPORT(set, name, participants, id, delta_us[, tag]) - the participant reports a duration:
 *  stint_barrier_delta. */
#define STINT_BARRIER_REPORT(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_REPORT_, __VA_ARGS__)

/** STINT_BARRIER_PROBE(set, name, participants, id[, tag]) - as STINT_BARRIER_ARRIVE, but always compiled in. */
#define STINT_BARRIER_PROBE(...) STINT_I_BARRIER_SELECT(STINT_I_BARRIER_PROBE_, __VA_ARGS__)

/** STINT_BARRIER_CHECK(set, name, participants[, tag]) - checks that no round is under way: stint_barrier_check. Always
 *  compiled in. */
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

/** Participant `id` of `participants` arrives now at the barrier `name` of `set`. The first call for a name creates the
 *  statistic, and logs a line.
 *
 *  @return STINT_OK. With 2 participants or fewer, or when recording is switched off, nothing is counted.
 *          Other statuses mean that the call was refused. It is counted as dropped.barriers, and the first refusal of a
 *          statistic is logged:
 *          STINT_ERROR_INVALID_ARGUMENT: id is not 0 to participants - 1, the statistic has another number of
 *          participants, or it takes durations.
 *          STINT_ERROR_LIMIT: there would be more than 1024 statistics, or 65535 participants. STINT_ERROR_NO_MEMORY.
 *          STINT_ERROR_BUSY: the caller is a signal handler that interrupted stint; counted as dropped.reentrant. */
STINT_API enum stint_status stint_barrier_arrive(struct stint_statset *set, const char *name, int64_t participants,
                                                 int64_t id);

/** Does the same as stint_barrier_arrive for an arrival at `time_us`, in microseconds of any clock that all
 *  participants share. Within a round, no time may be before that of an earlier call: a negative gap is taken for 0,
 *  and its round counted as dropped.negative. */
STINT_API enum stint_status stint_barrier_arrive_at(struct stint_statset *set, const char *name, int64_t participants,
                                                    int64_t id, uint64_t time_us);

/** Participant `id` reports that it took `delta_us` microseconds. If several have the longest duration, the first of
 *  them to report is the slowest.
 *
 *  @return as stint_barrier_arrive; STINT_ERROR_INVALID_ARGUMENT also for a statistic that takes arrivals. */
STINT_API enum stint_status stint_barrier_delta(struct stint_statset *set, const char *name, int64_t participants,
                                                int64_t id, uint64_t delta_us);

/** Checks that no round is under way, that is, that all participants have passed the barrier.
 *
 *  @return STINT_OK, also for an unknown name, with 2 participants or fewer, or when recording is switched off;
 *          STINT_ERROR_INCOMPLETE: some participants have arrived and some have not;
 *          STINT_ERROR_INVALID_ARGUMENT: the statistic has another number of participants; these two are also logged,
 *          as "NAME: invalid barrier data";
 *          STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as above. */
STINT_API enum stint_status stint_barrier_check(struct stint_statset *set, const char *name, int64_t participants);

/** Zeroes the barrier statistic `name` of a set, or with `name` NULL all of them, as stint_statset_reset does.
 *  STINT_RESET_ALL also drops the round under way; STINT_RESET_KEEP_RUNNING lets it go on. The next round to be
 *  finished is a first one again, and discarded.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such barrier statistic (also logged);
 *          STINT_ERROR_NO_MEMORY, STINT_ERROR_BUSY: as above. */
STINT_API enum stint_status stint_barrier_reset(struct stint_statset *set, const char *name, enum stint_reset how);

/** Prints the table of the statistic `name` of a set through the log sink or, with `name` NULL, a header and the tables
 *  of all its statistics. Which tables are printed is chosen by stint_barrier_set_display. stint_print_all_status
 *  prints those of all sets.
 *
 *  @return STINT_OK; STINT_ERROR_NOT_FOUND: the set has no such barrier statistic (also logged);
 *          otherwise as stint_statset_print. */
STINT_API enum stint_status stint_barrier_print(struct stint_statset *set, const char *name);

/** Writes the table of a statistic through `write`, without the header of its set, if stint_barrier_print would print
 *  it.
 *
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: an argument is NULL; STINT_ERROR_IO: write returned -1. */
STINT_API enum stint_status stint_barrier_write(const struct stint_barrier_stat *barrier, stint_write_fn *write,
                                                void *context);

enum stint_barrier_show {
    STINT_BARRIER_AUTO = 0,   /* tables in which a participant was the slowest unusually often */
    STINT_BARRIER_ALWAYS = 1, /* all tables with at least one round; Paddle's --log_barrier_show_log */
    STINT_BARRIER_NEVER = 2   /* no table; Paddle's --log_barrier_abstract=false */
};

/** Chooses which tables are printed, and how many participants each lists at most (Paddle's
 *  --log_barrier_lowest_nodes). At start these are STINT_BARRIER_SHOW, by default auto, and STINT_BARRIER_LOWEST, by
 *  default 5. */
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
