/* Places the slices of a timeline. A track is a thread, a stream, or the like. Its slices may overlap, as kernels of
 * one stream do if their times come from the device. Within a lane slices nest: a slice that would begin in another and
 * end after it goes to the next lane of its track. */
#ifndef STINT_EXPORT_TRACKS_H
#define STINT_EXPORT_TRACKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/event.h"
#include "stint/snapshot.h"
#include "support/annotation.h"
#include "support/keyed_table.h"

enum stint_track_kind {
    STINT_TRACK_THREAD,  /* a thread: scopes, calls and marks */
    STINT_TRACK_RANGES,  /* a process: ranges that are started and ended */
    STINT_TRACK_STREAM,  /* a stream: kernels, copies, sets */
    STINT_TRACK_SPANS,   /* a stream: STINT_GPU_SCOPE */
    STINT_TRACK_WAITS,   /* a stream: how long threads waited for it */
    STINT_TRACK_UNIFIED, /* a device: moves and faults of unified memory */
    STINT_TRACK_OVERHEAD /* a process: the cost of collecting */
};

/* Members that the kind does not use are 0. */
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
    size_t next;             /* position of the next lane of the track; STINT_INDEX_NONE if there is none */
    struct stint_array ends; /* uint64_t: ends of the open slices, the innermost last */
    int64_t pid; /* the encoder's own, like the next two: how the format identifies the lane; 0 for a new one */
    uint64_t id;
    void *data;
};

/* A track has at most this many lanes; beyond, a slice is cut short where the slice around it ends. */
enum { STINT_LANES_MOST = 512 };

/* How many tracks are remembered, so that they need not be looked up. */
enum { STINT_TRACKS_RECENT = 64 };

/* Called when a slice of `lane` ends. */
typedef void stint_lane_closed_fn(void *context, struct stint_lane *lane, uint64_t end_ns);

/* Zero everything but the first two members to begin without tracks. */
struct stint_tracks {
    stint_lane_closed_fn *closed; /* called for slices that ended before the next one of their lane; may be NULL */
    void *context;
    struct stint_arena arena;
    struct stint_table lanes;           /* struct stint_lane, found by track and number */
    size_t recent[STINT_TRACKS_RECENT]; /* 1 + the position of a first lane that was asked for lately; 0: none */
};

void stint_tracks_free(struct stint_tracks *tracks);

/* Returns the track that an event belongs to. */
struct stint_track stint_track_of(const struct stint_event *event);

/* Returns the position in `lanes` of a track's first lane, which is added if it is new, or STINT_INDEX_NONE if there is
 * no memory. */
size_t stint_tracks_find(struct stint_tracks *tracks, const struct stint_track *track);

/* Puts a slice on a lane. Slices have to come by start time, and of those that start together the longer one first.
 * Returns the lane's position in `lanes`, or STINT_INDEX_NONE if there is no memory. */
size_t stint_tracks_place(struct stint_tracks *tracks, const struct stint_track *track, uint64_t start_ns,
                          uint64_t end_ns);

/* Closes all slices that are open. */
void stint_tracks_close(struct stint_tracks *tracks);

static inline struct stint_lane *stint_tracks_lane(struct stint_tracks *tracks, size_t position)
{
    return (struct stint_lane *)tracks->lanes.items + position;
}

/* ----------------------------------------------------------------------------------------------------- busy devices */

/* How busy a device was over time: the share of each piece of time in which it did something. Overlapping work counts
 * once. */

/* Called when a device is `percent` busy from `start_ns` on, until the next call for that device. */
typedef void stint_busy_fn(void *context, uint32_t device, uint64_t start_ns, double percent);

struct stint_busy {
    uint32_t device;
    uint64_t piece_ns; /* length of a piece of time; not 0 */
    uint64_t until_ns; /* end of what has been added so far */
    uint64_t piece;    /* number of the current piece of time */
    uint64_t ns;       /* busy time within that piece */
    double shown;      /* percentage that was shown last */
    int begun;
};

/* Returns the entry of a device, which is added to the array if it is not there; NULL if there is no memory. Pieces of
 * time are about a thousandth of `wall_ns`. */
struct stint_busy *stint_busy_of(struct stint_array *devices, struct stint_arena *arena, uint32_t device,
                                 uint64_t wall_ns);

