/* Makes the statistics, or the trace, of a part of a recording from its events. */
#ifndef STINT_REPLAY_SUBSET_H
#define STINT_REPLAY_SUBSET_H

#include "model/event.h"
#include "stint/snapshot.h"

/* An event that lies partly in [from_ns, to_ns) is included with that part, so that the times of adjacent subsets add
 * up to those of the whole. */
struct stint_subset {
    uint64_t from_ns; /* on the same clock as events */
    uint64_t to_ns;
    int has_pid;
    int64_t pid;
    int has_device; /* limits what devices did; what the host did is included whatever the device */
    uint32_t device;
    int counts;   /* 1: statistics, activities and charges; 0: the trace alone */
    size_t trace; /* number of events to keep for the trace */
};

/* What has been read of the recording so far. */
struct stint_subset_seen {
    uint64_t scopes; /* events of scopes and ranges, whether or not in the subset */
    uint64_t events; /* all events, whether or not in the subset */
    uint64_t kept;
};

/* The events of a subset, with the parts of them that lie in it. */
struct stint_subset_events {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *whole;
    struct stint_subset subset;
    struct stint_subset_seen seen;
    struct stint_gpu_event gpu; /* of the current event */
};

/* Begins. `whole` has to outlive the subset's events, and is read as they are. There is nothing to free. */
void stint_subset_events_begin(struct stint_subset_events *events, struct stint_event_source *whole,
                               const struct stint_subset *subset);

/* Returns the subset as a snapshot, with the devices and names of `whole`, the recording that `source` has the events
 * of. Returns NULL on failure: the source's `reason` says why, or is "" if there is no memory. */
struct stint_snapshot *stint_subset_take(const struct stint_snapshot *whole, struct stint_event_source *source,
                                         const struct stint_subset *subset, struct stint_subset_seen *seen);

#endif
