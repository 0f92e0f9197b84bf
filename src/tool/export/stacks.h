/* Stacks with a weight, what flame graphs are made of: calling contexts, or chains of functions that were sampled. */
#ifndef STINT_EXPORT_STACKS_H
#define STINT_EXPORT_STACKS_H

#include <stddef.h>
#include <stdint.h>

#include "export/export.h"
#include "stint/snapshot.h"
#include "support/keyed_table.h"

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

/* -------------------------------------------------------------------------------------------------------- functions */

/* The functions that samples were taken in, and those that had called them. */

/* A sample has at most so many functions with those that are inlined; beyond, the outermost are left out. */
enum { STINT_FUNCTIONS_MOST = 1024 };

struct stint_function {
    const char *name;
    const char *file; /* of the source; "" if unknown */
};

/* A place in a function: one of the snapshot's frames is several if functions are inlined there. */
struct stint_function_place {
    uint32_t function; /* its number, from 0 on */
    uint32_t line;     /* of the source; 0: unknown */
};

struct stint_functions {
    const struct stint_export_input *input;
    struct stint_arena arena;
    struct stint_table all; /* struct stint_function */
    struct stint_array
        places; /* struct stint_function_place: those of a frame one after the other, the innermost first */
    struct stint_function_places {
        uint32_t first, count; /* count 0: not looked up yet */
    } * frames;                /* of each of the snapshot's frames */
    uint32_t chain[STINT_FUNCTIONS_MOST];
};

/* Returns 0, or -1 without memory. Free it in any case. */
int stint_functions_begin(struct stint_functions *functions, const struct stint_export_input *input);
void stint_functions_free(struct stint_functions *functions);

/* The time that a sample stands for. */
struct stint_sample_span {
    uint64_t begin_ns;
    uint64_t end_ns;
};

/* Returns that time; the one of the thread's sample before ends at `before_ns`. What is missing between the two is the
 * thread's own if it is less than an eighth of the sample's time: samples of CPU time and the clock do not agree to the
 * last microsecond. Times do not overlap, and never run backwards. */
struct stint_sample_span stint_sample_span(const struct stint_event *event, uint64_t before_ns);

/* Fills `chain` with the numbers of the places of a call chain, the outermost first, and returns how many there are;
 * SIZE_MAX without memory. */
size_t stint_functions_chain(struct stint_functions *functions, size_t stack);

static inline struct stint_function_place stint_functions_place(const struct stint_functions *functions,
                                                                uint32_t number)
{
    return ((const struct stint_function_place *)functions->places.items)[number];
}

static inline const struct stint_function *stint_functions_at(const struct stint_functions *functions, uint32_t number)
{
    return (const struct stint_function *)functions->all.items + number;
}

#endif
