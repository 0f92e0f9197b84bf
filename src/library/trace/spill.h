/* Chunks on disk, first in, first out: they are put there while their events are written more slowly than the program
 * records them. The file has no name, so it disappears with the process. */
#ifndef STINT_TRACE_SPILL_H
#define STINT_TRACE_SPILL_H

#include <stdint.h>

#include "record/chunk.h"

struct stint_spill {
    int file;          /* -1: none yet */
    uint64_t put, got; /* chunks */
};

void stint_spill_begin(struct stint_spill *spill);

/* Puts a copy of the chunk into a file beside `path`. Returns 0, or -1 if there is no file or no room in it. */
int stint_spill_put(struct stint_spill *spill, const char *path, const struct stint_chunk *chunk);

/* Returns 1 and the chunk that was put first; 0 if there is none; -1 if it cannot be read and is lost. */
int stint_spill_get(struct stint_spill *spill, struct stint_chunk *chunk);

void stint_spill_end(struct stint_spill *spill);

#endif
