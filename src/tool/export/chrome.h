/* What the files that write Chrome's trace events share. */
#ifndef STINT_EXPORT_CHROME_H
#define STINT_EXPORT_CHROME_H

#include "export/encoder.h"

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
