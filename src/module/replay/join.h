/* The events of several recordings as those of one: the sum of their snapshots. */
#ifndef STINT_REPLAY_JOIN_H
#define STINT_REPLAY_JOIN_H

#include "base/arena.h"
#include "stat/event.h"
#include "stint/snapshot.h"

/* A recording that is in the sum. */
struct stint_joined_input {
    const struct stint_snapshot *snapshot;
    struct stint_event_source *events; /* NULL: none */
};

struct stint_joined_part;

struct stint_joined_events {
    struct stint_event_source source; /* first */
    struct stint_joined_part *parts;
    size_t count;
    struct stint_joined_part *told; /* the last event was its */
    struct stint_gpu_event gpu;
    struct stint_arena arena;
};

/* Makes it. `merged` is the inputs' sum by stint_snapshot_merge, and the first of them the one that began first: times
 * count from there. Which activation launched what is not in the events any more. All have to outlive it. Returns 0, or
 * -1 without memory; to be freed in any case. */
int stint_joined_events_begin(struct stint_joined_events *events, const struct stint_snapshot *merged,
                              const struct stint_joined_input *inputs, size_t count);

void stint_joined_events_free(struct stint_joined_events *events);

#endif
