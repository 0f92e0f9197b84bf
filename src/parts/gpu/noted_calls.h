/* Allocations and waits, recorded from the calls that make them. CUPTI's own records of both are never enabled: with
 * CUPTI 13.0, a process that imports a memory pool or a pointer from another process fails while those of allocations
 * (MEMORY2) are on; and while those of waits (SYNCHRONIZATION) are, each launch of PyTorch's takes 2.7 us longer,
 * whether or not anything waits. */
#ifndef STINT_GPU_NOTED_CALLS_H
#define STINT_GPU_NOTED_CALLS_H

#include "gpu/cupti.h"

/* Returns the number of the call with that name, as cuptiGetCallbackName spells it; 0 if the call neither allocates nor
 * frees memory. */
unsigned stint_allocation_call(const char *name);

/* Tells the ledger what the call with that number allocates, when the call ends, or frees, when the call begins:
 * between the two, another thread may get the same address. Takes the ledger's lock. */
void stint_allocation_note(unsigned number, const struct stint_cupti_call *call);

/* Whether the call with that name, as cuptiGetCallbackName spells it, makes a thread or a stream wait. */
int stint_wait_call(const char *name);

/* Tells the ledger of a wait when its call ends; has to be told when it begins, too. Takes the ledger's lock. */
void stint_wait_note(const struct stint_cupti *cupti, const struct stint_cupti_call *call);

#endif
