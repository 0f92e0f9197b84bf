/* What is open on each thread while events are read by start: the calling context of what begins, and whose time it is
 * that passes. Memory is for threads and for what is open at one time, not for events. */
#ifndef STINT_REPLAY_OPEN_H
#define STINT_REPLAY_OPEN_H

#include "base/array.h"
#include "base/index.h"
#include "stat/event.h"

/* What is open inside this many others is passed over: a bound for files that nobody recorded. */
enum { STINT_OPEN_MOST = 16384 };

/* A scope, or a call of CUDA's API, that has begun and not ended. */
struct stint_open {
    uint64_t end_ns;
    uint64_t least_end_ns; /* of it and those around it */
    size_t context;        /* the caller's number for it */
    size_t instance;       /* likewise */
    int is_call;
};

struct stint_open_thread {
    int64_t pid;
    int64_t tid;
    uint64_t at_ns;          /* until when time has been told */
    struct stint_array open; /* struct stint_open, outermost first */
    int has_moved;           /* something ended in which what is open still was; until the caller clears it */
    size_t data;             /* the caller's; 0 at first */
};

/* Is told how long something was the innermost that was open. */
typedef void stint_open_spent_fn(void *caller, const struct stint_open_thread *thread, const struct stint_open *open,
                                 uint64_t ns);

/* Zeroed but for the first two, which may be NULL: nothing is open. */
struct stint_open_threads {
    stint_open_spent_fn *spent;
    void *caller;
    struct stint_arena arena;
    struct stint_array threads; /* struct stint_open_thread */
    struct stint_index index;
};

/* Returns the thread, as it is at that time: what has ended is closed. NULL without memory. Valid until the next call.
 * Times do not go back. */
struct stint_open_thread *stint_open_at(struct stint_open_threads *threads, int64_t pid, int64_t tid, uint64_t ns);

/* Opens something inside all that is open on the thread. Returns it, or NULL if there is no memory or it is in too many
 * others. */
struct stint_open *stint_open_push(struct stint_open_threads *threads, struct stint_open_thread *thread,
                                   uint64_t end_ns);

/* Returns the innermost that is open and no call; NULL: none. */
struct stint_open *stint_open_scope(const struct stint_open_thread *thread);

/* Returns whether the innermost is a call. */
int stint_open_in_call(const struct stint_open_thread *thread);

/* Closes all that is open, on every thread, at its end. */
void stint_open_finish(struct stint_open_threads *threads);

void stint_open_free(struct stint_open_threads *threads);

#endif
