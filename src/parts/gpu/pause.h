/* When recording was held back (record/suspend.h). The correlation of a launch tells whether it was held back
 * (gpu/correlate.h); these functions are for activities without a launch, such as the moves of unified memory. */
#ifndef STINT_GPU_PAUSE_H
#define STINT_GPU_PAUSE_H

#include <stdint.h>

/* Notes that recording is held back from now on, or no longer. At first it is not. */
void stint_pause_note(int held);

/* Tells how CUPTI's clock relates to stint's; the last call counts. Under the ledger's lock, like stint_pause_at. */
void stint_pause_align(uint64_t ticks, uint64_t cupti_ns);

/* Whether recording was held back at a time of CUPTI's clock. Only the last STINT_PAUSES changes are known; before the
 * first of them, the state is taken to be the one that it ended. */
int stint_pause_at(uint64_t cupti_ns);

enum { STINT_PAUSES = 256 };

#endif
