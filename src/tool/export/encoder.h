/* One walk over a recording, and its encoder for Chrome's trace events. */
#ifndef STINT_EXPORT_ENCODER_H
#define STINT_EXPORT_ENCODER_H

#include "export/export.h"
#include "export/out.h"
#include "export/stacks.h"
#include "export/tracks.h"

/* -------------------------------------------------------------------------------------------------------- encoder.c */

/* One walk over a recording, and what encoders make of it: files of other tools.  A timeline is told event by event, by
 * start: slices on lanes that are named when they are new, points of curves, samples, and how busy devices were. A
 * flame graph is told stack by stack. An encoder has a function for each of these that its format has a place for. */

/* The state of an encoder begins with this. */
struct stint_walk {
    const struct stint_encoder *encoder;
    const struct stint_export_input *input;
    const struct stint_snapshot *snapshot; /* that of the input */
    const struct stint_stacks *stacks;
    struct stint_out *out;
    struct stint_tracks tracks;   /* whose arena is the encoder's, too */
    struct stint_array processes; /* int64_t: those that have a number */
    struct stint_array devices;   /* struct stint_busy: those that were asked for */
    struct stint_functions functions;
    struct stint_attributes held;
    const struct stint_attribute *attributes; /* of the slice that is told */
    size_t attribute_count;
};

/* Functions that return something return 0, or -1 if there is no memory. */
struct stint_encoder {
    size_t size; /* of its state, which is zeroed and freed with the walk's arena */
    int (*begin)(struct stint_walk *walk);
    void (*end)(struct stint_walk *walk); /* everything has been told, or it failed; or NULL, as begin */

    /* ----- Timelines */
    int has_long_instants; /* faults of memory have the room of a slice on their lane */
    int (*lane)(struct stint_walk *walk, struct stint_lane *lane, size_t position); /* it is new */
    void (*process)(struct stint_walk *walk, int64_t pid, size_t number);           /* so is this; or NULL */
    void (*device)(struct stint_walk *walk, uint32_t id);                           /* likewise */
    int (*slice)(struct stint_walk *walk, const struct stint_event *event, const struct stint_lane *lane);
    int (*work)(struct stint_walk *walk, const struct stint_event *event); /* of a device; NULL: that is a slice */
    stint_lane_closed_fn *closed;                                          /* the end of a slice; or NULL */
    int (*point)(struct stint_walk *walk, const struct stint_event *event, const struct stint_words_point *point);
    stint_busy_fn *busy;
    int (*sample)(struct stint_walk *walk, const struct stint_event *event, struct stint_lane *lane);

    /* ----- Flame graphs */
    void (*stack)(struct stint_walk *walk, const struct stint_stack *stack);
};

/* Has the encoder write all of the input, or of the stacks. Return 0, or -1: `reason` says why. */
int stint_walk_events(const struct stint_encoder *encoder, const struct stint_export_input *input,
                      stint_write_fn *write, void *context, char *reason, size_t size);
int stint_walk_stacks(const struct stint_encoder *encoder, const struct stint_stacks *stacks, stint_write_fn *write,
                      void *context, char *reason, size_t size);

/* Whether the event is a moment, not a slice. */
int stint_walk_is_instant(const struct stint_event *event);

/* Returns the number of a process, from 0 on; STINT_INDEX_NONE without memory. The encoder describes a new one. */
size_t stint_walk_process(struct stint_walk *walk, int64_t pid);

/* The same for a device. Returns 0, or -1 without memory. */
int stint_walk_device(struct stint_walk *walk, uint32_t id);

/* Adds the event's work to the time in which its device was busy. Returns 0, or -1 without memory. */
int stint_walk_busy(struct stint_walk *walk, const struct stint_event *event);

extern const struct stint_encoder stint_encoder_chrome;
extern const struct stint_encoder stint_encoder_perfetto;
extern const struct stint_encoder stint_encoder_collapsed;
extern const struct stint_encoder stint_encoder_pprof;

/* ---------------------------------------------------------------------------------------- chrome.c, chrome_tracks.c */

/* What the files that write Chrome's trace events share. */

struct stint_chrome {
    struct stint_walk walk;      /* has to be the first member */
    struct stint_array profiles; /* struct stint_chrome_profile *, of threads that were sampled */
    uint64_t virtual_id;         /* id of the next lane that is neither a thread nor a stream */
    int begun;                   /* an event has been written, so that the next one needs a comma */
};

#define STINT_CHROME_PUT(chrome, literal) stint_out_put((chrome)->walk.out, literal, sizeof(literal) - 1)

/* Begins an event: a line, up to its `ph`. */
void stint_chrome_begin(struct stint_chrome *chrome, const char *phase);

/* Writes another key of an object, and a number. */
void stint_chrome_key(struct stint_chrome *chrome, const char *key, uint64_t value);

/* Writes the place and time of the event. */
void stint_chrome_place(struct stint_chrome *chrome, int64_t pid, uint64_t tid, uint64_t ns);

/* Parts of the encoder. The last one writes what is in front of the events. */
int stint_chrome_lane(struct stint_walk *walk, struct stint_lane *lane, size_t position);
int stint_chrome_point(struct stint_walk *walk, const struct stint_event *event, const struct stint_words_point *point);
stint_busy_fn stint_chrome_busy;
int stint_chrome_head(struct stint_walk *walk);

#endif
