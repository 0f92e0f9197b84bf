/* Allocations, recorded from the calls that allocate and free memory. CUPTI's own records of allocations (MEMORY2) are
 * never enabled: with CUPTI 13.0, a process that imports a memory pool or a pointer from another process fails while
 * they are on. */
#ifndef STINT_GPU_ALLOCATION_CALLS_H
#define STINT_GPU_ALLOCATION_CALLS_H

#include "gpu/cupti.h"

/* Returns the number of the call with that name, as cuptiGetCallbackName spells it; 0 if the call neither allocates nor
 * frees memory. */
unsigned stint_allocation_call(const char *name);

/* Tells the ledger what the call with that number allocates, when the call ends, or frees, when the call begins:
 * between the two, another thread may get the same address. Takes the ledger's lock. */
void stint_allocation_note(unsigned number, const struct stint_cupti_call *call);

#endif
