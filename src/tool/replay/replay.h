/* Makes a snapshot from events: what the recorded program would have counted if only these events had happened. Memory
 * is needed for names, calling contexts and threads, and for events only if a trace is asked for. */
#ifndef STINT_REPLAY_REPLAY_H
#define STINT_REPLAY_REPLAY_H

#include "replay/counts.h"
#include "replay/open.h"
#include "stat/builder.h"

struct stint_replay {
    struct stint_builder builder; /* the caller adds contexts, devices, values, modules and call chains */
    struct stint_dropped dropped; /* the caller adds to these counts */
    int counts;                   /* 1: statistics, activities and charges; 0: the trace alone */
    size_t trace;                 /* number of events to keep for the trace; further ones are dropped */
    uint64_t end_ns;              /* the latest end so far */
    struct stint_open_threads open;
    struct stint_launches launches;
    struct stint_arena arena;
    struct stint_counts counted;
    struct stint_array activities;     /* struct stint_replay_activity, as in the builder */
    struct stint_array names;          /* const char *: names of threads */
    struct stint_sample_info sampling; /* the caller says how threads were sampled; samples are counted here */
};

/* Begins with `counts` and `trace` as described above. */
void stint_replay_begin(struct stint_replay *replay, int counts, size_t trace);

/* Gives a thread a name, in case it occurs. */
void stint_replay_thread(struct stint_replay *replay, int64_t pid, int64_t tid, const char *name);

/* The same for all threads of which the report has samples and that had not exited. */
void stint_replay_sampled_threads(struct stint_replay *replay, const struct stint_snapshot *report);

/* Adds the next event; events have to come by start. Its `context` is a position in the builder, or one of the two
 * special values that stand for none. */
void stint_replay_add(struct stint_replay *replay, const struct stint_event *event);

/* Returns the snapshot, or NULL if there is no memory; frees everything else. `process` is passed to stint_builder_end;
 * if its wall_ns is 0, the recording ends with the latest end of an event. */
struct stint_snapshot *stint_replay_end(struct stint_replay *replay, const struct stint_process *process);

#endif
