/* The statistics of a part of a recording, or its trace: from its events. */
#ifndef STINT_REPLAY_SUBSET_H
#define STINT_REPLAY_SUBSET_H

#include "stat/event.h"
#include "stint/snapshot.h"

/* Of an event that lies in [from_ns, to_ns) in part, that part is in it, so that times of subsets that touch add up to
 * those of the whole. */
struct stint_subset {
    uint64_t from_ns; /* as events' times */
    uint64_t to_ns;
    int has_pid;
    int64_t pid;
    int has_device; /* of what devices did; what the host did is in it wherever it goes */
    uint32_t device;
    int counts;   /* 1: statistics, activities and charges; 0: the trace alone */
    size_t trace; /* events for the trace */
};

struct stint_subset_seen {
    uint64_t scopes; /* events of scopes and ranges, in the subset or not */
    uint64_t events; /* likewise, of anything */
    uint64_t kept;
};

/* Returns it as a snapshot, with the devices and names of the whole, whose events these are. NULL: the source's
 * `reason` says why, or is "" without memory. */
struct stint_snapshot *stint_subset_take(const struct stint_snapshot *whole, struct stint_event_source *source,
                                         const struct stint_subset *subset, struct stint_subset_seen *seen);

#endif
