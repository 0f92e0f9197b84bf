/* Which memory is allocated, and how much there has been, by device and kind. Under the ledger's lock. */
#ifndef STINT_GPU_MEMORY_H
#define STINT_GPU_MEMORY_H

#include <stddef.h>

#include "gpu/activity.h"

/* Makes room for `limit` allocations at one time. Returns 0, or -1 without memory. */
int stint_memory_start(size_t limit);

/* Notes an allocation or its end. One beyond the limit is counted, and in no number, nor is its end. One at an address
 * that is allocated ends what was there: its end was missed. An end with a number of bytes ends all that lies one
 * behind the other in them. */
void stint_memory_note(const struct stint_allocation *allocation);

/* Returns the next device's or kind's numbers; NULL behind the last. */
const struct stint_gpu_memory *stint_memory_at(size_t position);

/* Counts anew; what is allocated stays, and is the new peak. */
void stint_memory_reset(void);

/* Empties everything. */
void stint_memory_forget(void);

#endif
