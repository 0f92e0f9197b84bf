/* What the files that write speedscope's profiles share. */
#ifndef STINT_EXPORT_SPEEDSCOPE_H
#define STINT_EXPORT_SPEEDSCOPE_H

#include "base/array.h"
#include "base/index.h"
#include "export/functions.h"
#include "export/out.h"
#include "export/spool.h"
#include "export/thread_places.h"

/* The names that profiles refer to by number. */
struct stint_frames {
    struct stint_arena arena;
    struct stint_array frames; /* struct stint_frame */
    struct stint_index index;
};

struct stint_frame {
    const char *set; /* "" for the global one */
    const char *name;
    const char *file; /* "" if unknown; the first known one is kept */
    uint32_t line;
};

/* Returns the number of a frame; STINT_INDEX_NONE if there is no memory. */
size_t stint_frames_find(struct stint_frames *frames, const struct stint_frame *frame);

void stint_frames_write(const struct stint_frames *frames, struct stint_out *out);
void stint_frames_free(struct stint_frames *frames);

/* ----- speedscope_samples.c: samples, which are kept until all have been read. */

struct stint_speedscope_profile {
    int64_t pid;
    int64_t tid;
    uint64_t end_ns;               /* of the time that the last sample stands for */
    struct stint_spool_list *rows; /* of each sample its call chain, the time before it, and its own, as numbers */
};

struct stint_speedscope_samples {
    struct stint_functions functions;
    struct stint_array profiles; /* struct stint_speedscope_profile, in its arena, by their places */
    struct stint_thread_places places;
    struct stint_spool *spool;
    int failed; /* writing to it: errno */
    int items;  /* an item of a list has been written, so that the next one needs a comma */
    struct stint_frames *frames;
};

/* Returns 0, or -1 if there is no memory. */
int stint_speedscope_sample(struct stint_speedscope_samples *samples, const struct stint_event *event);

/* Writes a profile's lists. Returns 0, or -1: errno says why. */
int stint_speedscope_put_samples(struct stint_speedscope_samples *samples,
                                 const struct stint_speedscope_profile *profile);

#endif
