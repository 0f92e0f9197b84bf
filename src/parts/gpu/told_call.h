/* What CUPTI's callbacks tell about a call, for those that look at its parameters. In CUPTI's parameter structures each
 * parameter of the calls that matter here takes one word, so its position is its number. */
#ifndef STINT_GPU_TOLD_CALL_H
#define STINT_GPU_TOLD_CALL_H

#include <stddef.h>
#include <stdint.h>

/* Whether a name as cuptiGetCallbackName spells it is that of `call`: it may be followed by "_ptsz" (per-thread default
 * stream), and then by a version, "_v2", or for runtime calls any. */
int stint_told_is(const char *name, const char *call);

/* The parameter with that number. */
uint64_t stint_told_word(const void *parameters, size_t number);

/* Whether a call was told before: a call of the runtime and the driver's call within it are both told, with the same
 * correlation id, and the latter ends first. `last` is the thread's, 0 at first. */
static inline int stint_told_again(uint32_t *last, uint32_t correlation)
{
    int again = correlation == *last;
    *last = correlation;
    return again;
}

/* The device of the current context, which is also the call's; 0 if there is none. */
uint32_t stint_told_device(void);

#endif
