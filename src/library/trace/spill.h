/* Chunks on disk, first in, first out: where they go while what writes their events is slower than the program. The
 * file has no name, so that it goes with the process. */
#ifndef STINT_TRACE_SPILL_H
#define STINT_TRACE_SPILL_H

#include <stdint.h>

#include "record/chunk.h"

struct stint_spill {
    int file;          /* -1: none yet */
    uint64_t put, got; /* chunks */
};

void stint_spill_begin(struct stint_spill *spill);

/* Puts a copy of the chunk into a file beside `path`. Returns 0, or -1: there is none, or no room. */
int stint_spill_put(struct stint_spill *spill, const char *path, const struct stint_chunk *chunk);

/* Returns 1 and the chunk put first; 0: there is none; -1: it cannot be read, and is gone. */
int stint_spill_get(struct stint_spill *spill, struct stint_chunk *chunk);

void stint_spill_end(struct stint_spill *spill);

#endif
