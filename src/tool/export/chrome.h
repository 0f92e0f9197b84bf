/* What the two files that write Chrome's trace events share. */
#ifndef STINT_EXPORT_CHROME_H
#define STINT_EXPORT_CHROME_H

#include "export/busy.h"
#include "export/event_words.h"
#include "export/format.h"
#include "export/functions.h"
#include "export/thread_places.h"
#include "export/tracks.h"

struct stint_chrome {
    const struct stint_export_job *job;
    struct stint_out *out;
    struct stint_tracks tracks;
    struct stint_array named;     /* int64_t: processes and devices that have been named, by the format's ids */
    struct stint_array processes; /* int64_t: processes that have had arrows */
    struct stint_array devices;   /* struct stint_busy */
    struct stint_array profiles;  /* struct stint_chrome_profile *, of threads that were sampled, by their places */
    struct stint_thread_places places;
    struct stint_functions functions;
    uint64_t virtual_id; /* id of the next lane that is neither a thread nor a stream */
    int begun;           /* an event has been written, so that the next one needs a comma */
};

#define STINT_CHROME_PUT(chrome, literal) stint_out_put((chrome)->out, literal, sizeof(literal) - 1)

/* Begins an event: a line, up to its `ph`. */
void stint_chrome_begin(struct stint_chrome *chrome, const char *phase);

/* Writes the place and time of the event. */
void stint_chrome_place(struct stint_chrome *chrome, int64_t pid, uint64_t tid, uint64_t ns);

/* Writes everything in front of the events. */
void stint_chrome_head(struct stint_chrome *chrome);

/* Puts the event on a lane, and writes its names if it is new. Returns NULL if there is no memory. */
const struct stint_lane *stint_chrome_lane(struct stint_chrome *chrome, const struct stint_event *event);

/* Returns the first lane of the event's thread, as above. */
const struct stint_lane *stint_chrome_thread(struct stint_chrome *chrome, const struct stint_event *event);

/* Writes a sample, or keeps it to be written with others, at the end at the latest. Returns 0, or -1 if there is no
 * memory. */
int stint_chrome_sample(struct stint_chrome *chrome, const struct stint_event *event);
void stint_chrome_samples_end(struct stint_chrome *chrome);

/* Returns the number of the event's process, from 0 on; STINT_INDEX_NONE if there is no memory. */
size_t stint_chrome_process(struct stint_chrome *chrome, int64_t pid);

/* Writes a point of a curve: of a process, or of a device's memory. */
void stint_chrome_point(struct stint_chrome *chrome, const struct stint_event *event);

/* Adds an event to the busy time of its device. Returns 0, or -1 if there is no memory. */
int stint_chrome_busy(struct stint_chrome *chrome, const struct stint_event *event);
void stint_chrome_busy_end(struct stint_chrome *chrome);

#endif
