/* The events of several recordings, as those of one recording: the sum of their snapshots. */
#ifndef STINT_REPLAY_JOIN_H
#define STINT_REPLAY_JOIN_H

#include "base/arena.h"
#include "model/event.h"
#include "stint/snapshot.h"

/* One of the recordings. */
struct stint_joined_input {
    const struct stint_snapshot *snapshot;
    struct stint_event_source *events; /* NULL: none */
    int64_t pid;                       /* instead of that of the events; 0: they have the right one */
};

struct stint_joined_part;

struct stint_joined_events {
    struct stint_event_source source; /* has to be the first member */
    struct stint_joined_part *parts;
    size_t count;
    struct stint_joined_part *told; /* the part that the last event came from */
    struct stint_gpu_event gpu;
    struct stint_arena arena;
};

/* Begins. `merged` is the sum of the inputs by stint_snapshot_merge, and the first input has to be the one that began
 * first: times count from its start. The events no longer say which activation launched what. Snapshots and sources
 * have to outlive `events`. Returns 0, or -1 if there is no memory; free `events` in either case. */
int stint_joined_events_begin(struct stint_joined_events *events, const struct stint_snapshot *merged,
                              const struct stint_joined_input *inputs, size_t count);

void stint_joined_events_free(struct stint_joined_events *events);

#endif
