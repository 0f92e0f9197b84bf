/* What the two files that write speedscope's profiles share. */
#ifndef STINT_EXPORT_SPEEDSCOPE_H
#define STINT_EXPORT_SPEEDSCOPE_H

#include "base/array.h"
#include "base/index.h"
#include "export/out.h"

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

#endif
