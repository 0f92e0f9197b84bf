/* The two tables: activities, and the part of each activity that is charged to each path. Under the ledger's lock. */
#ifndef STINT_GPU_ACTIVITY_TABLE_H
#define STINT_GPU_ACTIVITY_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "stat/histogram.h"
#include "stint/gpu_stats.h"

struct stint_activity_sum {
    uint64_t count;
    uint64_t total_ns;
    uint64_t min_ns; /* 0 while count is 0; so are the members below */
    uint64_t max_ns;
    uint64_t bytes;
};

struct stint_activity_key {
    enum stint_gpu_kind kind;
    uint32_t name; /* gpu/activity_names.h */
    uint32_t device;
    uint32_t context;
    uint32_t stream;
};

struct stint_activity_entry {
    struct stint_activity_key key;
    const char *name; /* set by the ledger, like the next two; NULL: not set yet */
    const char *mangled;
    uint32_t what;        /* as in struct stint_activity */
    uint32_t last_path;   /* charged last, so probably charged next; STINT_PATH_NONE: none yet */
    uint32_t last_charge; /* its charge */
    struct stint_activity_sum sum;
    struct stint_activity_sum no_scope;     /* charged to no scope; there is always room for this charge */
    struct stint_activity_sum unattributed; /* includes charges that found no room */
    double square_ns2;
    uint64_t min_bytes;
    uint64_t max_bytes;
    double square_bytes2;
    struct stint_histogram histogram; /* of ns */
};

struct stint_activity_charge {
    uint32_t activity; /* position */
    uint32_t path;     /* a scope's */
    struct stint_activity_sum sum;
};

/* Makes room for `limit` activities (at most STINT_ACTIVITIES_LARGEST) and as many charges to scopes; memory is used
 * only where it is written. Returns 0, or -1 without memory. Only the first call has an effect. */
int stint_activities_start(size_t limit);

enum { STINT_ACTIVITIES_LARGEST = 1 << 24 };

/* Whether there is no room for another activity. */
int stint_activities_are_full(void);

/* Returns the activity, which is added if it is missing; NULL: there is no room. */
struct stint_activity_entry *stint_activities_find(const struct stint_activity_key *key);

/* Adds one event to the activity and to its charge. If there is no room for the charge, that is counted, and the event
 * is unattributed. */
void stint_activities_add(struct stint_activity_entry *activity, uint32_t path, uint64_t ns, uint64_t bytes);

size_t stint_activities_activity_count(void);
size_t stint_activities_charge_count(void);
const struct stint_activity_entry *stint_activities_activity(size_t position);
const struct stint_activity_charge *stint_activities_charge(size_t position);

/* Writes the histogram, at most STINT_I_BUCKETS bins. Returns the number of bins. */
size_t stint_activities_bins(const struct stint_activity_entry *activity, struct stint_bin *bins);

/* Empties both tables. */
void stint_activities_forget(void);

#endif
