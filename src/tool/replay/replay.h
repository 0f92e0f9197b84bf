/* A recording from events: what would have been counted if only these had happened, a part of a recording, or several
 * as one. */
#ifndef STINT_REPLAY_REPLAY_H
#define STINT_REPLAY_REPLAY_H

#include "base/arena.h"
#include "model/event.h"
#include "replay/counts.h"
#include "replay/open.h"
#include "stat/builder.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

/* --------------------------------------------------------------------------------------------------------- replay.c */

/* Makes a snapshot from events: what the recorded program would have counted if only these events had happened. Memory
 * is needed for names, calling contexts and threads, and for events only if a trace is asked for. */

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

/* --------------------------------------------------------------------------------------------------------- subset.c */

/* Makes the statistics, or the trace, of a part of a recording from its events. */

/* An event that lies partly in [from_ns, to_ns) is included with that part, so that the times of adjacent subsets add
 * up to those of the whole. */
struct stint_subset {
    uint64_t from_ns; /* on the same clock as events */
    uint64_t to_ns;
    int has_pid;
    int64_t pid;
    int has_device; /* limits what devices did; what the host did is included whatever the device */
    uint32_t device;
    int counts;   /* 1: statistics, activities and charges of the events; 0: those of the whole, with a trace */
    size_t trace; /* number of events to keep for the trace */
};

/* The events of a subset, with the parts of them that lie in it. */
struct stint_subset_events {
    struct stint_event_source source; /* has to be the first member */
    struct stint_event_source *whole;
    struct stint_subset subset;
    uint64_t kept;              /* how many of them have been read */
    struct stint_gpu_event gpu; /* of the current event */
};

/* Begins. `whole` has to outlive the subset's events, and is read as they are. There is nothing to free. */
void stint_subset_events_begin(struct stint_subset_events *events, struct stint_event_source *whole,
                               const struct stint_subset *subset);

/* Returns the subset as a snapshot, with the devices and names of `whole`, the recording that `source` has the events
 * of, and in *kept how many of them it has. Returns NULL on failure: the source's `reason` says why, or is "" if there
 * is no memory. */
struct stint_snapshot *stint_subset_take(const struct stint_snapshot *whole, struct stint_event_source *source,
                                         const struct stint_subset *subset, uint64_t *kept);

/* ----------------------------------------------------------------------------------------------------------- join.c */

/* The events of several recordings, as those of one recording: the sum of their snapshots. */

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

/* --------------------------------------------------------------------------------------------------- context_tree.c */

/* Finds a snapshot's calling contexts by their parent, set and name, and its call chains by their caller and place. */

struct stint_context_tree {
    struct stint_table rows;
};

/* Indexes the contexts of the snapshot, whose texts have to outlive the tree, as does the arena. Returns 0, or -1
 * without memory. */
int stint_context_tree_begin(struct stint_context_tree *tree, struct stint_arena *arena,
                             const struct stint_snapshot *snapshot);

/* Returns the position of the context; STINT_GPU_UNATTRIBUTED if there is none, as of contexts in which nothing was
 * counted. `parent` is a position, too, or STINT_NO_PARENT. */
size_t stint_context_tree_find(const struct stint_context_tree *tree, size_t parent, const char *set, const char *name);

struct stint_chain_tree {
    struct stint_table rows;
};

/* Indexes the call chains of the snapshot, whose texts have to outlive the tree, as does the arena. Returns 0, or -1
 * without memory. */
int stint_chain_tree_begin(struct stint_chain_tree *tree, struct stint_arena *arena,
                           const struct stint_snapshot *snapshot);

/* Returns the position in sample_stacks of the place `address` in the module below the chain at `parent`, which is a
 * position, too, or STINT_SAMPLE_NO_STACK; STINT_SAMPLE_NO_STACK if there is none. Of a module, the file counts. */
size_t stint_chain_tree_find(const struct stint_chain_tree *tree, size_t parent,
                             const struct stint_sample_module *module, uint64_t address);

#endif
