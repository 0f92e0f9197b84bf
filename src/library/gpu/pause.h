/* When recording was held back (record/hold.h). What was launched at such a time is known by its launch
 * (gpu/correlate.h); this is for what has none, as the moves of unified memory. */
#ifndef STINT_GPU_PAUSE_H
#define STINT_GPU_PAUSE_H

#include <stdint.h>

/* Notes that recording is held back from now on, or is not. Before the first time it is not. */
void stint_pause_note(int held);

/* How CUPTI's clock relates to stint's: of several the last. Under the ledger's lock, as the next. */
void stint_pause_align(uint64_t ticks, uint64_t cupti_ns);

/* Whether it was, at a time of CUPTI's clock. Of what was longer ago than the last STINT_PAUSES changes, only what the
 * first of these began from is known. */
int stint_pause_at(uint64_t cupti_ns);

enum { STINT_PAUSES = 256 };

#endif
