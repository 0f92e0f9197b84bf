/* Stacks with a weight, what flame graphs are made of: calling contexts, or chains of functions that were sampled. */
#ifndef STINT_EXPORT_STACKS_H
#define STINT_EXPORT_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "stint/snapshot.h"

/* What stacks are made of, by number. */
struct stint_stack_frame {
    const char *set; /* in front of the name; "": none */
    const char *name;
    const char *file; /* of the source or, if that is unknown, of the code */
    uint64_t line;    /* 0: unknown */
};

struct stint_stack {
    const size_t *frames; /* numbers, the innermost first */
    size_t count;
    uint64_t weight;
    uint64_t ns; /* that the weight stands for, if it is a number of samples */
};

struct stint_stacks {
    struct stint_stack_frame (*frame)(const struct stint_stacks *stacks, size_t number);
    size_t frame_count;
    uint64_t period_ns; /* between samples */

    /* Calls `add` for each stack. Returns 0, or -1 if `add` returned that or there is no memory. */
    int (*each)(const struct stint_stacks *stacks, int (*add)(void *context, const struct stint_stack *stack),
                void *context);
};

enum stint_weight {
    STINT_WEIGHT_HOST, /* ns in a scope or a call of CUDA, without those below it */
    STINT_WEIGHT_GPU,  /* ns that devices worked for a scope; above the scopes, the stack has what devices did */
    STINT_WEIGHT_BYTES /* bytes copied, set or moved for a scope */
};

/* The calling contexts of a snapshot. */
struct stint_context_stacks {
    struct stint_stacks stacks; /* has to be the first member */
    const struct stint_snapshot *snapshot;
    enum stint_weight weight;
};

struct stint_context_stacks stint_context_stacks(const struct stint_snapshot *snapshot, enum stint_weight weight);

#endif
