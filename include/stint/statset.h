/* stint/statset.h - named sets of statistics, and snapshots of them.
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
#include "stint/status.h"

STINT_EXTERN_C_BEGIN

struct stint_statset;

/* -------------------------------------------------------------------------------------------------------------- sets */

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

/* ---------------------------------------------------------------------------------------------------------- snapshots
 *
 * A snapshot is one immutable value: plain arrays to iterate, with no tie to what is still being recorded. Times are
 * nanoseconds. Threads keep recording while it is taken, so each number is exact as of the moment it was read; when
 * the recording threads rest, the whole is exact. */

/** One bar of a histogram: `count` samples, all within 6.3 % of `ns`; the last bar also takes what lasted longer than
 *  2^44 ticks of the clock, about two hours. */
struct stint_bin {
    uint64_t ns;
    uint64_t count;
};

/** The numbers of a scope, a statistic, or a thread's part of one. Of activations nested in another of the same name,
 *  only the outermost adds to total, min, max, square and bins in flat rows (struct stint_stat); every one counts. */
struct stint_numbers {
    uint64_t count;               /* activations that ended */
    uint64_t recursive;           /* of these, activations nested in another of the same name */
    uint64_t total_ns;            /* inclusive time */
    uint64_t self_ns;             /* time not spent in enclosed scopes, exact also under recursion */
    uint64_t min_ns;              /* shortest activation; 0 while count is 0 */
    uint64_t max_ns;              /* longest activation */
    double square_ns2;            /* sum of squared durations */
    uint64_t running;             /* activations that had not ended when the snapshot was taken */
    uint64_t running_ns;          /* their time so far, not part of the above */
    const struct stint_bin *bins; /* by rising ns; NULL where bin_count is 0 */
    size_t bin_count;
};

/** One statistic (set, name), over all calling contexts and threads. By falling total, then name. */
struct stint_stat {
    const char *set;
    const char *name;
    const char *file;     /* of the call site that registered it; "" if none */
    const char *function; /* likewise */
    uint32_t line;        /* likewise; 0 if none */
    int by_thread;        /* stint_statset_set_thread_info */
    struct stint_numbers numbers;
};

/** One node of the calling-context tree, over all threads. In pre-order, siblings by falling total, then name. */
struct stint_context {
    size_t stat;    /* index in stats */
    size_t parent;  /* index in contexts, less than this one's; STINT_NO_PARENT for a root */
    uint32_t depth; /* 0 for a root */
    struct stint_numbers numbers;
};

#define STINT_NO_PARENT ((size_t)-1)

/** A thread that recorded. All that have exited are one entry, with exited = 1 and tid = 0, if there is any. */
struct stint_thread {
    int64_t pid;
    int64_t tid;
    int exited;
    char name[16]; /* of the operating system's; "" if unknown */
};

/** A thread's part of a statistic; numbers.bins are left out. By stat, then thread. */
struct stint_thread_stat {
    size_t thread; /* index in threads */
    size_t stat;   /* index in stats */
    struct stint_numbers numbers;
};

/** What the recording process and its clock were. A merged snapshot has those of its first part. */
struct stint_process {
    int64_t pid;
    const char *command; /* program and arguments, separated by blanks; "" if unknown */
    const char *host;
    uint64_t start_unix_ns; /* when stint was first used, wall-clock time */
    uint64_t wall_ns;       /* from then to this snapshot */
    const char *clock;      /* "tsc", "cntvct" or "monotonic" */
    double clock_hz;        /* ticks per second */
    double clock_read_ns;   /* measured cost of one clock read; 0: not measured */
    double scope_ns;        /* measured cost of one scope; 0: not measured */
};

/** What a bound or a mishap kept out of the numbers; each is counted, and every report's footer says so. */
struct stint_dropped {
    uint64_t nodes;      /* scopes entered in a calling context beyond STINT_MAX_NODES */
    uint64_t names;      /* scopes whose name was beyond STINT_MAX_NAMES */
    uint64_t sets;       /* stint_statset_get beyond 256 sets, which gave the global set */
    uint64_t threads;    /* scopes of threads beyond STINT_MAX_THREADS */
    uint64_t memory;     /* scopes for which the system gave no memory */
    uint64_t reentrant;  /* scopes of signal handlers that interrupted stint */
    uint64_t truncated;  /* names cut to 4095 bytes */
    uint64_t unnamed;    /* names that were NULL or empty */
    uint64_t changed;    /* executions of static call sites under another name than their first */
    uint64_t mismatched; /* ends without a beginning */
    uint64_t abandoned;  /* scopes popped by the end of an outer one (longjmp) or of their thread */
    uint64_t negative;   /* spans below zero, counted as 0 */
    uint64_t barriers;   /* barrier calls refused: wrong participant, other participants than before, no room */
};