/* Adds a time in which the device worked. Calls have to be in the order of start times. */
void stint_busy_add(struct stint_busy *busy, uint64_t start_ns, uint64_t end_ns, stint_busy_fn *show, void *context);

/* Shows what has not been shown yet. */
void stint_busy_end(struct stint_busy *busy, stint_busy_fn *show, void *context);

/* ------------------------------------------------------------------------------------------------------- attributes */

/* Numbers that only tell things apart are attributes of their range or mark, and no curves. */

struct stint_attribute {
    const char *name;
    double value;
};

enum { STINT_ATTRIBUTES_MOST = 16 };

/* A zeroed struct has none. */
struct stint_attributes {
    struct stint_arena arena;
    struct stint_table identifiers; /* struct stint_identifier */
    struct stint_table holders;     /* struct stint_attribute_holder */
    struct stint_table names;       /* const char * */
};

void stint_attributes_free(struct stint_attributes *attributes);

/* Finds out which numbers of the snapshot, whose texts have to stay, are of that kind although each of them could be an
 * amount: some are too large, or they only count ranges. Returns 0, or -1 without memory. */
int stint_attributes_learn(struct stint_attributes *attributes, const struct stint_snapshot *snapshot);

/* Whether a value is such a number: its name says so, it is whole and too large for an amount, or it was found to be
 * one. */
int stint_is_identifier(const struct stint_attributes *attributes, const struct stint_event *event);

/* Keeps a value that is an attribute of a range or mark that is yet to come. Returns 1; 0 if it is none, but a point of
 * a curve; -1 without memory. */
int stint_attributes_hold(struct stint_attributes *attributes, const struct stint_event *event);

/* Returns how many attributes the scope, range or mark has, whose events have to come by start: *first is the first of
 * them, valid until the next call. */
size_t stint_attributes_take(struct stint_attributes *attributes, const struct stint_event *event,
                             const struct stint_attribute **first);

/* ------------------------------------------------------------------------------------------------------------ words */

/* Names of things in timelines. They follow PyTorch's profiler, because programs that read its traces look for these
 * words. */

enum { STINT_WORDS_SIZE = 256 };

/* Returns the name of an event: "Memcpy HtoD (Pageable -> Device)" for "[CUDA memcpy HtoD]". A name that has to be put
 * together is written to `buffer`, of STINT_WORDS_SIZE. */
const char *stint_words_event(char *buffer, const struct stint_event *event);

/* The data that the text of an event carries, one pair after the other. */
struct stint_words_data {
    struct stint_piece rest;
    char key[STINT_WORDS_SIZE];
    char value[4096];
};

void stint_words_data_begin(struct stint_words_data *data, const struct stint_event *event);

/* Returns 1 if there is another pair: `key` and `value`, cut if they are longer than these; else 0. */
int stint_words_data_next(struct stint_words_data *data);

/* Returns the name of an NVTX event's category, or its number, which is written to `buffer`, of STINT_WORDS_SIZE; NULL
 * if it has none. */
const char *stint_words_category(char *buffer, const struct stint_snapshot *snapshot, const struct stint_event *event);

/* A point of a curve. */
struct stint_words_point {
    char curve[STINT_WORDS_SIZE]; /* "loss"; of a domain "cuDF/rows"; "memory (Device)" */
    const char *what;             /* "value", the name of a payload's entry, "bytes" */
    double value;
};

/* Says what an event is of for which stint_event_is_point is true. */
void stint_words_point(struct stint_words_point *point, const struct stint_event *event);

/* Returns the name of the innermost scope around an event or around its launch; NULL if none is known. */
const char *stint_words_scope(const struct stint_snapshot *snapshot, const struct stint_event *event);

/* Returns the name that the program or the system gave to a thread; "" if there is none. */
const char *stint_words_thread(const struct stint_snapshot *snapshot, int64_t pid, int64_t tid);

/* Writes the name of a track, as "stream 7", into `buffer`, of STINT_WORDS_SIZE. */
void stint_words_track(char *buffer, const struct stint_snapshot *snapshot, const struct stint_track *track);

/* Write the name of a process, "train", or of a device, "GPU 0 (NVIDIA H200)", into `buffer`, of STINT_WORDS_SIZE. */
void stint_words_process(char *buffer, const struct stint_snapshot *snapshot, int64_t pid);
void stint_words_device(char *buffer, const struct stint_snapshot *snapshot, uint32_t device);

#endif
