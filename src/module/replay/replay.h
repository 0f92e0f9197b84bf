/* From events back to a snapshot: what the recorded program would have counted, had only these events happened. Memory
 * is for names, calling contexts and threads; for events only where a trace is asked for. */
#ifndef STINT_REPLAY_REPLAY_H
#define STINT_REPLAY_REPLAY_H

#include "replay/launches.h"
#include "replay/open.h"
#include "stat/builder.h"

struct stint_replay {
    struct stint_builder builder; /* of what the caller has to add: contexts, devices, values */
    struct stint_dropped dropped; /* likewise */
    int counts;                   /* 1: statistics, activities and charges; 0: the trace alone */
    size_t trace;                 /* events for the trace; further ones are dropped */
    uint64_t end_ns;              /* the last end so far */
    struct stint_open_threads open;
    struct stint_launches launches;
    struct stint_arena arena;
    struct stint_array contexts;   /* struct stint_replay_context, as in the builder */
    struct stint_array stats;      /* struct stint_tally, as in the builder */
    struct stint_array activities; /* struct stint_replay_activity, likewise */
    struct stint_array thread_stats;
    struct stint_index thread_stat_index;
    struct stint_array names; /* of threads: const char * */
};

/* With `counts` and `trace` as above. */
void stint_replay_begin(struct stint_replay *replay, int counts, size_t trace);

/* Names a thread, should it turn up. */
void stint_replay_thread(struct stint_replay *replay, int64_t pid, int64_t tid, const char *name);

/* Takes the next event, by start. `context` is a position in the builder, or one of the two that stand for none. */
void stint_replay_add(struct stint_replay *replay, const struct stint_event *event);

/* Returns the snapshot, or NULL without memory; frees everything else. `process` as for stint_builder_end, which is
 * called; wall_ns 0: until the last end. */
struct stint_snapshot *stint_replay_end(struct stint_replay *replay, const struct stint_process *process);

#endif
