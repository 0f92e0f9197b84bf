/* Which memory is allocated, and statistics by device and kind. Under the ledger's lock. */
#ifndef STINT_GPU_MEMORY_H
#define STINT_GPU_MEMORY_H

#include <stddef.h>

#include "gpu/activity.h"

/* Makes room for `limit` allocations at the same time. Returns 0, or -1 without memory. */
int stint_memory_start(size_t limit);

/* Notes an allocation or its end. An allocation beyond the limit is counted as dropped; neither it nor its end is in
 * any number. An allocation at an address that is already allocated ends the earlier one, whose end was missed. An end
 * with a size ends all adjacent allocations within that size. */
void stint_memory_note(const struct stint_allocation *allocation);

/* Returns the numbers of the next device and kind; NULL after the last. */
const struct stint_gpu_memory *stint_memory_at(size_t position);

/* Zeroes the numbers. Current allocations stay, and their size is the new peak. */
void stint_memory_reset(void);

/* Empties everything. */
void stint_memory_forget(void);

#endif
