/* What is open on each thread while events are read by start: this gives the calling context of what begins, and tells
 * where time is spent. Memory is needed for threads and for what is open at one time, not for events. */
#ifndef STINT_REPLAY_OPEN_H
#define STINT_REPLAY_OPEN_H

#include <stdint.h>

#include "base/arena.h"
#include "model/event.h"
#include "stint/gpu_stats.h"
#include "support/keyed_table.h"

/* Scopes and calls nested deeper than this are counted, but skipped: a limit against files that no program has
 * recorded. */
enum { STINT_OPEN_MOST = 16384 };

/* A scope, or a call of CUDA's API, that has begun and not ended. */
struct stint_open {
    uint64_t end_ns;
    uint64_t least_end_ns; /* the earliest end of this one and those around it */
    size_t context;        /* the caller's number for it */
    size_t instance;       /* the same, for its instance */
    size_t cell;           /* and for what it is counted in */
    int is_call;
};

struct stint_open_thread {
    int64_t pid;
    int64_t tid;
    uint64_t at_ns;          /* time up to which time spent has been reported */
    struct stint_array open; /* struct stint_open, outermost first */
    int has_moved;           /* something ended while what it contains stayed open; set until the caller clears it */
    size_t data;             /* for the caller's use; 0 at first */
};

/* Called with the time for which `open` was the innermost on its thread. */
typedef void stint_open_spent_fn(void *caller, const struct stint_open_thread *thread, const struct stint_open *open,
                                 uint64_t ns);

/* Zero everything but the first two members, which may be NULL, to begin with nothing open. What could not be opened is
 * said by the two members behind them. */
struct stint_open_threads {
    stint_open_spent_fn *spent;
    void *caller;
    uint64_t too_deep; /* nested deeper than STINT_OPEN_MOST */
    int failed;        /* there was no memory for one, or for a thread */
    struct stint_arena arena;
    struct stint_table threads; /* struct stint_open_thread */
    size_t last;                /* position of the thread that was asked for last */
};

/* Returns the thread as it is at that time: what has ended by then is closed. Returns NULL if there is no memory. Valid
 * until the next call. Times must not decrease. */
struct stint_open_thread *stint_open_at(struct stint_open_threads *threads, int64_t pid, int64_t tid, uint64_t ns);

/* Opens something inside everything that is open on the thread. Returns it, or NULL if there is no memory or if it is
 * nested too deeply: see `failed` and `too_deep`. */
struct stint_open *stint_open_push(struct stint_open_threads *threads, struct stint_open_thread *thread,
                                   uint64_t end_ns);

/* Returns the innermost open scope, skipping calls; NULL if there is none. */
struct stint_open *stint_open_scope(const struct stint_open_thread *thread);

/* Returns whether the innermost is a call. */
int stint_open_in_call(const struct stint_open_thread *thread);

/* Closes everything that is open, on every thread, at its own end. */
void stint_open_finish(struct stint_open_threads *threads);

void stint_open_free(struct stint_open_threads *threads);

/* -------------------------------------------------------------------------------------------------------- launches */

/* This many most recent calls of a process are known. Drivers keep some thousands in their queues. */
enum { STINT_LAUNCHES = 1 << 18 };

/* A number for each call of CUDA's API, by its correlation id, for as long as devices may still be working for it. Zero
 * it to begin without calls. Memory is allocated with the first call. */
struct stint_launches {
    struct stint_arena arena;
    struct stint_launch_entry *entries;
};

/* Returns 0, or -1 if there is no memory. Correlation 0 means none. */
int stint_launches_put(struct stint_launches *launches, int64_t pid, uint64_t correlation, size_t number);

/* Returns the number, or STINT_GPU_UNATTRIBUTED if it is not known, or no longer. */
size_t stint_launches_find(const struct stint_launches *launches, int64_t pid, uint64_t correlation);

void stint_launches_free(struct stint_launches *launches);

/* --------------------------------------------------------------------------------------------------------- helpers */

/* Threads that help others, in a recording of another tool: what they do while nothing is open on them is charged to
 * the scope that waits for it, as while a program runs (contexts/contexts.h), and STINT_ADOPT says whose work that
 * is. */
struct stint_helpers {
    int rule;                /* enum stint_adopt_rule */
    struct stint_array rows; /* struct stint_helper: PyTorch's threads for backward passes */
};

/* Finds them among the threads whose `data` is not 0: the position + 1 of their names. Returns 0, or -1 if there is no
 * memory. */
int stint_helpers_find(struct stint_helpers *helpers, struct stint_arena *arena,
                       const struct stint_open_threads *threads, const char *const *names);

/* To be called at each launch of a thread: others may help it. */
void stint_helpers_see_launch(struct stint_open_thread *thread);

/* Returns the scope that waits for what begins on the thread at that time, on which no scope is open; NULL: none. */
const struct stint_open *stint_helpers_waiting(const struct stint_helpers *helpers, struct stint_open_threads *threads,
                                               const struct stint_open_thread *thread, uint64_t ns, int is_scope);

#endif
