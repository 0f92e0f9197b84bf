/* Waits, recorded from the calls that wait. CUPTI's own records of them (SYNCHRONIZATION) are never enabled: with CUPTI
 * 13.0, each launch of PyTorch's takes 2.7 us longer while they are on, whether or not anything waits. */
#ifndef STINT_GPU_WAIT_CALLS_H
#define STINT_GPU_WAIT_CALLS_H

#include "gpu/cupti.h"

/* Whether the call with that name, as cuptiGetCallbackName spells it, makes a thread or a stream wait. */
int stint_wait_call(const char *name);

/* Tells the ledger of a wait when its call ends; has to be told when it begins, too. Takes the ledger's lock. */
void stint_wait_note(const struct stint_cupti *cupti, const struct stint_cupti_call *call);

#endif