enum stint_barrier_kind {
    STINT_BARRIER_END = 0,  /* participants arrive; the last to arrive is the slowest */
    STINT_BARRIER_DELTA = 1 /* participants report a duration; the longest is the slowest's */
};

/** The rounds of a barrier in which one participant was the slowest, or all of them. Each _gap_ns but the least and the
 *  greatest is a sum over these rounds. */
struct stint_barrier_part {
    uint32_t participant; /* 0 where all are meant */
    uint64_t rounds;
    uint64_t gap_ns;     /* from the first arrival to the last; of durations, from the shortest to the longest */
    uint64_t min_gap_ns; /* 0 while rounds is 0 */
    uint64_t max_gap_ns;
    uint64_t second_gap_ns;   /* from the second arrival to the last; this and the following: 0 for durations */
    uint64_t last_two_gap_ns; /* from the last but one to the last */
    uint64_t middle_gap_ns;   /* from the middle one, number n/2 counted from 0, to the last */
};

/** A barrier statistic (barrier.h). By set, the global one first, then name. */
struct stint_barrier_stat {
    const char *set;
    const char *name; /* with its tag */
    enum stint_barrier_kind kind;
    uint32_t participants;
    uint32_t pending;                         /* participants of the round that is under way */
    uint64_t rounds;                          /* finished, the first one included, which is in none of the below */
    struct stint_barrier_part total;          /* of all rounds but the first */
    const struct stint_barrier_part *slowest; /* whoever was so at least once; by falling rounds, then id */
    size_t slowest_count;
};

/** Everything recorded up to one moment. */
struct stint_snapshot {
    size_t size; /* sizeof(struct stint_snapshot) of the library that made it */
    struct stint_process process;
    const char *const *sets; /* names, [0] is "GlobalStatInfo", the others by name */
    size_t set_count;
    const struct stint_stat *stats;
    size_t stat_count;
    const struct stint_context *contexts;
    size_t context_count;
    const struct stint_thread *threads;
    size_t thread_count;
    const struct stint_thread_stat *thread_stats;
    size_t thread_stat_count;
    struct stint_dropped dropped;
    const struct stint_barrier_stat *barriers;
    size_t barrier_count;
};

/** Takes a snapshot of every set. Statistics without any activation, ended or running, are left out.
 *
 *  @param snapshot receives it; NULL on failure. Free with stint_snapshot_free.
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: snapshot is NULL; STINT_ERROR_NO_MEMORY;
 *          STINT_ERROR_BUSY: in a signal handler that interrupted stint.
 *  Cost: bench key snapshot_us_per_1000_nodes, docs/overhead.md. New threads and new names wait meanwhile. */
STINT_API enum stint_status stint_snapshot_take(struct stint_snapshot **snapshot);

/** Adds two snapshots, of two threads, processes or runs: sets, statistics and calling contexts are matched by name,
 *  threads are listed one after the other, dropped counts add up. Commutative up to process, associative; merging with
 *  an empty snapshot changes nothing.
 *
 *  @param merged receives a new snapshot that shares nothing with the two; NULL on failure.
 *  @return STINT_OK; STINT_ERROR_INVALID_ARGUMENT: an argument is NULL; STINT_ERROR_NO_MEMORY. */
STINT_API enum stint_status stint_snapshot_merge(const struct stint_snapshot *a, const struct stint_snapshot *b,
                                                 struct stint_snapshot **merged);

/** Frees a snapshot; NULL is ignored. */
STINT_API void stint_snapshot_free(struct stint_snapshot *snapshot);

/** Returns the statistic (set, name) of a snapshot, or NULL. `set` NULL is the global set. */
STINT_API const struct stint_stat *stint_snapshot_find(const struct stint_snapshot *snapshot, const char *set,
                                                       const char *name);

/** Returns the mean duration in ns of the activations in total_ns (count - recursive of them in flat rows); 0 if none. */
STINT_API uint64_t stint_numbers_avg_ns(const struct stint_numbers *numbers);

/** Returns the duration in ns that a fraction `p` of the activations did not exceed, within 6.3 %; p in [0, 1], values
 *  outside are clamped. 0 if there is no histogram. p = 0 gives min_ns and p = 1 max_ns, exactly. */
STINT_API uint64_t stint_numbers_percentile_ns(const struct stint_numbers *numbers, double p);

/** Returns the population standard deviation in ns: sqrt(square/n - (total/n)^2); 0 without samples. */
STINT_API double stint_numbers_stddev_ns(const struct stint_numbers *numbers);

STINT_EXTERN_C_END

#endif
