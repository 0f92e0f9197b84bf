/* Allocations, known from the calls that make and end them. CUPTI's own records of them (MEMORY2) are never asked for:
 * with CUPTI 13.0, a process that imports a memory pool or a pointer from another process fails while they are on. */
#ifndef STINT_GPU_ALLOCATION_CALLS_H
#define STINT_GPU_ALLOCATION_CALLS_H

#include "gpu/cupti.h"

/* Returns the number of the call with that name, as cuptiGetCallbackName spells it; 0 if it is no such call. */
unsigned stint_allocation_call(const char *name);

/* Tells the ledger what the call with that number allocates, when it ends, or frees, when it begins: in between another
 * thread may get the same address. Takes the ledger's lock. */
void stint_allocation_note(unsigned number, const struct stint_cupti_call *call);

#endif
