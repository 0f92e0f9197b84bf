/* Where the slices of a timeline lie. A track is a thread, a stream, or the like; on it slices may overlap, as kernels
 * of one stream do whose times come from the device. On a lane they nest: a slice that would begin in another and end
 * after it goes to the next lane of its track. */
#ifndef STINT_EXPORT_TRACKS_H
#define STINT_EXPORT_TRACKS_H

#include "base/array.h"
#include "base/index.h"
#include "stat/event.h"

enum stint_track_kind {
    STINT_TRACK_THREAD,  /* scopes, calls and marks of a thread */
    STINT_TRACK_RANGES,  /* of a process: ranges that are started and ended */
    STINT_TRACK_STREAM,  /* kernels, copies, sets */
    STINT_TRACK_SPANS,   /* of a stream: STINT_GPU_SCOPE */
    STINT_TRACK_WAITS,   /* of a stream: how long threads waited for it */
    STINT_TRACK_UNIFIED, /* of a device: moves and faults of unified memory */
    STINT_TRACK_OVERHEAD /* of a process: what collecting cost */
};

/* What is not of its kind is 0. */
struct stint_track {
    enum stint_track_kind kind;
    int64_t pid;
    int64_t tid;
    uint32_t device;
    uint32_t context;
    uint32_t stream;
};

struct stint_lane {
    struct stint_track track;
    size_t number;           /* on its track */
    size_t next;             /* position of the next lane of the track; STINT_INDEX_NONE: none */
    struct stint_array ends; /* uint64_t: of the slices that are open, the innermost last */
    int64_t pid;             /* these two are the writer's: how the format calls the lane; of a new one 0 */
    uint64_t id;
};

/* Beyond this many lanes of a track slices are cut short where the slice around them ends. */
enum { STINT_LANES_MOST = 512 };

/* A slice of `lane` ends. */
typedef void stint_lane_closed_fn(void *context, struct stint_lane *lane, uint64_t end_ns);

/* Zeroed but for the first two: no tracks. */
struct stint_tracks {
    stint_lane_closed_fn *closed; /* called at once for what ended before a slice on its lane; may be NULL */
    void *context;
    struct stint_arena arena;
    struct stint_array lanes;
    struct stint_index index; /* of the first lanes of tracks */
};

void stint_tracks_free(struct stint_tracks *tracks);

/* Where an event belongs. */
struct stint_track stint_track_of(const struct stint_event *event);

/* Returns the position in `lanes` of a track's first lane, which is added if it is new, or STINT_INDEX_NONE if there is
 * no memory. */
size_t stint_tracks_find(struct stint_tracks *tracks, const struct stint_track *track);

/* Puts a slice on a lane; slices come by start, of those that start together the longer one first. Returns the lane's
 * position in `lanes`, or STINT_INDEX_NONE if there is no memory. */
size_t stint_tracks_place(struct stint_tracks *tracks, const struct stint_track *track, uint64_t start_ns,
                          uint64_t end_ns);

/* Closes all slices that are open. */
void stint_tracks_close(struct stint_tracks *tracks);

static inline struct stint_lane *stint_tracks_lane(struct stint_tracks *tracks, size_t position)
{
    return (struct stint_lane *)tracks->lanes.items + position;
}

#endif
