/* Calling contexts as stacks with a weight: what flame graphs are made of. */
#ifndef STINT_EXPORT_STACKS_H
#define STINT_EXPORT_STACKS_H

#include "stint/snapshot.h"

enum stint_weight {
    STINT_WEIGHT_HOST, /* ns in a scope or a call of CUDA, without those below it */
    STINT_WEIGHT_GPU,  /* ns that devices worked for a scope; above the scopes, the stack has what devices did */
    STINT_WEIGHT_BYTES /* bytes copied, set or moved for a scope */
};

enum { STINT_WEIGHTS = 3 };

struct stint_stack {
    const size_t *contexts; /* from the root on */
    size_t count;
    const char *bottom; /* in place of contexts: "(no scope)", "(unattributed)"; or NULL */
    const char *top;    /* above the contexts: what devices did; or NULL */
    uint64_t weight;    /* not 0 */
};

/* Calls `add` for each stack. Returns 0, or -1 if `add` returned that or there is no memory. */
int stint_stacks_each(const struct stint_snapshot *snapshot, enum stint_weight weight,
                      int (*add)(void *context, const struct stint_stack *stack), void *context);

#endif
